import { setTimeout as sleep } from 'node:timers/promises'
import { audit, type AuditFigures, type ViolationCount } from './audit.ts'
import { startClients } from './clients.ts'
import { injectFaults, planFaults, type FaultKind } from './faults.ts'
import { startInstallation } from './installation.ts'
import { restoreReceivers } from './restore-receivers.ts'
import { Random } from './random.ts'

export interface ChaosOptions {
  faultCount: number
  taskCount: number
  seed: number
  /** Maximum duration of faults and load. Later phases have their own limits. */
  secondsMax: number
  /** Average interval between two faults. */
  everyMs: number
  /** Maximum number of open tasks per client. */
  openMax: number
  /**
   * Whether to omit the slow kinds of faults: process pauses, which are longer than a lease, and
   * rolling restarts.
   */
  isShort: boolean
  /** Seconds during which clients submit after the last fault. */
  steadySeconds: number
  /** Time limit in seconds for all tasks to end after the last submits. */
  drainTimeoutSeconds: number
  /** Folder for the logs of the processes. It is kept. */
  logFolder?: string | undefined
  /** Ends the run early, with a report. */
  signal: AbortSignal
  report(message: string): void
}

export interface ChaosReport {
  seed: number
  seconds: number
  faults: Partial<Record<FaultKind, number>>
  faultCount: number
  upstreamFaults: number
  responses: Record<number, number>
  figures: AuditFigures
  violationCounts: ViolationCount[]
  stops: number
  lateStops: number
  notes: string[]
  /** Whether every violation count is 0. */
  isClean: boolean
}

const reportIntervalMs = 5_000
/**
 * Delay of the audit, in which the service polls the jobs of ended tasks, so that the audit
 * includes their outcomes.
 */
const auditDelayMs = 20_000

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, signal } = options
  const report = (message: string): void => options.report(message)
  const startedAtMs = Date.now()
  await using installation = await startInstallation(seed, options.logFolder)
  report(`all parts are running, in ${installation.folder}`)
  const clients = startClients({ installation, openMax: options.openMax, random: new Random(seed + 1) })
  const plan = planFaults({ count: options.faultCount, everyMs: options.everyMs, isShort: options.isShort }, new Random(seed))
  const faults = injectFaults(installation, plan, (kind) => report(kind))
  let reportedCount = 0
  const progress = setInterval(() => {
    for (const message of clients.violations.slice(reportedCount, reportedCount + 3)) report(message)
    reportedCount = clients.violations.length
    const faultCount = Object.values(faults.countByKind).reduce((sum, count) => sum + count, 0)
    report(
      `${faultCount} faults, ${clients.countSubmitted()} tasks submitted, ${clients.countEnded()} ended, ${clients.violations.length} responses that violate the API contract`,
    )
  }, reportIntervalMs)
  try {
    const untilMs = Date.now() + options.secondsMax * 1_000
    const isOver = (): boolean => signal.aborted || Date.now() > untilMs
    await waitUntil(Promise.all([faults.finished, waitUntilSubmitted(clients, options.taskCount, isOver)]), isOver)
    faults.stop()
    await faults.finished
    for (const upstream of installation.upstreams) upstream.stopFaults()
    report('no more faults; the clients continue to submit')
    const faultFreePeriod = { fromMs: Date.now(), untilMs: Infinity }
    await waitUntil(sleep(options.steadySeconds * 1_000), () => signal.aborted)
    clients.stopSubmitting()
    report('no more submits; waiting for the accepted tasks to end')
    const drainDeadlineMs = Date.now() + options.drainTimeoutSeconds * 1_000
    await waitUntil(clients.allEnded, () => Date.now() > drainDeadlineMs)
    clients.stop()
    await clients.allEnded
    faultFreePeriod.untilMs = Date.now()
    if (!options.isShort) await sleep(auditDelayMs)
    report('the wait for the tasks is over; bringing the receivers of webhooks back online')
    const undelivered = await restoreReceivers(installation)
    const { violationCounts, figures } = await audit(installation, {
      knownTasks: clients.tasks,
      faults: faults.periods,
      faultFreePeriod,
    })
    violationCounts.push({
      name: 'events that have not been delivered',
      count: undelivered.length,
      examples: undelivered.slice(0, 5),
    })
    violationCounts.push({
      name: 'responses that violate the API contract',
      count: clients.violations.length,
      examples: clients.violations.slice(0, 5),
    })
    violationCounts.push({
      name: 'processes that did not start or stop correctly',
      count: faults.errors.length,
      examples: faults.errors,
    })
    const unexpectedExits = installation.processes.reduce((sum, { unexpectedExits }) => sum + unexpectedExits, 0)
    violationCounts.push({ name: 'processes that ended unexpectedly', count: unexpectedExits, examples: [] })
    const diskProblem = installation.disks[0]?.mountProblem ?? null
    const countByOutcome = installation.upstreams.flatMap((upstream) => Object.entries(upstream.countByOutcome))
    return {
      seed,
      seconds: Math.round((Date.now() - startedAtMs) / 1000),
      faults: faults.countByKind,
      faultCount: Object.values(faults.countByKind).reduce((sum, count) => sum + count, 0),
      upstreamFaults: countByOutcome
        .filter(([outcome]) => !outcome.endsWith(' respond'))
        .reduce((sum, [, count]) => sum + count, 0),
      responses: clients.responses,
      figures,
      violationCounts,
      stops: faults.stopExitCodes.length,
      lateStops: faults.stopExitCodes.filter((code) => code !== 0).length,
      notes: diskProblem === null ? [] : [`No disk was filled, because this user may not mount one (${diskProblem}).`],
      isClean: violationCounts.every(({ count }) => count === 0),
    }
  } finally {
    clearInterval(progress)
    clients.stop()
    faults.stop()
  }
}

async function waitUntilSubmitted(clients: { countSubmitted(): number }, tasks: number, isOver: () => boolean): Promise<void> {
  while (clients.countSubmitted() < tasks && !isOver()) await sleep(200)
}

/** Waits until the promise settles or `isOver` returns true. */
async function waitUntil(promise: Promise<unknown>, isOver: () => boolean): Promise<void> {
  const state = { isDone: false }
  void promise.finally(() => (state.isDone = true))
  while (!state.isDone && !isOver()) await sleep(200)
}
