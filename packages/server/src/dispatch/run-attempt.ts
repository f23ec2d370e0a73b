import type { Failure } from '../db/task-queue.ts'
import {
  DriverRefusal,
  NotAccepted,
  type DriverOutput,
  type GenerationRequest,
  type Operation,
  type ProviderCost,
} from '../drivers/driver.ts'
import { messageOf } from '../lib/message-of.ts'
import { isOverdue, pollDelayMs } from './poll-delay.ts'
import { pollJob, type JobToPoll } from './poll-job.ts'
import type { RunningTask } from './running-task.ts'
import { LookUpAborted, LostReply, startAttempt, Withdrawn } from './start-attempt.ts'
import { runStage } from './run-stage.ts'
import type { AttemptDependencies } from './attempt-dependencies.ts'
import type { AttemptInput } from './attempt-input.ts'

/** Outcome of an attempt. If it is `stopped`, `RunningTask.stopReason` has the reason. */
export type AttemptEnd =
  | { kind: 'succeeded'; outputs: readonly DriverOutput[]; operation: Operation; cost: ProviderCost | null }
  | {
      kind: 'failed'
      failure: Failure
      detail: string | null
      cost: ProviderCost | null
      mayRetry: boolean
      /** Whether the upstream reported the job as completed, but without a result. */
      isCompletedUpstream: boolean
    }
  /** No job was started, so the upstream charges nothing. */
  | { kind: 'not_accepted'; error: NotAccepted }
  /**
   * No submit was sent, or the upstream does not know the job. `detail` is the error of this
   * service that prevented the submit, or null.
   */
  | { kind: 'withdrawn'; detail: string | null }
  /** It is unknown whether a job was started, so the attempt must not be started again. */
  | { kind: 'lost'; detail: string | null }
  | { kind: 'stopped'; operation: Operation | null }

const embeddedPollMsMin = 500
const upstreamPollMsMin = 2_000

/**
 * Runs an attempt until its outcome is known. Starts the attempt, or resumes it from the state that
 * another process has reached.
 *
 *   startAttempt -> operation committed -> poll ... -> succeeded | failed
 *
 * After a killed process or a lost response, it is unknown whether the submit started a job. With a
 * driver that has `isStartIdempotent`, the attempt is started again. Any other driver looks the job
 * up by the attempt's id. If a driver cannot look jobs up, the attempt is lost, so that no job is
 * paid twice.
 */
export async function runAttempt(
  running: RunningTask,
  input: AttemptInput,
  dependencies: AttemptDependencies,
): Promise<AttemptEnd> {
  const recordedOperation = running.attempt.operation
  let operation: Operation
  try {
    if (recordedOperation !== null) operation = JSON.parse(recordedOperation) as Operation
    else operation = await runStage('start', running, dependencies, () => startInTime(running, input, dependencies))
  } catch (error) {
    return attemptEndOfError(error, running, dependencies)
  }
  // The embedded driver may start the job again during a poll.
  if (!dependencies.connection.driver.isStartIdempotent) input.releaseFiles()
  const { request } = input
  return runStage('generate', running, dependencies, () => pollUntilDone(running, request, operation, dependencies), errorCodeOf)
}

/**
 * Starts the attempt. If the deadline passes while a submit or a look-up that may have started a
 * job waits for its response, the task ends immediately. The outcome of the submit is recorded with
 * the attempt later.
 */
async function startInTime(running: RunningTask, input: AttemptInput, dependencies: AttemptDependencies): Promise<Operation> {
  const { signal } = running
  let ending = Promise.resolve()
  const endIfOverdue = (): void => {
    const mayHaveStarted = !dependencies.connection.driver.isStartIdempotent && running.attempt.state !== 'assigned'
    if (running.stopReason !== 'deadline' || !mayHaveStarted) return
    ending = dependencies.endAtDeadline()
    // The promise is awaited below, when the submit has received a response. Until then, a
    // rejection must not count as unhandled.
    ending.catch(() => {})
  }
  signal.addEventListener('abort', endIfOverdue, { once: true })
  endIfOverdue()
  try {
    return await startAttempt(running, input, dependencies)
  } finally {
    signal.removeEventListener('abort', endIfOverdue)
    await ending
  }
}

function errorCodeOf(end: AttemptEnd): string | null {
  return end.kind === 'failed' ? end.failure.code : null
}

function attemptEndOfError(
  error: unknown,
  running: RunningTask,
  { connection, logger }: Pick<AttemptDependencies, 'connection' | 'logger'>,
): AttemptEnd {
  const mayBeCharged = !connection.driver.isStartIdempotent
  if (error instanceof NotAccepted) return { kind: 'not_accepted', error }
  if (error instanceof Withdrawn) return { kind: 'withdrawn', detail: null }
  if (error instanceof LookUpAborted) return { kind: 'stopped', operation: null }
  if (error instanceof DriverRefusal) {
    const failure: Failure = { code: error.code, message: error.message }
    return { kind: 'failed', failure, detail: error.detail, cost: error.cost, mayRetry: false, isCompletedUpstream: false }
  }
  if (running.stopReason !== null && (!mayBeCharged || running.detachedSignal.aborted))
    return { kind: 'stopped', operation: null }
  logger.error({ err: error }, 'an attempt failed to start')
  if (mayBeCharged && running.attempt.state === 'assigned') return { kind: 'withdrawn', detail: describeError(error) }
  if (mayBeCharged) return { kind: 'lost', detail: describeError(error) }
  const failure: Failure = { code: 'upstream_failed', message: 'The generation could not be started.' }
  return { kind: 'failed', failure, detail: describeError(error), cost: null, mayRetry: true, isCompletedUpstream: false }
}

/** The error message that the operator sees. Errors of drivers contain no secrets. */
function describeError(error: unknown): string {
  const cause = error instanceof LostReply ? error.cause : error
  return (cause instanceof Error ? cause.message : 'the process ended while it submitted the job').slice(0, 500)
}

async function pollUntilDone(
  running: RunningTask,
  request: GenerationRequest,
  operation: Operation,
  dependencies: AttemptDependencies,
): Promise<AttemptEnd> {
  const { connection, clock, routes } = dependencies
  const { driver } = connection
  const pollLimiter = routes.pollLimiterOf(running.attempt.pools?.upstream ?? null)
  const durations = connection.durationsOf(request.model)
  while (running.stopReason === null) {
    const elapsedMs = clock() - running.attempt.startedAtMs
    // The embedded driver wakes the task when the state of its job changes, so no prediction is
    // needed.
    const expected = pollLimiter === null ? null : durations.predict()
    if (pollLimiter !== null) await pollLimiter.acquire(isOverdue(elapsedMs, expected), running.signal)
    if (running.stopReason !== null) break
    const outcome = await pollOnce(running, { driver, operation, request, pollLimiter }, dependencies)
    if (outcome?.state === 'succeeded') {
      durations.add(clock() - running.attempt.startedAtMs)
      return { kind: 'succeeded', outputs: outcome.outputs, operation, cost: outcome.cost ?? null }
    }
    // After a stop, a reported failure may be caused by the stop itself, so it is not the outcome
    // of the job.
    if (running.stopReason !== null) break
    if (outcome?.state === 'failed') {
      const failure: Failure = { code: outcome.code, message: outcome.reason }
      const mayRetry = outcome.retryable && driver.isStartIdempotent
      const { detail = null, cost = null, isCompletedUpstream = false } = outcome
      return { kind: 'failed', failure, detail, cost, mayRetry, isCompletedUpstream }
    }
    if (outcome?.state === 'running' && outcome.progress !== undefined) {
      running.progress = Math.max(running.progress, Math.min(99, Math.floor(outcome.progress)))
    }
    const minMs = driver.isStartIdempotent ? embeddedPollMsMin : upstreamPollMsMin
    await running.pause(pollDelayMs(clock() - running.attempt.startedAtMs, { minMs, expected }, Math.random()))
  }
  return { kind: 'stopped', operation }
}

/**
 * Polls the operation once. Returns undefined if the poll fails: this gives no information about
 * the operation, so polling continues until the deadline.
 */
async function pollOnce(running: RunningTask, job: JobToPoll, { logger }: Pick<AttemptDependencies, 'logger'>) {
  try {
    return await pollJob(job, running.signal)
  } catch (error) {
    if (running.stopReason === null) logger.warn({ reason: messageOf(error) }, 'a poll failed and will be retried')
    return undefined
  }
}
