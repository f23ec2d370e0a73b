import { startTrial, submitVideos } from './trial.ts'
import type { Row } from './row.ts'

const perSecond = 100
const warmUpTasks = 500

/** Submits at a low, steady rate. */
export const steady: Row = {
  name: 'steady',
  async measure(side, plan) {
    await using resources = plan.rig.openTrial()
    const trial = await startTrial(side, plan, resources)
    const secondsMax = plan.secondsMax / 2
    await submitVideos(trial, plan, { tasks: Math.min(warmUpTasks, plan.tasks), secondsMax })
    const loaded = await submitVideos(trial, plan, { secondsMax, perSecond })
    return {
      steadyP50Ms: loaded.p50Ms,
      steadyP99Ms: loaded.p99Ms,
      steadyCpuMsPerTask: loaded.cpuMsPerTask,
      steadyDatabaseCpuMsPerTask: loaded.databaseCpuMsPerTask,
    }
  },
}
