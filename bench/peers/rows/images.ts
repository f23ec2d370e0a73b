import { loadUntil, startTrial } from './trial.ts'
import type { Row } from './row.ts'

/** Tasks whose result is an image of 20 kB. Gateways that store results store this image. */
export const images: Row = {
  name: 'images',
  async measure(side, plan) {
    await using resources = plan.rig.openTrial()
    const trial = await startTrial(side, plan, resources, { jobsEnd: true })
    const countCompleted = () => trial.gateway.completed?.() ?? trial.upstream.call<number>('submits')
    const complete = (tasks: number, secondsMax: number) =>
      loadUntil(trial, plan, { submit: side.image, tasks, secondsMax }, countCompleted)
    await complete(plan.tasks / 16, plan.secondsMax / 4)
    const completed = await complete(plan.tasks / 4, plan.secondsMax)
    return {
      imagesPerSecond: completed.responses / completed.doneSeconds,
      imageCpuMs: completed.cpuMsPerTask,
      imageDatabaseCpuMs: completed.databaseCpuMsPerTask,
    }
  },
}
