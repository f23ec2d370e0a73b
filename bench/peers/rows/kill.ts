import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../http/statistics.ts'
import { Clients, newClientTasks, type ClientTask } from '../clients.ts'
import type { Gateway, Side } from '../side.ts'
import type { Row } from './row.ts'

const endsAfterMs = 1_000
/**
 * Maximum time until all tasks have ended after the last restart. It is longer than the leases and
 * locks of the killed process.
 */
const followMsMax = 120_000
const retriesMax = 5
const retryPauseMs = 500
const tasksMax = 2_000

/**
 * Kills a gateway several times under a load of submits, and restarts it. Clients retry failed
 * submits, and finally poll all tasks. Jobs end a second after their submit.
 */
export const kill: Row = {
  name: 'kill',
  async measure(side, plan) {
    await using resources = plan.rig.openTrial()
    const upstream = resources.use(await plan.rig.startUpstream({ endsAfterMs }))
    const installation = await side.install({ rig: plan.rig, trial: resources, upstreamPort: upstream.port, jobsEnd: true })
    const tasks = newClientTasks(Math.min(tasksMax, plan.tasks))
    const restartsMs: number[] = []
    let gateway = resources.use(await installation.start())
    for (let count = 1; count <= plan.kills; count++) {
      await submitUntilKilled(side, gateway, tasks, (tasks.length * count) / (plan.kills + 1))
      const startedAt = performance.now()
      gateway = resources.use(await installation.start())
      restartsMs.push(performance.now() - startedAt)
    }
    const clients = resources.use(new Clients(side, gateway))
    for (let count = 0; count < retriesMax && tasks.some(({ id }) => id === null); count++) {
      await clients.submit(tasks)
      await sleep(retryPauseMs)
    }
    if (tasks.some(({ id }) => id === null)) throw new Error(`${side.name}: submits failed after the restart`)
    await clients.follow(tasks, followMsMax)
    const countOf = (matches: (task: ClientTask) => boolean) => tasks.filter(matches).length
    return {
      restartMs: median(restartsMs),
      killedTasks: tasks.length,
      lost: countOf(({ status }) => status !== 'completed' && status !== 'failed'),
      doubled: (await upstream.call<string[]>('doubled')).length,
      givenUp: countOf(({ status }) => status === 'failed'),
    }
  },
}

/**
 * Kills the gateway when `acceptedMin` tasks have an id and clients still wait for other responses.
 */
async function submitUntilKilled(side: Side, gateway: Gateway, tasks: readonly ClientTask[], acceptedMin: number): Promise<void> {
  await using clients = new Clients(side, gateway)
  let killed: Promise<void> | undefined
  await clients.submit(tasks, () => {
    if (tasks.filter(({ id }) => id !== null).length >= acceptedMin) killed ??= gateway.kill()
    return killed === undefined
  })
  if (killed === undefined) throw new Error(`${side.name}: submits failed before the kill`)
  await killed
}
