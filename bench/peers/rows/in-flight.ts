import { memoryMbOfTree } from '../../http/process-tree.ts'
import { startTrial, submitVideos } from './trial.ts'
import type { Row } from './row.ts'

const tasksInFlight = 10_000

/** Memory of the gateway with 10,000 tasks in flight at the upstream, minus its idle memory. */
export const inFlight: Row = {
  name: 'in flight',
  async measure(side, plan) {
    await using resources = plan.rig.openTrial()
    const trial = await startTrial(side, plan, resources)
    const memoryMb = async () => {
      await trial.gateway.collectGarbage()
      return memoryMbOfTree(trial.gateway.pid)
    }
    const idleMb = await memoryMb()
    const { responses } = await submitVideos(trial, plan, { tasks: plan.tasks, secondsMax: plan.secondsMax * 3 })
    const perTaskMb = ((await memoryMb()) - idleMb) / responses
    return { idleMb, inFlightMb: perTaskMb * tasksInFlight }
  },
}
