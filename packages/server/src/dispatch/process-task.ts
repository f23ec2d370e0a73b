import type { AttemptNote, Failure } from '../db/task-queue.ts'
import type { RouteConnection } from '../routing/connection.ts'
import { failTask } from './end-task.ts'
import { prepareInput } from './prepare-input.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import { retryWrite } from './retry-write.ts'
import { runAttempt } from './run-attempt.ts'
import type { RunningTask } from './running-task.ts'
import type { TaskDependencies } from './task-dependencies.ts'
import { deadlineFailure, applyEnd } from './apply-attempt-end.ts'
import { releaseTask, closeUnstarted } from './release-task.ts'

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
 * nothing. Slots that are kept until the job is over are freed at the latest about ten minutes
 * after the end of the task.
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
  const { attempt } = running
  running.deadlineMs = attempt.deadlineMs ?? facts.deadlineMs
  // An attempt whose job may already run at an upstream gets only the remaining time, which also
  // limits the wait for memory. The clock may have been ahead when the attempt was started.
  if (attempt.state !== 'assigned' && !connection.driver.isStartIdempotent)
    running.stopAfter(Math.min(running.deadlineMs, attempt.startedAtMs + running.deadlineMs - clock()))
  try {
    using input = await prepareInput(running, { facts, connection }, dependencies)
    if (input === null) return await endUnprepared(running, dependencies)
    const simulatedSeconds = input.request.simulate?.deadline_seconds
    if (simulatedSeconds !== undefined) running.deadlineMs = simulatedSeconds * 1000
    // An attempt that is started again gets the full time limit.
    if (attempt.state !== 'assigned' && connection.driver.isStartIdempotent) running.stopAfter(running.deadlineMs)
    const endAtDeadline = () => endBeforeResponse(running, dependencies)
    const attemptEnd = await runAttempt(running, input, { ...dependencies, connection, endAtDeadline })
    await applyEnd(attemptEnd, { running, request: input.request, facts, connection }, dependencies)
  } finally {
    running.cancelDeadline()
  }
}

/** Handles work that was stopped before the input of the attempt was read. */
async function endUnprepared(running: RunningTask, dependencies: TaskDependencies): Promise<void> {
  if (running.stopReason !== 'deadline') return releaseTask(running, dependencies)
  await retryWrite(running, dependencies, () => failTask(running, dependencies, deadlineFailure, unresolvedNote(running)))
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
 * Ends the task before its submit has received a response. The slots of the attempt stay occupied
 * until the outcome of the submit is known, but at most for about ten minutes.
 */
async function endBeforeResponse(running: RunningTask, dependencies: TaskDependencies): Promise<void> {
  const hasEnded = await retryWrite(running, dependencies, async () => {
    if (await failTask(running, dependencies, deadlineFailure, { unresolved: 'overdue' })) return true
    const task = await dependencies.store.find(running.claim.id)
    return task === undefined || task.endedAtMs !== null
  })
  running.stopReason = hasEnded ? 'ended' : 'lease_lost'
}
