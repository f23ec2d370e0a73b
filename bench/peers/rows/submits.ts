import { startTrial, submitVideos } from './trial.ts'
import type { Row } from './row.ts'

/**
 * Submits as fast as the gateway responds. Meanwhile, the gateway submits the tasks to the
 * upstream.
 */
export const submits: Row = {
  name: 'submits',
  async measure(side, plan) {
    await using resources = plan.rig.openTrial()
    const trial = await startTrial(side, plan, resources)
    const { tasks, secondsMax } = plan
    await submitVideos(trial, plan, { tasks: tasks / 4, secondsMax: secondsMax / 4 })
    const loaded = await submitVideos(trial, plan, { tasks, secondsMax })
    return {
      submitsPerSecond: loaded.responses / loaded.seconds,
      submitP99Ms: loaded.p99Ms,
      handedOverPerSecond: loaded.responses / loaded.doneSeconds,
      cpuMsPerTask: loaded.cpuMsPerTask,
      databaseCpuMsPerTask: loaded.databaseCpuMsPerTask,
    }
  },
}
