import { setTimeout as sleep } from 'node:timers/promises'
import { DriverRefusal, NotAccepted, type Driver, type GenerationRequest, type Operation } from '../drivers/driver.ts'
import { messageOf } from '../lib/message-of.ts'
import { leaseMs } from './lease.ts'
import { retryWrite } from './retry-write.ts'
import type { AttemptDependencies } from './attempt-dependencies.ts'
import type { AttemptInput } from './attempt-input.ts'
import type { RunningTask } from './running-task.ts'
import { sleepUntilAborted } from '../lib/sleep-until-aborted.ts'

type FindJob = NonNullable<Driver['find']>

/** Delay before a failed look-up is retried. For a throttled look-up, this is the minimum delay. */
const lookUpRetryMs = 1_000
/**
 * Maximum number of look-ups for a task that an operator has released from hold. Another
 * installation with the same data, such as the one that was backed up, may have started its job.
 */
const releasedLookUpsMax = 3
/**
 * Maximum length of an operation (the driver's record of a job) as JSON. An operation with the
 * longest possible URLs of all results has half of this length. A job with a longer operation, such
 * as an id of a megabyte, could be neither polled nor listed.
 */
const operationCharactersMax = 256 * 1024
/** Interval at which `waitUntilUnpaused` checks whether a pause has ended early. */
const pauseCheckMs = 60_000

/**
 * Thrown if no job was started:
 *
 *   missed             at the commit of `beginAttempt`, the task had ended or its lease was lost
 *   paused             at that commit, the route or its upstream was paused, or had too many
 *                      unconfirmed attempts
 *   stopped            the work on the task stopped before the submit
 *   unknown_upstream   the upstream does not know the attempt
 */
export class Withdrawn extends Error {
  override readonly name = 'Withdrawn'
  readonly reason: 'missed' | 'paused' | 'stopped' | 'unknown_upstream'

  constructor(reason: Withdrawn['reason']) {
    super(`the attempt was withdrawn: ${reason}`)
    this.reason = reason
  }
}

/**
 * Thrown if it is unknown whether a job was started, because the driver cannot look jobs up, the
 * look-ups were inconclusive, or the task ended or reached its deadline before a look-up.
 */
export class LostReply extends Error {
  override readonly name = 'LostReply'

  constructor(cause: unknown) {
    super('the response to the start was lost', { cause })
  }
}

/**
 * Thrown if the service closes or the lease is lost before the job was found. Another process will
 * look the job up.
 */
export class LookUpAborted extends Error {
  override readonly name = 'LookUpAborted'
}

/**
 * Starts the attempt, or finds the job of an earlier start.
 *
 *   assigned -> driver.start uploads inputs and waits for a connection
 *            -> `beginAttempt` is committed -> the submit is sent -> operation committed
 *
 * Before the commit of `beginAttempt` no job can exist, so the attempt may be withdrawn, or started
 * again by any process. After that commit only the end of the process interrupts the submit. A
 * driver with `isStartIdempotent` skips `beginAttempt`. Throws `Withdrawn`, `NotAccepted`,
 * `DriverRefusal`, `LostReply`, `LookUpAborted`, or any other error that prevented the start, such
 * as that of a failed upload.
 */
export async function startAttempt(
  running: RunningTask,
  input: AttemptInput,
  dependencies: AttemptDependencies,
): Promise<Operation> {
  const { driver } = dependencies.connection
  if (driver.isStartIdempotent) {
    const context = { signal: running.signal, beforeSubmit: () => Promise.resolve() }
    return recordOperation(running, await driver.start(input.request, context), dependencies)
  }
  if (running.attempt.resumed) return findJob(running, input, dependencies)
  if (running.attempt.mustFindJob === true) {
    const releasedTaskJob = await findReleasedTaskJob(running, input.request, dependencies)
    if (releasedTaskJob !== null) return recordOperation(running, releasedTaskJob, dependencies)
  }
  let operation: Operation
  try {
    operation = await driver.start(input.request, submitContext(running, dependencies))
  } catch (error) {
    if (error instanceof DriverRefusal || error instanceof NotAccepted || error instanceof Withdrawn) throw error
    if (running.attempt.state === 'assigned') {
      if (running.stopReason !== null) throw new Withdrawn('stopped')
      throw error
    }
    if (running.detachedSignal.aborted) throw error
    await dependencies.routes.health.recordNoResponse(running.attempt, error)
    const next = driver.find === undefined ? 'the upstream has no look-up of jobs' : 'the job is looked up at the upstream'
    dependencies.logger.warn({ reason: messageOf(error) }, `the response to a submit was lost; ${next}`)
    return findJob(running, input, dependencies, error)
  }
  return recordOperation(running, operation, dependencies)
}

/**
 * Finds the job that another installation with the same data has started for the same attempt.
 * Returns null if there is no job, if the driver cannot look the job up without a submit, or if the
 * look-ups fail. In the last two cases, the upstream may charge for a second job. The operator has
 * accepted this risk by releasing the task.
 */
async function findReleasedTaskJob(
  running: RunningTask,
  request: GenerationRequest,
  dependencies: AttemptDependencies,
): Promise<Operation | null> {
  const { driver } = dependencies.connection
  if (driver.find === undefined || driver.findsBySubmitting === true) return null
  const releasedTaskJob = await lookUpReleasedTaskJob(running, request, driver.find.bind(driver), dependencies)
  if (releasedTaskJob === null) return null
  dependencies.logger.info('the job of a released task was found at the upstream, so no second job is started')
  await submitContext(running, dependencies).beforeSubmit()
  return releasedTaskJob
}

async function lookUpReleasedTaskJob(
  running: RunningTask,
  request: GenerationRequest,
  find: FindJob,
  { logger }: Pick<AttemptDependencies, 'logger'>,
): Promise<Operation | null> {
  for (let lookUpCount = 1; ; lookUpCount++) {
    try {
      return await find(request, running.signal)
    } catch (error) {
      // The attempt will be started again after the pause caused by this error.
      if (error instanceof NotAccepted) throw error
      if (running.stopReason !== null) throw new Withdrawn('stopped')
      logger.warn({ reason: messageOf(error) }, 'the job of a released task could not be looked up at the upstream')
      if (lookUpCount === releasedLookUpsMax) return null
      await sleepUntilAborted(lookUpRetryMs, running.signal)
      if (running.stopReason !== null) throw new Withdrawn('stopped')
    }
  }
}

/**
 * Returns the abort signal and the function `beforeSubmit` for a start. Until `beforeSubmit`
 * resolves, any stop of the work aborts the start. Afterwards, only the end of the process aborts
 * it.
 */
function submitContext(running: RunningTask, { store, clock }: Pick<AttemptDependencies, 'store' | 'clock'>) {
  const startController = new AbortController()
  const abort = (): void => {
    if (running.attempt.state === 'assigned' || running.detachedSignal.aborted) startController.abort(new Withdrawn('stopped'))
  }
  running.signal.addEventListener('abort', abort, { once: true })
  running.detachedSignal.addEventListener('abort', abort, { once: true })
  async function beforeSubmit(): Promise<void> {
    if (running.attempt.state !== 'assigned') return
    if (running.stopReason !== null) throw new Withdrawn('stopped')
    const outcome = await store.beginAttempt(running.claim, running.attempt.number).catch((error: unknown) => {
      running.isBeginUnknown = true
      throw error
    })
    if (outcome !== 'begun') throw new Withdrawn(outcome)
    running.begin(clock())
    // The commit succeeded, but may have taken so much time that another worker could claim the
    // task. Nothing was sent yet, so this attempt can still be withdrawn.
    if (running.stopReason !== null || clock() - running.renewedAtMs >= leaseMs) throw new Withdrawn('stopped')
  }
  return { signal: startController.signal, beforeSubmit }
}

async function recordOperation(
  running: RunningTask,
  operation: Operation,
  dependencies: AttemptDependencies,
): Promise<Operation> {
  const { store, routes, connection } = dependencies
  const { claim, attempt } = running
  const operationText = JSON.stringify(operation)
  if (operationText.length > operationCharactersMax && !connection.driver.isStartIdempotent)
    throw new LostReply(new Error(`the operation of the job has more than ${operationCharactersMax} characters`))
  const write = () => store.recordOperation(claim, attempt.number, operationText)
  const isRecorded = await (connection.driver.isStartIdempotent ? write() : retryWrite(running, dependencies, write))
  if (attempt.pools !== null) await routes.health.recordAccepted(attempt.pools)
  if (!isRecorded) running.stop('lease_lost')
  return operation
}

async function findJob(
  running: RunningTask,
  input: AttemptInput,
  dependencies: AttemptDependencies,
  startError: unknown = null,
): Promise<Operation> {
  const { driver } = dependencies.connection
  const find = driver.find?.bind(driver)
  if (find === undefined) throw new LostReply(startError)
  if (driver.findsBySubmitting !== true) input.releaseFiles()
  const { request } = input
  await markReplyLost(running, dependencies)
  let error: unknown = startError
  let notFoundCount = 0
  for (const waitMs of dependencies.findDelaysMs) {
    if (driver.findsBySubmitting === true) await waitUntilUnpaused(waitMs, running, dependencies, error)
    else await waitToFind(waitMs, running)
    try {
      const job = await findOnce(running, request, find, dependencies)
      if (job !== null) return await recordOperation(running, job, dependencies)
      notFoundCount++
    } catch (cause) {
      if (cause instanceof LostReply || cause instanceof LookUpAborted) throw cause
      notFoundCount = 0
      error = cause
      dependencies.logger.warn({ reason: messageOf(cause) }, 'a job could not be looked up at the upstream')
    }
  }
  // One look-up without a match is not enough, because the upstream may not have recorded the job
  // yet.
  if (notFoundCount >= 2) throw new Withdrawn('unknown_upstream')
  throw new LostReply(error)
}

/**
 * Looks the job up. A throttled look-up gives no information about the job, so it is retried after
 * the pause that it causes.
 */
async function findOnce(
  running: RunningTask,
  request: GenerationRequest,
  find: FindJob,
  dependencies: AttemptDependencies,
): Promise<Operation | null> {
  for (;;) {
    try {
      return await find(request, running.detachedSignal)
    } catch (error) {
      if (!(error instanceof NotAccepted)) throw error
      dependencies.logger.warn({ reason: error.message }, 'a look-up of a job was throttled')
      await dependencies.routes.health.recordRefused(running.attempt, error)
      await waitUntilUnpaused(lookUpRetryMs, running, dependencies, error)
    }
  }
}

/**
 * Records that the response to the submit was lost, so that other submits do not wait for the
 * look-up, which may take minutes.
 */
async function markReplyLost(
  { claim, attempt }: RunningTask,
  { store, logger }: Pick<AttemptDependencies, 'store' | 'logger'>,
): Promise<void> {
  await store
    .markReplyLost(claim.id, attempt.number)
    .catch((error: unknown) =>
      logger.warn({ err: error }, 'could not record that a response was lost; other submits wait for the look-up'),
    )
}

/**
 * Waits for `ms`, and then until neither the route nor its upstream is paused. Throws if the work
 * stops: `LostReply` if the task has ended or is overdue, otherwise `LookUpAborted`.
 */
async function waitUntilUnpaused(
  ms: number,
  running: RunningTask,
  { routes }: Pick<AttemptDependencies, 'routes'>,
  cause: unknown,
): Promise<void> {
  const { signal, closingSignal, detachedSignal, attempt } = running
  const stopSignal = AbortSignal.any([signal, closingSignal, detachedSignal])
  for (
    let remainingMs = ms;
    remainingMs > 0;
    remainingMs = attempt.pools === null ? 0 : routes.health.remainingPauseMs(attempt.pools)
  ) {
    await sleepUntilAborted(Math.min(remainingMs, pauseCheckMs), stopSignal)
    if (!stopSignal.aborted) continue
    const hasEnded = running.stopReason === 'ended' || running.stopReason === 'deadline'
    throw hasEnded ? new LostReply(cause) : new LookUpAborted('another process looks up the job')
  }
}

/**
 * Waits before a look-up. A shutdown ends the wait, because the process that resumes the attempt
 * looks the job up instead.
 */
async function waitToFind(ms: number, { detachedSignal, closingSignal }: RunningTask): Promise<void> {
  try {
    await sleep(ms, undefined, { signal: AbortSignal.any([detachedSignal, closingSignal]) })
  } catch (cause) {
    throw new LookUpAborted('the service closes', { cause })
  }
}
