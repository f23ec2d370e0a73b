import { readBilledInputs, readImprovesPrompt } from '../tasks/parameters-text.ts'
import { completeTask, failTask } from './end-task.ts'
import type { StoredResults } from '../db/task-queries.ts'
import type { AttemptCost, AttemptNote } from '../db/task-queue.ts'
import type { DriverOutput, Operation } from '../drivers/driver.ts'
import { messageOf } from '../lib/message-of.ts'
import { UnusableResult } from './collect-result.ts'
import { ResultCollection, type CollectOutput } from './result-collection.ts'
import type { AttemptEnd } from './run-attempt.ts'
import { pollJob } from './poll-job.ts'
import { costOfJob, requestedJob } from '../routing/route-cost.ts'
import { runStage } from './run-stage.ts'
import type { TaskContext, TaskDependencies } from './task-dependencies.ts'

const collectTriesMax = 3
const retryDelayMs = 1_000
const backoffMsMax = 30_000
/**
 * While the server of a file is unavailable, tries are not counted until the pauses between them
 * add up to this time.
 */
const uncountedPausesMsMax = 10 * 60_000
/**
 * Maximum time for which a poll for new URLs waits for the rate limiter. The poll is then sent
 * despite the rate limit, because without valid URLs the results of the paid job are lost.
 */
const pollWaitMsMax = 5_000
/** Time before the deadline of the attempt in which every try is counted. */
const lastTriesMs = 60_000

type SucceededAttempt = Extract<AttemptEnd, { kind: 'succeeded' }>

/**
 * Collects the results, then completes and charges the task in one commit.
 *
 * If a file cannot be fetched or is not usable, the service polls the upstream for a new URL and
 * fetches the file again. After the last try, the task is completed with its usable results, and
 * only these are charged. A task without a usable result fails without a charge, and the operator's
 * list of unresolved attempts shows the cost at the upstream.
 *
 * While the server of a file is temporarily unavailable, tries do not count for ten minutes in
 * total. In the last minute before the deadline every try counts, because the usable results would
 * be lost at the deadline. After an error of the media store, the disk or the database, the service
 * retries until the deadline of the attempt.
 */
export async function finishAttempt(
  succeeded: SucceededAttempt,
  context: TaskContext,
  dependencies: TaskDependencies,
): Promise<'done' | 'stopped'> {
  try {
    return await collectAndEnd(succeeded, context, dependencies)
  } finally {
    await dependencies.collector.release(context.running.taskId)
  }
}

async function collectAndEnd(
  succeeded: SucceededAttempt,
  context: TaskContext,
  dependencies: TaskDependencies,
): Promise<'done' | 'stopped'> {
  const { running, request, facts, connection } = context
  const { driver } = connection
  const { operation, cost } = succeeded
  const collection = new ResultCollection(facts.resultsMax(request.parameters))
  const mayHaveLeftovers = running.mayHaveFiles
  let { outputs } = succeeded
  let lastErrorMessage = ''
  let [unusableCount, storageErrorCount, unavailableCount, uncountedPausesMs] = [0, 0, 0, 0]
  while (unusableCount < collectTriesMax || collection.results.length > 0) {
    try {
      running.mayHaveFiles = true
      running.isCollecting = true
      if (unusableCount < collectTriesMax)
        await runStage('collect', running, dependencies, () =>
          collection.collect(outputs, createCollectOutput(context, dependencies)),
        )
      const results = withCommonExpiry(collection)
      await recordText(collection, context, dependencies)
      const isCompleted = await completeWith(results, { outputCount: outputs.length, cost }, context, dependencies)
      if (isCompleted) dependencies.collector.startThumbnails(running.claim.task.accountNo, results)
      if (isCompleted && (mayHaveLeftovers || collection.hasRestarted)) await discardUnused(results, context, dependencies)
      await driver.discard?.(operation, request)
      return 'done'
    } catch (error) {
      if (running.stopReason !== null) return 'stopped'
      dependencies.logger.error({ err: error }, 'a result could not be collected')
      lastErrorMessage = messageOf(error)
      let pauseMs: number
      if (!(error instanceof UnusableResult)) pauseMs = backoffMs(storageErrorCount++)
      else if (
        error.isTransient &&
        uncountedPausesMs < uncountedPausesMsMax &&
        running.remainingMs > backoffMs(unavailableCount) + lastTriesMs
      ) {
        pauseMs = backoffMs(unavailableCount++)
        uncountedPausesMs += pauseMs
      } else if (++unusableCount === collectTriesMax) continue
      else pauseMs = retryDelayMs * unusableCount
      running.isCollecting = false
      await running.pauseIgnoringWake(pauseMs)
      outputs = (await pollForOutputs(operation, context, dependencies)) ?? outputs
    }
  }
  const note = { detail: lastErrorMessage.slice(0, 500), ...noteOfUnusable(context, cost) }
  await failTask(running, dependencies, { code: 'upstream_failed', message: 'The result could not be stored.' }, note)
  return 'done'
}

/** Returns the note for the operator about a job that was completed without a usable result. */
export function noteOfUnusable(
  { request, connection }: Pick<TaskContext, 'request' | 'connection'>,
  cost: AttemptCost | null,
): Pick<AttemptNote, 'cost' | 'unresolved' | 'paidMicroCredits'> {
  return {
    cost,
    unresolved: connection.driver.isStartIdempotent ? null : 'unusable_result',
    paidMicroCredits: costOfJob(connection.cost, requestedJob(request, request.parameters.n ?? 1, cost)),
  }
}

/**
 * Polls the job again, because the URLs of its files may have expired. Returns undefined if there
 * are no new URLs, or if the upstream has requested a pause of all polls.
 */
async function pollForOutputs(
  operation: Operation,
  { running, request, connection }: TaskContext,
  { routes }: Pick<TaskDependencies, 'routes'>,
): Promise<readonly DriverOutput[] | undefined> {
  const pollLimiter = routes.pollLimiterOf(running.attempt.pools?.upstream ?? null)
  if (pollLimiter !== null) {
    const signal = AbortSignal.any([running.signal, AbortSignal.timeout(pollWaitMsMax)])
    if (!pollLimiter.isPaused) await pollLimiter.acquire(true, signal)
    if (pollLimiter.isPaused || running.signal.aborted) return undefined
  }
  const job = { driver: connection.driver, operation, request, pollLimiter }
  const outcome = await pollJob(job, running.signal).catch(() => undefined)
  return outcome?.state === 'succeeded' ? outcome.outputs : undefined
}

function backoffMs(earlierErrorCount: number): number {
  return Math.min(backoffMsMax, retryDelayMs * 2 ** earlierErrorCount)
}

function createCollectOutput(
  { running, request, connection }: TaskContext,
  { collector, clock }: Pick<TaskDependencies, 'collector' | 'clock'>,
): CollectOutput {
  const retentionSeconds = request.simulate?.retention_seconds
  return (output, position, bytesMax) =>
    collector.collect({
      taskId: running.taskId,
      attemptId: running.attemptId,
      object: request.object,
      driver: connection.driver,
      output,
      position,
      bytesMax,
      nowMs: clock(),
      watermarkDesign: request.watermarkDesign,
      retentionMs: retentionSeconds === undefined ? undefined : retentionSeconds * 1000,
      signal: running.signal,
    })
}

/**
 * Returns the results of the collection without their texts. All of them get the expiry of the
 * result that expires last.
 */
function withCommonExpiry({ results }: ResultCollection): StoredResults {
  const expiresAtMs = Math.max(...results.map((result) => result.expiresAtMs))
  const [firstResult, ...furtherResults] = results.map(({ text: _text, ...result }) => ({ ...result, expiresAtMs }))
  if (firstResult === undefined) throw new Error('the job has succeeded without an output')
  return [firstResult, ...furtherResults]
}

/**
 * Stores the text of a text task, which has exactly one result. If the lease is lost, this has no
 * effect, and neither has the completion of the task.
 */
async function recordText(
  { results }: ResultCollection,
  { running }: TaskContext,
  { store }: Pick<TaskDependencies, 'store'>,
): Promise<void> {
  const [firstResult] = results
  if (firstResult?.text !== undefined) await store.recordText(running.claim, firstResult.text)
}

/**
 * Completes the task with these results. `outputCount` is the number of outputs that the upstream
 * charges for, including outputs that were unusable or not fetched. Returns false if the task has
 * ended meanwhile, or if another worker holds its lease.
 */
async function completeWith(
  results: StoredResults,
  { outputCount, cost }: { outputCount: number; cost: AttemptCost | null },
  { running, request, facts, connection }: TaskContext,
  dependencies: TaskDependencies,
): Promise<boolean> {
  const { task } = running.claim
  const producedSeconds = results.map(({ durationMs }) => (durationMs === null ? null : durationMs / 1000))
  const acceptedPrice = { priceNo: task.priceNo, inputs: readBilledInputs(task.parameters) }
  const improvement = readImprovesPrompt(task.parameters)
    ? (await dependencies.store.find(running.taskId))?.improvement
    : undefined
  const improvementCharge =
    improvement?.outcome === 'improved' ? Math.max(0, task.priceMicroCredits - facts.hold(request.parameters, acceptedPrice)) : 0
  const charge = Math.min(
    facts.charge(request.parameters, producedSeconds, acceptedPrice) + improvementCharge,
    task.priceMicroCredits,
  )
  const seconds = request.object === 'video' ? producedSeconds.reduce<number>((sum, duration) => sum + (duration ?? 0), 0) : null
  const jobMicroCredits = costOfJob(connection.cost, { object: request.object, results: outputCount, seconds, reported: cost })
  const paidMicroCredits = improvement?.outcome === 'improved' ? sumOf(jobMicroCredits, improvement.paid) : jobMicroCredits
  return completeTask(running, dependencies, { results, charge, cost, paidMicroCredits })
}

/** Returns null if one of the numbers is unknown. */
function sumOf(first: number | null, second: number | null): number | null {
  return first === null || second === null ? null : first + second
}

/**
 * Removes files that an interrupted collection of the task has stored, except the files of
 * `results`.
 */
async function discardUnused(
  results: StoredResults,
  { running, request, facts }: TaskContext,
  dependencies: Pick<TaskDependencies, 'collector' | 'logger'>,
): Promise<void> {
  const resultsMax = facts.resultsMax(request.parameters)
  if (resultsMax === 1) return
  await dependencies.collector
    .discard(running.taskId, resultsMax, results)
    .catch((error: unknown) =>
      dependencies.logger.error({ err: error }, 'files of an interrupted collection could not be removed'),
    )
}
