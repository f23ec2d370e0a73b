import type { KnownTask } from './clients.ts'
import { nameOf, type StoredAttempt } from './judge-jobs.ts'
import type { MatchedSubmit } from './match-submits.ts'
import { firstRoutesFor, routeTo, trialRoutes, trialUpstreams } from './routing.ts'

/** Much longer than a few claim rounds and `defer_max` together. */
const starvedAfterMs = 10_000
/**
 * An account counts as starved only if other accounts have had at least this many starts of the
 * same model in that time.
 */
const startsOfOthersMin = 8
/** Refusals from before the period may arrive this late. */
const settleMs = 2_000
/** By then, every circuit that faults of a few seconds have opened lets an attempt through. */
const trustedAfterMs = 90_000
/**
 * The longest Retry-After that the service honors. It is also longer than a circuit stays open.
 */
const distrustMsMax = 10 * 60_000
/** The service may learn this late of the end of a job whose task had already ended. */
const overdueMsMax = 60_000

export interface Period {
  fromMs: number
  untilMs: number
}

/**
 * Tasks that waited in vain for their first attempt, in a period without faults:
 *
 *   10 s during which one of their routes had a free slot all the time
 *   10 s during which no task of their account and model was started, while tasks of other accounts
 *   that need the same routes were
 *
 * Only routes of the first priority that can serve the request count, and only while they are known
 * to be in order. A route is known to be in order once its upstream has accepted a submit at least
 * two seconds into the period. If one of the route's attempts had ended without a job in the ten
 * minutes before, the route itself must have accepted a submit too. Otherwise a circuit may be open
 * or a refusal may hold, but for at most the first 90 seconds. An attempt counts as in flight from
 * its start until its end. An attempt of a cancelled task counts until a minute after the end of
 * its job, because the service may not know better. Later attempts wait for a reason (back-off, a
 * refusal) and do not count.
 */
export function findStarvedTasks(
  tasks: readonly KnownTask[],
  attempts: readonly StoredAttempt[],
  submits: readonly MatchedSubmit[],
  calm: Period,
): string[] {
  const starts = new Map<string, number>()
  for (const { key, startedAtMs } of attempts) {
    if (key !== null) starts.set(key, Math.min(startedAtMs, starts.get(key) ?? Infinity))
  }
  const waiting = tasks.flatMap((task) => {
    if (task.acceptedAtMs === null) return []
    // The response to a cancel may have been lost. It is then unknown how long the task waited.
    const endedAtMs = task.cancelledAtMs ?? (task.errorCode === 'cancelled' ? 0 : Infinity)
    const startedAtMs = Math.min(starts.get(task.key) ?? Infinity, endedAtMs)
    const fromMs = Math.max(task.acceptedAtMs, calm.fromMs)
    const untilMs = Math.min(startedAtMs, calm.untilMs)
    return untilMs - fromMs >= starvedAfterMs ? [{ task, fromMs, untilMs }] : []
  })
  const free = freePeriods(attempts, submits, calm)
  const besideFreeSlots = waiting.flatMap(({ task, ...wait }) => {
    for (const { name } of firstRoutesFor(task.model, task.special)) {
      const period = free.get(name)?.find((one) => overlapMs(one, wait) >= starvedAfterMs)
      if (period !== undefined)
        return [`${task.key} of ${task.account}, ${task.model}: ${name} had free slots for ${seconds(overlapMs(period, wait))}`]
    }
    return []
  })
  return [...besideFreeSlots, ...starvedAccounts(tasks, starts, waiting)]
}

/** Key of the tasks that the same routes can serve. */
function groupOf({ model, special }: KnownTask): string {
  return `${model}, ${special ?? 'plain'}`
}

function starvedAccounts(
  tasks: readonly KnownTask[],
  starts: ReadonlyMap<string, number>,
  waiting: readonly (Period & { task: KnownTask })[],
): string[] {
  const started = tasks.flatMap((task) => {
    const atMs = starts.get(task.key)
    return atMs === undefined ? [] : [{ task, atMs }]
  })
  return waiting.flatMap(({ task, fromMs, untilMs }) => {
    const during = started.filter((one) => one.task.model === task.model && one.atMs >= fromMs && one.atMs < untilMs)
    const isServed = during.some((one) => one.task.account === task.account)
    const alike = during.filter((one) => groupOf(one.task) === groupOf(task)).length
    return isServed || alike < startsOfOthersMin
      ? []
      : [`${task.key} of ${task.account}, ${groupOf(task)}: ${alike} starts of other accounts in ${seconds(untilMs - fromMs)}`]
  })
}

/** Periods in which each route and its upstream had a free slot and were known to be in order. */
function freePeriods(attempts: readonly StoredAttempt[], submits: readonly MatchedSubmit[], calm: Period): Map<string, Period[]> {
  const jobEnds = new Map<string, number>()
  /** By route and by upstream. */
  const provenAtMs = new Map<string, number>()
  for (const { submit, attempt } of submits) {
    if (submit.job === null) continue
    if (attempt !== undefined) jobEnds.set(nameOf(attempt), submit.job.endsAtMs)
    const route = routeTo(submit.upstream, submit.model)?.name ?? ''
    if (submit.arrivedAtMs < calm.fromMs + settleMs || submit.outcome !== 'respond') continue
    for (const name of [route, submit.upstream]) if (!provenAtMs.has(name)) provenAtMs.set(name, submit.arrivedAtMs)
  }
  const held = attempts.map((attempt) => {
    const endedAtMs = attempt.endedAtMs ?? Infinity
    const jobEndsAtMs = jobEnds.get(nameOf(attempt)) ?? 0
    const untilMs =
      jobEndsAtMs > endedAtMs || attempt.unresolved !== null ? Math.max(endedAtMs, jobEndsAtMs) + overdueMsMax : endedAtMs
    return { route: attempt.route, fromMs: attempt.startedAtMs, untilMs }
  })
  const distrusted = new Set(
    attempts.flatMap(({ route, operation_id, startedAtMs, endedAtMs }) => {
      const isRecent = startedAtMs < calm.fromMs + settleMs && (endedAtMs ?? Infinity) > calm.fromMs - distrustMsMax
      return operation_id === null && isRecent ? [route] : []
    }),
  )
  return new Map(
    trialRoutes.map(({ name, upstream, inFlightMax }) => {
      const provenMs = provenAtMs.get(distrusted.has(name) ? name : upstream) ?? Infinity
      const fromMs = Math.min(provenMs, calm.fromMs + trustedAfterMs)
      const upstreamMax = trialUpstreams.find((one) => one.name === upstream)?.inFlightMax ?? Infinity
      const ofUpstream = held.filter(({ route }) => trialRoutes.find((one) => one.name === route)?.upstream === upstream)
      const within = { fromMs, untilMs: calm.untilMs }
      const free = periodsBelow(upstreamMax, ofUpstream, within)
      const ofRoute = ofUpstream.filter(({ route }) => route === name)
      return [name, inFlightMax === null ? free : free.flatMap((period) => periodsBelow(inFlightMax, ofRoute, period))]
    }),
  )
}

/** The parts of a period during which fewer than `limit` of the held periods overlap. */
function periodsBelow(limit: number, held: readonly Period[], within: Period): Period[] {
  const changes = held
    .filter(({ fromMs, untilMs }) => fromMs < within.untilMs && untilMs > within.fromMs)
    .flatMap(({ fromMs, untilMs }) => [
      { atMs: Math.max(fromMs, within.fromMs), by: 1 },
      { atMs: untilMs, by: -1 },
    ])
    .toSorted((one, other) => one.atMs - other.atMs || other.by - one.by)
  const found: Period[] = []
  let count = 0
  let sinceMs: number | null = within.fromMs
  for (const { atMs, by } of changes) {
    if (atMs >= within.untilMs) break
    count += by
    if (count >= limit && sinceMs !== null) {
      if (atMs > sinceMs) found.push({ fromMs: sinceMs, untilMs: atMs })
      sinceMs = null
    } else if (count < limit) sinceMs ??= atMs
  }
  if (sinceMs !== null) found.push({ fromMs: sinceMs, untilMs: within.untilMs })
  return found
}

function overlapMs(one: Period, other: Period): number {
  return Math.min(one.untilMs, other.untilMs) - Math.max(one.fromMs, other.fromMs)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
