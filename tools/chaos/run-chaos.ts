import { setTimeout as sleep } from 'node:timers/promises'
import { audit, type AuditFigures, type Column } from './audit.ts'
import { startClients } from './clients.ts'
import { makeFaults, planFaults, type FaultKind } from './faults.ts'
import { openInstallation } from './installation.ts'
import { Random } from './random.ts'

export interface ChaosOptions {
  faults: number
  tasks: number
  seed: number
  /** Time limit for faults and load. The phases after that have their own limits. */
  secondsMax: number
  /** Average interval between two faults. */
  everyMs: number
  /** Limit of open tasks per client. */
  openMax: number
  /** Leaves out process pauses that are longer than a lease. */
  isShort: boolean
  /** Clients submit for this long after the last fault. */
  steadySeconds: number
  /** Time limit for everything to end after the last submits. */
  calmSecondsMax: number
  /** Folder for the logs of the processes. It is kept. */
  logFolder?: string | undefined
  /** Ends the run early, with a report. */
  signal: AbortSignal
  report(words: string): void
}

export interface ChaosReport {
  seed: number
  seconds: number
  faults: Partial<Record<FaultKind, number>>
  faultCount: number
  upstreamFaults: number
  responses: Record<number, number>
  figures: AuditFigures
  columns: Column[]
  stops: number
  lateStops: number
  notes: string[]
  /** Whether every count is 0. */
  isClean: boolean
}

const reportIntervalMs = 5_000
/**
 * Time until the service has polled the upstream jobs whose task has ended, so that the audit
 * includes their outcome.
 */
const listMs = 20_000

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, signal } = options
  const report = (words: string): void => options.report(words)
  const startedAtMs = Date.now()
  await using installation = await openInstallation(seed, options.logFolder)
  report(`all parts are running, in ${installation.folder}`)
  const clients = startClients({ installation, openMax: options.openMax, random: new Random(seed + 1) })
  const plan = planFaults({ count: options.faults, everyMs: options.everyMs, isShort: options.isShort }, new Random(seed))
  const faults = makeFaults(installation, plan, (kind) => report(kind))
  let complaints = 0
  const progress = setInterval(() => {
    for (const words of clients.wrong.slice(complaints, complaints + 3)) report(words)
    complaints = clients.wrong.length
    const made = Object.values(faults.made).reduce((sum, count) => sum + count, 0)
    report(`${made} faults, ${clients.submitted()} tasks submitted, ${clients.ended()} ended, ${clients.wrong.length} complaints`)
  }, reportIntervalMs)
  try {
    const untilMs = Date.now() + options.secondsMax * 1_000
    const isOver = (): boolean => signal.aborted || Date.now() > untilMs
    await until(Promise.all([faults.finished, allSubmitted(clients, options.tasks, isOver)]), isOver)
    faults.stop()
    await faults.finished
    for (const upstream of installation.upstreams) upstream.calmDown()
    report('no more faults; the clients continue to submit')
    const calm = { fromMs: Date.now(), untilMs: Infinity }
    await until(sleep(options.steadySeconds * 1_000), () => signal.aborted)
    clients.stopSubmitting()
    report('no more submits; waiting for the accepted tasks to end')
    const calmUntilMs = Date.now() + options.calmSecondsMax * 1_000
    await until(clients.finished, () => Date.now() > calmUntilMs)
    clients.stop()
    await clients.finished
    calm.untilMs = Date.now()
    if (!options.isShort) await sleep(listMs)
    const { columns, figures } = await audit(installation, { known: clients.tasks, faults: faults.periods, calm })
    columns.push({ name: 'forbidden responses', count: clients.wrong.length, examples: clients.wrong.slice(0, 5) })
    columns.push({
      name: 'processes that did not start or stop as they should',
      count: faults.wrong.length,
      examples: faults.wrong,
    })
    const endings = installation.processes.reduce((sum, { endedByItself }) => sum + endedByItself, 0)
    columns.push({ name: 'processes that ended by themselves', count: endings, examples: [] })
    const why = installation.disks[0]?.whyNone ?? null
    const met = installation.upstreams.flatMap((upstream) => Object.entries(upstream.met))
    return {
      seed,
      seconds: Math.round((Date.now() - startedAtMs) / 1000),
      faults: faults.made,
      faultCount: Object.values(faults.made).reduce((sum, count) => sum + count, 0),
      upstreamFaults: met.filter(([fate]) => !fate.endsWith(' respond')).reduce((sum, [, count]) => sum + count, 0),
      responses: clients.responses,
      figures,
      columns,
      stops: faults.stops.length,
      lateStops: faults.stops.filter((code) => code !== 0).length,
      notes: why === null ? [] : [`No disk was filled: this user may not mount one (${why}).`],
      isClean: columns.every(({ count }) => count === 0),
    }
  } finally {
    clearInterval(progress)
    clients.stop()
    faults.stop()
  }
}

async function allSubmitted(clients: { submitted(): number }, tasks: number, isOver: () => boolean): Promise<void> {
  while (clients.submitted() < tasks && !isOver()) await sleep(200)
}

/** Waits for an event, or until it is no longer worth waiting for. */
async function until(happened: Promise<unknown>, isOver: () => boolean): Promise<void> {
  const state = { isDone: false }
  void happened.finally(() => (state.isDone = true))
  while (!state.isDone && !isOver()) await sleep(200)
}
