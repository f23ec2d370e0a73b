import type { Store } from '../db/store.ts'
import type { AttemptEnding, AttemptNote, Failure } from '../db/task-queue.ts'
import type { GenerationRequest, NotAccepted, Operation } from '../drivers/driver.ts'
import { taskNoOf } from '../identity/task-id.ts'
import { unreachable } from '../lib/unreachable.ts'
import type { RouteConnection } from '../routing/connection.ts'
import { costOfFailedJob } from '../routing/route-cost.ts'
import { readImprovesPrompt, readParameters } from '../tasks/parameters-text.ts'
import { failTask } from './end-task.ts'
import { improvePrompt } from './improve-prompt.ts'
import { finishAttempt, noteOfUnusable } from './finish-attempt.ts'
import type { ModelFacts } from './model-facts.ts'
import { pollJob } from './poll-job.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import { retryWrite } from './retry-write.ts'
import { runAttempt, type AttemptEnd } from './run-attempt.ts'
import type { RunningTask } from './running-task.ts'
import type { TaskContext, TaskDependencies } from './task-dependencies.ts'

const attemptsMax = 3
const retryDelayMs = 1_000
const deadlineFailure: Failure = { code: 'upstream_timeout', message: 'The generation exceeded its time limit.' }
/**
 * Maximum number of times that an attempt is resumed. After that, the task is assumed to crash its
 * workers.
 */
const resumesMax = 100

/**
 * Runs a claimed task to completion, or until another worker takes over.
 *
 *   end of the attempt     task                                    its slots
 *   succeeded              completed                               freed
 *   failed                 queued again if a retry costs nothing,  freed
 *                          up to three attempts; otherwise failed
 *   not_accepted           queued again                            freed
 *     unsuitable           queued again for its other routes;      freed
 *                          failed if none is left
 *   withdrawn              queued again                            freed
 *   lost                   failed: lost_upstream                   freed
 *   stopped: deadline      failed: upstream_timeout                freed once the job is over
 *            ended         has ended already                       freed once the job is over
 *            closing       continued by the next claim             kept
 *            lease_lost    continued by another worker             kept
 *
 * Each of these is one commit. A commit that finds the lease lost or the task ended changes
 * nothing.
 */
export async function processTask(running: RunningTask, dependencies: TaskDependencies): Promise<void> {
  const { store, clock } = dependencies
  const { claim } = running
  // The task may have been cancelled since the commit of the claim. A new attempt at an upstream
  // needs no read here, because `beginAttempt` does not begin the attempt of a task that has ended.
  const isNewAtUpstream = !claim.attempt.resumed && claim.attempt.pools !== null
  const task = isNewAtUpstream
    ? (store.peek(claim.id) ?? claim.task)
    : await retryWhileUnavailable(running, () => store.find(claim.id))
  if (task === null) return releaseTask(running, dependencies)
  if (task === undefined || task.endedAtMs !== null)
    return running.attempt.resumed ? undefined : closeUnstarted(running, dependencies)
  const facts = await retryWhileUnavailable(running, async () =>
    dependencies.findModelFacts(claim.task.model, claim.task.modelVersionNo),
  )
  if (facts === null) return releaseTask(running, dependencies)
  if (facts === undefined) {
    await failTask(
      running,
      dependencies,
      { code: 'upstream_failed', message: 'The model is no longer offered.' },
      unresolvedNote(running),
    )
    return
  }
  if (claim.attempt.timesResumed > resumesMax) {
    const failure: Failure = { code: 'upstream_failed', message: `The generation was interrupted more than ${resumesMax} times.` }
    await failTask(running, dependencies, failure, unresolvedNote(running))
    return
  }
  const connection = await openConnection(running, dependencies)
  if (connection === undefined) return
  const request = await prepareRequest(running, facts, dependencies)
  if (request === null) return releaseTask(running, dependencies)
  const { attempt } = running
  running.deadlineMs =
    request.simulate?.deadline_seconds === undefined
      ? (attempt.deadlineMs ?? facts.deadlineMs)
      : request.simulate.deadline_seconds * 1000
  // An attempt that is started again gets the full time limit. An attempt whose job already runs at
  // an upstream gets only the remaining time.
  const startedAtMs = connection.driver.isStartIdempotent ? clock() : attempt.startedAtMs
  // The remaining time is limited to the full time limit, because the clock may have been ahead
  // when the attempt was started.
  if (attempt.state !== 'assigned') running.stopAfter(Math.min(running.deadlineMs, startedAtMs + running.deadlineMs - clock()))
  try {
    const endAtDeadline = () => endBeforeResponse(running, dependencies)
    const attemptEnd = await runAttempt(running, request, { ...dependencies, connection, endAtDeadline })
    await applyEnd(attemptEnd, { running, request, facts, connection }, dependencies)
  } finally {
    running.cancelDeadline()
  }
}

/**
 * Returns the note for the operator about a task that ends while its job may still run at the
 * upstream.
 */
function unresolvedNote({ attempt }: RunningTask): Pick<AttemptNote, 'unresolved'> {
  if (!attempt.resumed || attempt.pools === null) return { unresolved: null }
  return { unresolved: attempt.operation === null ? 'lost_reply' : 'overdue' }
}

/**
 * Returns the connection of the attempt. If there is none, fails the task and returns undefined. If
 * the work was stopped, releases the claim and returns undefined.
 */
async function openConnection(running: RunningTask, dependencies: TaskDependencies): Promise<RouteConnection | undefined> {
  const { routes, logger } = dependencies
  const { snapshotNo } = running.attempt
  const existingConnection = routes.connection(snapshotNo)
  if (existingConnection !== undefined) return existingConnection
  const connection = await retryWhileUnavailable(running, () => routes.connect(snapshotNo))
  if (connection === null) await releaseTask(running, dependencies)
  if (connection !== undefined) return connection ?? undefined
  logger.error({ routeSnapshot: snapshotNo }, 'the route of an attempt can no longer be used')
  const lostUpstream: Failure = {
    code: 'lost_upstream',
    message: 'The generation was started, but its status can no longer be queried.',
  }
  await failTask(running, dependencies, lostUpstream, { unresolved: 'lost_reply', detail: 'the route was removed' })
  return undefined
}

/**
 * Releases the claim if the service closes. Closes the attempt if it is new and its task has ended.
 * Called only if this process has not started a job of the attempt.
 */
async function releaseTask(running: RunningTask, dependencies: TaskDependencies): Promise<void> {
  if (running.stopReason === 'closing') await dependencies.store.release([running.claim])
  else if (running.stopReason === 'ended' && !running.attempt.resumed) await closeUnstarted(running, dependencies)
}

/**
 * Closes an attempt whose task has ended meanwhile. No job was started, so no operator needs to
 * review it.
 */
async function closeUnstarted(running: RunningTask, dependencies: TaskDependencies): Promise<void> {
  const { claim, attempt } = running
  await retryWrite(running, dependencies, async () => {
    await dependencies.unresolved.close(claim.id, attempt.number, 'never_started')
    if (attempt.pools !== null) await dependencies.store.releaseSlot(claim.id, attempt.number)
  })
}

/** Returns the input of the attempt, or null if the work was stopped. */
async function prepareRequest(
  running: RunningTask,
  facts: ModelFacts,
  dependencies: TaskDependencies,
): Promise<GenerationRequest | null> {
  const { claim, attemptId } = running
  const { findWatermarkDesign } = dependencies
  const { simulate = null, ...parameters } = readParameters(claim.task.parameters, claim.images)
  if (readImprovesPrompt(claim.task.parameters)) {
    const prompt = await improvePrompt(running, { parameters, facts, simulate }, dependencies)
    if (prompt === null) return null
    parameters.prompt = prompt
  }
  const { model, object, accountNo } = claim.task
  const request: GenerationRequest = { attemptId, model, object, size: facts.size(parameters), parameters, simulate }
  if (parameters.watermark !== true || findWatermarkDesign === undefined) return request
  const watermarkDesign = await retryWhileUnavailable(running, () => findWatermarkDesign(accountNo))
  return watermarkDesign === null ? null : { ...request, watermarkDesign }
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
    return isWritten || running.stopReason !== 'ended' ? undefined : closeUnstarted(running, dependencies)
  }
  const ending = { state: 'not_accepted', reason: 'The upstream cannot serve this request.', detail, lane } as const
  const isWritten = await retryWrite(running, dependencies, () => store.requeue(claim, ending, clock()))
  if (!isWritten && running.stopReason === 'ended') await closeUnstarted(running, dependencies)
}

async function readLane(taskId: string, { database }: Pick<Store, 'database'>): Promise<number> {
  const { lane } = await database.selectFrom('tasks').select('lane').where('no', '=', taskNoOf(taskId)).executeTakeFirstOrThrow()
  return lane
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
  if (!isWritten && running.stopReason === 'ended') await closeUnstarted(running, dependencies)
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

/**
 * Ends the task before its submit has received a response. The slot of the attempt stays occupied
 * until the outcome of the submit is known.
 */
async function endBeforeResponse(running: RunningTask, dependencies: TaskDependencies): Promise<void> {
  const hasEnded = await retryWrite(running, dependencies, async () => {
    if (await failTask(running, dependencies, deadlineFailure, { unresolved: 'overdue' })) return true
    const task = await dependencies.store.find(running.claim.id)
    return task === undefined || task.endedAtMs !== null
  })
  running.stopReason = hasEnded ? 'ended' : 'lease_lost'
}

async function applyEnd(attemptEnd: AttemptEnd, context: TaskContext, dependencies: TaskDependencies): Promise<void> {
  const { store, clock } = dependencies
  const { running, connection } = context
  switch (attemptEnd.kind) {
    case 'not_accepted':
      return handleRefused(attemptEnd.error, context, dependencies)
    case 'withdrawn':
      return handleWithdrawn(running, attemptEnd.detail, dependencies)
    case 'succeeded':
      if ((await finishAttempt(attemptEnd, context, dependencies)) === 'stopped')
        await handleStopped(context, attemptEnd.operation, dependencies)
      return
    case 'failed': {
      const { failure, detail, cost, mayRetry, isCompletedUpstream } = attemptEnd
      if (mayRetry && running.attempt.failedBefore + 1 < attemptsMax) {
        await store.requeue(running.claim, { state: 'failed', reason: failure.message, detail }, clock() + retryDelayMs)
        return
      }
      const note = isCompletedUpstream
        ? { detail, ...noteOfUnusable(context, cost) }
        : { detail, cost, paidMicroCredits: costOfFailedJob(connection.cost, cost) }
      const isWritten = await retryWrite(running, dependencies, () => failTask(running, dependencies, failure, note))
      return isWritten || running.stopReason !== 'ended' ? undefined : closeUnstarted(running, dependencies)
    }
    case 'lost': {
      const message = 'It is unknown whether the generation was started, so it is not started again.'
      const note = { unresolved: connection.driver.isStartIdempotent ? null : ('lost_reply' as const), detail: attemptEnd.detail }
      const failure: Failure = { code: 'lost_upstream', message }
      const isWritten = await retryWrite(running, dependencies, () => failTask(running, dependencies, failure, note))
      if (isWritten || running.stopReason !== 'ended') return
      await dependencies.unresolved.recordLostReply(running.claim.id, running.attempt.number, attemptEnd.detail)
      return store.releaseSlot(running.claim.id, running.attempt.number)
    }
    case 'stopped':
      return handleStopped(context, attemptEnd.operation, dependencies)
    default:
      return unreachable(attemptEnd)
  }
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
      // A job at an upstream must not be cancelled, because the other worker continues it. A render
      // of this process is of no further use and is cancelled, unless a new claim in this same
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
