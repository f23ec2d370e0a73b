import { Clients, newClientTasks } from '../clients.ts'
import { pollTexts } from '../request-texts.ts'
import { connections, startTrial } from './trial.ts'
import type { Row } from './row.ts'

const polledTasksMax = 1_000

/** Polls of running tasks as fast as a gateway responds. */
export const polls: Row = {
  name: 'polls',
  async measure(side, plan) {
    await using resources = plan.rig.openTrial()
    const { gateway } = await startTrial(side, plan, resources)
    const clients = resources.use(new Clients(side, gateway))
    const tasks = newClientTasks(Math.min(polledTasksMax, plan.tasks))
    await clients.submit(tasks)
    const requests = pollTexts(
      tasks.map(({ id }) => side.pollPath(id ?? '')),
      gateway,
    )
    const poll = (seconds: number) => plan.rig.load({ port: gateway.port, requests, connections, seconds })
    await poll(plan.secondsMax / 20)
    const polled = await poll(plan.secondsMax / 5)
    if (polled.failed > 0) throw new Error(`${side.name}: ${polled.failed} polls failed`)
    return { pollsPerSecond: polled.responses / polled.seconds, pollP99Ms: polled.p99Ms }
  },
}
