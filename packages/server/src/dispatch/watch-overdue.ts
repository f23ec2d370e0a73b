import { setTimeout as sleep } from 'node:timers/promises'
import type { Operation } from '../drivers/driver.ts'
import { attemptIdOf } from '../identity/attempt-id.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Routes } from '../routing/routes.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { FindModelFacts } from './model-facts.ts'
import { pollOverdueAttempt } from './poll-overdue-attempt.ts'
import type { OverdueAttempt, UnresolvedAttempts } from './unresolved-attempts.ts'

const defaultSweepIntervalMs = 15_000
const attemptsPerSweepMax = 200
/** Maximum time for which a sweep waits for polls in progress, in sweep intervals. */
const pollWaitIntervalsMax = 4
const pollIntervalMsMin = 15_000
const pollIntervalMsMax = 60 * 60 * 1000
/**
 * Time for which jobs are polled after their task has ended. Upstreams delete jobs after one or a
 * few days. A job that has not ended by then stays on the list and is no longer polled.
 */
const pollPeriodMs = 7 * 24 * 60 * 60 * 1000
/** Time from the end of the task until a submit without a response counts as lost. */
const submitMsMax = 15 * 60_000
/** Maximum time for which a job keeps its slot after its task has ended. */
const slotHoldMsMax = 10 * 60_000

export interface OverdueWatchDependencies {
  unresolved: UnresolvedAttempts
  store: Pick<Store, 'releaseSlot'>
  routes: Pick<Routes, 'connect' | 'pollLimiterOf'>
  findModelFacts: FindModelFacts
  telemetry: Pick<Telemetry, 'attemptPaid'>
  /** Whether this process is the leader. Only the leader polls these jobs. */
  isLeader(): boolean
  clock: Clock
  logger: Logger
  sweepIntervalMs?: number
}

/**
 * Returns the interval between two polls of a job, by the time since its task ended. It grows from
 * 15 seconds to one hour during the first day, so a job is polled about three hundred times within
 * a week.
 */
export function pollIntervalAfterMs(overdueMs: number): number {
  return Math.min(pollIntervalMsMax, Math.max(pollIntervalMsMin, overdueMs / 24))
}

/**
 * Until its disposal, polls jobs that may continue at the upstream although their task has ended,
 * for example because the task was cancelled or exceeded its deadline. Each job is cancelled at the
 * upstream first. If the job is completed nevertheless, the operator's list shows its cost. A job
 * that does not end stays on the list until an operator resolves it.
 */
export function watchOverdue(dependencies: OverdueWatchDependencies): AsyncDisposable {
  const { unresolved, store, routes, clock, logger, sweepIntervalMs = defaultSweepIntervalMs } = dependencies
  const stopController = new AbortController()
  /**
   * Time of the last poll of each attempt, by attempt id. Each of these attempts has also been
   * cancelled at its upstream.
   */
  let polledAtMs = new Map<string, number>()
  /**
   * Ids of the attempts that the current pass over the list has read so far. A pass takes several
   * sweeps if the list is longer than a batch.
   */
  let listedAttemptIds = new Set<string>()
  /** Polls in progress, by upstream. */
  const pollsByUpstream = new Map<number | null, Promise<void>>()
  let currentSweep: Promise<void> | null = null
  let currentRelease: Promise<void> | null = null
  let lastListed: OverdueAttempt | null = null

  async function releaseSlots(): Promise<void> {
    if (!dependencies.isLeader()) return
    for (const attempt of await unresolved.listHoldingSlots(clock() - slotHoldMsMax))
      await store.releaseSlot(attempt.taskId, attempt.number)
  }

  async function sweep(): Promise<void> {
    if (!dependencies.isLeader()) return
    const attempts = await unresolved.listOverdue({
      limit: attemptsPerSweepMax,
      after: lastListed,
      endedAfterMs: clock() - pollPeriodMs,
    })
    for (const { taskId, number } of attempts) listedAttemptIds.add(attemptIdOf(taskId, number))
    // Upstreams are polled concurrently, and a sweep skips an upstream whose earlier polls have not
    // ended, so that a slow upstream does not delay the others.
    const begunPolls: Promise<void>[] = []
    for (const [upstreamPool, group] of Map.groupBy(attempts, ({ upstreamPool }) => upstreamPool)) {
      if (pollsByUpstream.has(upstreamPool)) continue
      const polls = pollAll(group).finally(() => pollsByUpstream.delete(upstreamPool))
      pollsByUpstream.set(upstreamPool, polls)
      begunPolls.push(polls)
    }
    await Promise.race([Promise.all(begunPolls), sleep(pollWaitIntervalsMax * sweepIntervalMs, undefined, { ref: false })])
    if (stopController.signal.aborted) return
    lastListed = attempts.length === attemptsPerSweepMax ? (attempts.at(-1) ?? null) : null
    if (lastListed !== null) return
    polledAtMs = new Map([...polledAtMs].filter(([attemptId]) => listedAttemptIds.has(attemptId)))
    listedAttemptIds = new Set()
  }

  async function pollAll(attempts: readonly OverdueAttempt[]): Promise<void> {
    for (const attempt of attempts) {
      if (stopController.signal.aborted) return
      await pollAttempt(attempt).catch((error: unknown) =>
        logger.warn({ err: error, task: attempt.taskId }, 'an attempt that continues upstream could not be polled'),
      )
    }
  }

  async function pollAttempt(attempt: OverdueAttempt): Promise<void> {
    const { taskId, number, snapshotNo, upstreamPool, operation, model, modelVersionNo, endedAtMs } = attempt
    const attemptId = attemptIdOf(taskId, number)
    if (operation === null) {
      if (clock() - endedAtMs <= submitMsMax) return
      await store.releaseSlot(taskId, number)
      return unresolved.recordLostReply(taskId, number, 'the process ended while it submitted the job')
    }
    const lastPolledAtMs = polledAtMs.get(attemptId)
    // The absolute difference matters, because the clock may have been set back.
    if (lastPolledAtMs !== undefined && Math.abs(clock() - lastPolledAtMs) < pollIntervalAfterMs(lastPolledAtMs - endedAtMs))
      return
    const pollLimiter = routes.pollLimiterOf(upstreamPool)
    // A later sweep polls the job. Waiting for the end of the pause would delay the whole sweep.
    if (pollLimiter?.isPaused === true) return
    const facts = await dependencies.findModelFacts(model, modelVersionNo)
    const connection = await routes.connect(snapshotNo)
    if (connection === undefined || facts === undefined) return
    polledAtMs.set(attemptId, clock())
    await pollOverdueAttempt(
      {
        attempt,
        operation: JSON.parse(operation) as Operation,
        facts,
        connection,
        pollLimiter,
        wasPolled: lastPolledAtMs !== undefined,
      },
      dependencies,
      stopController.signal,
    )
  }

  const timer = setInterval(() => {
    // Slots are released independently of the sweep, because an unresponsive upstream may delay the
    // sweep.
    currentRelease ??= releaseSlots()
      .catch((error: unknown) => logger.error({ err: error }, 'slots of ended tasks could not be released'))
      .finally(() => {
        currentRelease = null
      })
    currentSweep ??= sweep()
      .catch((error: unknown) => logger.error({ err: error }, 'attempts that continue upstream could not be listed'))
      .finally(() => {
        currentSweep = null
      })
  }, sweepIntervalMs)

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopController.abort(new Error('the service closes'))
      await Promise.all([currentSweep, currentRelease, ...pollsByUpstream.values()])
    },
  }
}
