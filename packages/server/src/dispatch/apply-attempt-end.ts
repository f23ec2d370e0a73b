import type { Store } from '../db/store.ts'
import type { AttemptCost, AttemptEnding, Failure } from '../db/task-queue.ts'
import type { NotAccepted, Operation } from '../drivers/driver.ts'
import { taskNoOf } from '../identity/task-id.ts'
import { unreachable } from '../lib/unreachable.ts'
import { costOfFailedJob } from '../routing/route-cost.ts'
import { failTask } from './end-task.ts'
import { finishAttempt, noteOfUnusable } from './finish-attempt.ts'
import { pollJob } from './poll-job.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import { retryWrite } from './retry-write.ts'
import type { AttemptEnd } from './run-attempt.ts'
import type { RunningTask } from './running-task.ts'
import type { TaskContext, TaskDependencies } from './task-dependencies.ts'
import { closeIfEnded, closeUnstarted, releaseTask } from './release-task.ts'

const attemptsMax = 3
const retryDelayMs = 1_000

export const deadlineFailure: Failure = { code: 'upstream_timeout', message: 'The generation exceeded its time limit.' }

/** Writes the outcome of an attempt, by the table at `processTask`. */
export async function applyEnd(attemptEnd: AttemptEnd, context: TaskContext, dependencies: TaskDependencies): Promise<void> {
  switch (attemptEnd.kind) {
    case 'not_accepted':
      return handleRefused(attemptEnd.error, context, dependencies)
    case 'withdrawn':
      return handleWithdrawn(context.running, attemptEnd.detail, dependencies)
    case 'succeeded':
      if ((await finishAttempt(attemptEnd, context, dependencies)) === 'stopped')
        await handleStopped(context, attemptEnd.operation, dependencies)
      return
    case 'failed':
      return handleFailed(attemptEnd, context, dependencies)
    case 'lost':
      return handleLost(attemptEnd.detail, context, dependencies)
    case 'stopped':
      return handleStopped(context, attemptEnd.operation, dependencies)
    default:
      return unreachable(attemptEnd)
  }
}

/** Handles a rejected submit. No job was started, and the task waits for a route again. */
async function handleRefused(error: NotAccepted, context: TaskContext, dependencies: TaskDependencies): Promise<void> {
  if (error.reason === 'unsuitable') return handleUnsuitable(error, context, dependencies)
  const { running } = context
  const { store, routes, clock } = dependencies
  const { claim, attempt } = running
  await routes.health.recordRefused(attempt, error)
  const isThrottled = error.reason === 'throttled'
  const ending: AttemptEnding = {
    state: 'not_accepted',
    reason: isThrottled ? 'The upstream was at capacity.' : 'The upstream could not be used.',
    detail: error.message,
    movesToBack: !isThrottled,
  }
  const isWritten = await retryWrite(running, dependencies, () => store.requeue(claim, ending, clock()))
  if (!isWritten) await closeIfEnded(running, dependencies)
}

/**
 * Handles a request that the route cannot serve, although the route works. The route is not paused.
 * The task waits for the other routes that can serve it, or fails if there are none.
 */
async function handleUnsuitable(
  error: NotAccepted,
  { running, request }: TaskContext,
  dependencies: TaskDependencies,
): Promise<void> {
  const { store, routes, clock } = dependencies
  const { claim, attempt } = running
  const currentLane = await retryWhileUnavailable(running, () => readLane(claim.id, store))
  if (currentLane === null) return releaseTask(running, dependencies)
  const lane = attempt.pools === null ? null : routes.placeAfterRefusal(attempt.pools.route, request.model, request, currentLane)
  const detail = error.message
  if (lane === null) {
    const message = 'The input could not be used; change the prompt, the images or the parameters.'
    const isWritten = await failTask(running, dependencies, { code: 'invalid_input', message }, { detail })
    return isWritten ? undefined : closeIfEnded(running, dependencies)
  }
  const ending = { state: 'not_accepted', reason: 'The upstream cannot serve this request.', detail, lane } as const
  const isWritten = await retryWrite(running, dependencies, () => store.requeue(claim, ending, clock()))
  if (!isWritten) await closeIfEnded(running, dependencies)
}

async function readLane(taskId: string, { database }: Pick<Store, 'database'>): Promise<number> {
  const { lane } = await database.selectFrom('tasks').select('lane').where('no', '=', taskNoOf(taskId)).executeTakeFirstOrThrow()
  return lane
}

/**
 * Handles an attempt that was not sent, or whose job the upstream does not know. The route is not
 * paused. `detail` is the error of this service that prevented the submit, if any.
 */
async function handleWithdrawn(running: RunningTask, detail: string | null, dependencies: TaskDependencies): Promise<void> {
  const { store, clock } = dependencies
  if (running.stopReason === 'ended') return closeUnstarted(running, dependencies)
  if (running.stopReason === 'lease_lost') return
  const isAssigned = running.attempt.state === 'assigned' && !running.isBeginUnknown
  if (isAssigned && detail === null) return store.release([running.claim])
  const delayMs = detail === null ? 0 : retryDelayMs
  const ending: AttemptEnding = {
    state: 'not_accepted',
    reason: 'The request was not sent.',
    detail,
    movesToBack: detail !== null,
  }
  await retryWrite(running, dependencies, () => store.requeue(running.claim, ending, clock() + delayMs))
}

/** Retries a failed attempt if that costs nothing, up to three attempts. Otherwise fails the task. */
async function handleFailed(
  { failure, detail, cost, mayRetry, isCompletedUpstream }: Extract<AttemptEnd, { kind: 'failed' }>,
  context: TaskContext,
  dependencies: TaskDependencies,
): Promise<void> {
  const { running, connection } = context
  const { store, clock } = dependencies
  if (mayRetry && running.attempt.failedBefore + 1 < attemptsMax) {
    await store.requeue(running.claim, { state: 'failed', reason: failure.message, detail }, clock() + retryDelayMs)
    return
  }
  const note = isCompletedUpstream
    ? { detail, ...noteOfUnusable(context, cost) }
    : { detail, cost, paidMicroCredits: costOfFailedJob(connection.cost, cost) }
  const isWritten = await retryWrite(running, dependencies, () => failTask(running, dependencies, failure, note))
  if (isWritten) return
  if (running.stopReason === 'ended' && !isCompletedUpstream && note.paidMicroCredits !== 0)
    await closeFailed(note.paidMicroCredits, cost, context, dependencies)
  else await closeIfEnded(running, dependencies)
}

/** Closes an attempt with a cost whose task has ended meanwhile. Its job has failed. */
async function closeFailed(
  paidMicroCredits: number | null,
  cost: AttemptCost | null,
  { running, connection }: TaskContext,
  dependencies: TaskDependencies,
): Promise<void> {
  const { claim, attempt } = running
  await retryWrite(running, dependencies, async () => {
    await dependencies.unresolved.close(claim.id, attempt.number, 'ended_without_result', { cost, paidMicroCredits })
    await dependencies.store.releaseSlot(claim.id, attempt.number)
  })
  const { model } = claim.task
  dependencies.telemetry.attemptPaid({ model, route: connection.name, microCredits: paidMicroCredits })
}

/** Fails a task for whose attempt it is unknown whether a job was started. */
async function handleLost(
  detail: string | null,
  { running, connection }: TaskContext,
  dependencies: TaskDependencies,
): Promise<void> {
  const message = 'It is unknown whether the generation was started, so it is not started again.'
  const note = { unresolved: connection.driver.isStartIdempotent ? null : ('lost_reply' as const), detail }
  const failure: Failure = { code: 'lost_upstream', message }
  const isWritten = await retryWrite(running, dependencies, () => failTask(running, dependencies, failure, note))
  if (isWritten || running.stopReason !== 'ended') return
  await dependencies.unresolved.recordLostReply(running.claim.id, running.attempt.number, detail)
  await dependencies.store.releaseSlot(running.claim.id, running.attempt.number)
}

async function handleStopped(context: TaskContext, operation: Operation | null, dependencies: TaskDependencies): Promise<void> {
  const { running, connection } = context
  const { driver } = connection
  switch (running.stopReason) {
    case 'ended':
      return cancelJob(context, operation, dependencies)
    case 'deadline':
      await failTask(running, dependencies, deadlineFailure, { unresolved: driver.isStartIdempotent ? null : 'overdue' })
      return cancelJob(context, operation, dependencies)
    case 'closing':
      return dependencies.store.release([running.claim])
    case 'lease_lost':
      // A job at an upstream must not be cancelled, because the other worker continues it. A job of
      // the embedded driver runs in this process and is cancelled, unless a new claim of this
      // process continues it.
      if (driver.isStartIdempotent && !running.isReplaced) await cancelJob(context, operation, dependencies)
      return
    case null:
      throw new Error('the work stopped without a reason')
    default:
      return unreachable(running.stopReason)
  }
}

/**
 * Cancels the job at the upstream and polls it once. If the upstream reports the end of the job,
 * the slot is released immediately. Otherwise, `watch-overdue.ts` releases it later.
 */
async function cancelJob(
  { running, request, connection }: TaskContext,
  operation: Operation | null,
  dependencies: Pick<TaskDependencies, 'routes' | 'store'>,
): Promise<void> {
  if (operation === null) return
  const { driver } = connection
  const { attempt, claim, closingSignal, detachedSignal } = running
  await driver.cancel?.(operation, request)
  const pollLimiter = dependencies.routes.pollLimiterOf(attempt.pools?.upstream ?? null)
  if (attempt.pools === null || pollLimiter?.isPaused === true) return
  await pollLimiter?.acquire(true, closingSignal)
  if (closingSignal.aborted) return
  const outcome = await pollJob({ driver, operation, request, pollLimiter }, detachedSignal).catch(() => null)
  if (outcome?.state === 'failed' || outcome?.state === 'succeeded')
    await dependencies.store.releaseSlot(claim.id, attempt.number)
}
