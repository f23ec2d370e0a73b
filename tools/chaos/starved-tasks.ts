import { leaseMs } from '../../packages/server/src/dispatch/lease.ts'
import type { KnownTask } from './clients.ts'
import { attemptName, type StoredAttempt } from './check-jobs.ts'
import type { FaultKind, FaultPeriod } from './faults.ts'
import type { MatchedSubmit } from './match-submits.ts'
import { firstRoutesFor, routeTo, trialRoutes, trialUpstreams } from './routing.ts'

/**
 * Maximum permitted wait for a free slot. It is much longer than the setting `defer_max` of the
 * routes plus the time of a few claims.
 */
const starvedAfterMs = 10_000
/**
 * A waiting task counts as starved by other accounts only if at least this many of their tasks on
 * the same routes were started during its wait.
 */
const otherStartsMin = 8
/** Maximum delay of the response to a submit that was sent before the period. */
const settleMs = 2_000
/** Time within which every circuit that a fault has opened becomes half open. */
const trustedAfterMs = 90_000
/**
 * Time for which an attempt without a job may keep its route out of service. It is the maximum
 * Retry-After that the service respects. A circuit stays open for a shorter time.
 */
const distrustMsMax = 10 * 60_000
/** Maximum delay until the service detects the end of a job whose task has already ended. */
const overdueMsMax = 60_000

/** Faults in which a process loses its claims, either when the fault starts or when it ends. */
const claimLosses: Partial<Record<FaultKind, 'start' | 'end'>> = {
  kill: 'start',
  pause: 'start',
  terminate: 'end',
  'rolling restart': 'end',
}

export interface Period {
  fromMs: number
  untilMs: number
}

/**
 * Finds tasks that waited too long for their first attempt in a period without faults, and returns
 * a description of each. A task counts if, for 10 seconds of its wait:
 *
 * - one of its routes had a free slot all the time, or
 * - no task of its account and model was started, while at least eight tasks of other accounts that
 *   need the same routes were.
 *
 * Routes: of the routes that can serve the request, only those with the lowest priority number
 * count, and only while they are known to be in service. A route is known to be in service:
 *
 * - once its upstream has accepted a submit that arrived at least two seconds after the start of
 *   the period. If the route had an attempt without a job in the ten minutes before, the route
 *   itself must have accepted such a submit.
 * - in any case, 90 seconds after the start of the period.
 *
 * Slots: an attempt takes a slot from its start until its end. An attempt that is unresolved, or
 * that ended before its job, takes a slot until a minute after both have ended, because the service
 * may detect the end of the job late.
 *
 * Waits: a wait before a later attempt does not count, because it has a reason, such as a back-off
 * or a refusal. If a process ended after it had claimed the task and before it sent anything, the
 * wait counts from the end of the lease, because no other process can claim the task earlier.
 */
export function findStarvedTasks(
  tasks: readonly KnownTask[],
  attempts: readonly StoredAttempt[],
  submits: readonly MatchedSubmit[],
  { faultFreePeriod, faults }: { faultFreePeriod: Period; faults: readonly FaultPeriod[] },
): string[] {
  const starts = new Map<string, number>()
  const reclaimed = new Set<string>()
  for (const { key, startedAtMs, number, begunFence } of attempts) {
    if (key === null) continue
    starts.set(key, Math.min(startedAtMs, starts.get(key) ?? Infinity))
    if (Number(number) === 1 && begunFence > 1) reclaimed.add(key)
  }
  const waiting = tasks.flatMap((task) => {
    if (task.acceptedAtMs === null) return []
    // If the response to the cancel was lost, it is unknown how long the task waited.
    const endedAtMs = task.cancelledAtMs ?? (task.errorCode === 'cancelled' ? 0 : Infinity)
    const startedAtMs = Math.min(starts.get(task.key) ?? Infinity, endedAtMs)
    const leasedUntilMs = reclaimed.has(task.key) ? lostLeasesEndAtMs(faults, task.acceptedAtMs) : 0
    const fromMs = Math.max(task.acceptedAtMs, faultFreePeriod.fromMs, leasedUntilMs)
    const untilMs = Math.min(startedAtMs, faultFreePeriod.untilMs)
    return untilMs - fromMs >= starvedAfterMs ? [{ task, fromMs, untilMs }] : []
  })
  const freePeriodsByRoute = freePeriods(attempts, submits, faultFreePeriod)
  const waitedDespiteFreeSlots = waiting.flatMap(({ task, ...wait }) => {
    for (const { name } of firstRoutesFor(task.model, task.special)) {
      const period = freePeriodsByRoute.get(name)?.find((freePeriod) => overlapMs(freePeriod, wait) >= starvedAfterMs)
      if (period !== undefined)
        return [
          `${task.key} of ${task.account}, ${task.model}: ${name} had free slots for ${secondsText(overlapMs(period, wait))}`,
        ]
    }
    return []
  })
  return [...waitedDespiteFreeSlots, ...starvedAccounts(tasks, starts, waiting)]
}

/** Returns the time at which the last lease of a process that ended after `sinceMs` has expired. */
function lostLeasesEndAtMs(faults: readonly FaultPeriod[], sinceMs: number): number {
  const lossesAtMs = faults.flatMap(({ kind, fromMs, untilMs }) => {
    const lostAt = claimLosses[kind]
    return lostAt === undefined || untilMs < sinceMs ? [] : [lostAt === 'start' ? fromMs : untilMs]
  })
  return Math.max(...lossesAtMs, -Infinity) + leaseMs
}

/** Returns a key that is the same for tasks that the same routes can serve. */
function groupOf({ model, special }: KnownTask): string {
  return `${model}, ${special ?? 'plain'}`
}

function starvedAccounts(
  tasks: readonly KnownTask[],
  starts: ReadonlyMap<string, number>,
  waiting: readonly (Period & { task: KnownTask })[],
): string[] {
  const startedTasks = tasks.flatMap((task) => {
    const atMs = starts.get(task.key)
    return atMs === undefined ? [] : [{ task, atMs }]
  })
  return waiting.flatMap(({ task, fromMs, untilMs }) => {
    const startsDuringWait = startedTasks.filter(
      (start) => start.task.model === task.model && start.atMs >= fromMs && start.atMs < untilMs,
    )
    const isServed = startsDuringWait.some((start) => start.task.account === task.account)
    const otherStarts = startsDuringWait.filter((start) => groupOf(start.task) === groupOf(task)).length
    return isServed || otherStarts < otherStartsMin
      ? []
      : [
          `${task.key} of ${task.account}, ${groupOf(task)}: ${otherStarts} starts of other accounts in ${secondsText(untilMs - fromMs)}`,
        ]
  })
}

/**
 * Returns, by route, the periods in which the route and its upstream had a free slot and were known
 * to be in service.
 */
function freePeriods(
  attempts: readonly StoredAttempt[],
  submits: readonly MatchedSubmit[],
  faultFreePeriod: Period,
): Map<string, Period[]> {
  const jobEnds = new Map<string, number>()
  /** Time at which a route or upstream first accepted a submit in the period, by its name. */
  const provenAtMs = new Map<string, number>()
  for (const { submit, attempt } of submits) {
    if (submit.job === null) continue
    if (attempt !== undefined) jobEnds.set(attemptName(attempt), submit.job.endsAtMs)
    const route = routeTo(submit.upstream, submit.model)?.name ?? ''
    if (submit.arrivedAtMs < faultFreePeriod.fromMs + settleMs || submit.outcome !== 'respond') continue
    for (const name of [route, submit.upstream]) if (!provenAtMs.has(name)) provenAtMs.set(name, submit.arrivedAtMs)
  }
  const slotPeriods = attempts.map((attempt) => {
    const endedAtMs = attempt.endedAtMs ?? Infinity
    const jobEndsAtMs = jobEnds.get(attemptName(attempt)) ?? 0
    const untilMs =
      jobEndsAtMs > endedAtMs || attempt.unresolved !== null ? Math.max(endedAtMs, jobEndsAtMs) + overdueMsMax : endedAtMs
    return { route: attempt.route, fromMs: attempt.startedAtMs, untilMs }
  })
  const distrusted = new Set(
    attempts.flatMap(({ route, operation_id, startedAtMs, endedAtMs }) => {
      const isRecent =
        startedAtMs < faultFreePeriod.fromMs + settleMs && (endedAtMs ?? Infinity) > faultFreePeriod.fromMs - distrustMsMax
      return operation_id === null && isRecent ? [route] : []
    }),
  )
  return new Map(
    trialRoutes.map(({ name, upstream, inFlightMax }) => {
      const provenMs = provenAtMs.get(distrusted.has(name) ? name : upstream) ?? Infinity
      const fromMs = Math.min(provenMs, faultFreePeriod.fromMs + trustedAfterMs)
      const upstreamMax = trialUpstreams.find((candidate) => candidate.name === upstream)?.inFlightMax ?? Infinity
      const upstreamSlotPeriods = slotPeriods.filter(
        ({ route }) => trialRoutes.find((candidate) => candidate.name === route)?.upstream === upstream,
      )
      const knownPeriod = { fromMs, untilMs: faultFreePeriod.untilMs }
      const upstreamFreePeriods = periodsBelow(upstreamMax, upstreamSlotPeriods, knownPeriod)
      const routeSlotPeriods = upstreamSlotPeriods.filter(({ route }) => route === name)
      return [
        name,
        inFlightMax === null
          ? upstreamFreePeriods
          : upstreamFreePeriods.flatMap((period) => periodsBelow(inFlightMax, routeSlotPeriods, period)),
      ]
    }),
  )
}

/** Returns the parts of a period during which fewer than `limit` of the slot periods overlap. */
function periodsBelow(limit: number, slotPeriods: readonly Period[], outerPeriod: Period): Period[] {
  const changes = slotPeriods
    .filter(({ fromMs, untilMs }) => fromMs < outerPeriod.untilMs && untilMs > outerPeriod.fromMs)
    .flatMap(({ fromMs, untilMs }) => [
      { atMs: Math.max(fromMs, outerPeriod.fromMs), by: 1 },
      { atMs: untilMs, by: -1 },
    ])
    .toSorted((left, right) => left.atMs - right.atMs || right.by - left.by)
  const freeSlotPeriods: Period[] = []
  let count = 0
  let sinceMs: number | null = outerPeriod.fromMs
  for (const { atMs, by } of changes) {
    if (atMs >= outerPeriod.untilMs) break
    count += by
    if (count >= limit && sinceMs !== null) {
      if (atMs > sinceMs) freeSlotPeriods.push({ fromMs: sinceMs, untilMs: atMs })
      sinceMs = null
    } else if (count < limit) sinceMs ??= atMs
  }
  if (sinceMs !== null) freeSlotPeriods.push({ fromMs: sinceMs, untilMs: outerPeriod.untilMs })
  return freeSlotPeriods
}

function overlapMs(first: Period, second: Period): number {
  return Math.min(first.untilMs, second.untilMs) - Math.max(first.fromMs, second.fromMs)
}

function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
