import type { Store } from '../db/store.ts'
import { DriverRefusal, type Driver, type DriverOutput, type Job, type Operation } from '../drivers/driver.ts'
import type { Failure } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { pollDelayMs } from './poll-delay.ts'
import type { RunningTask } from './running-task.ts'

/** How an attempt ended. `stopped`: somebody told us to stop; `RunningTask.stopReason` says why. */
export type AttemptEnd =
  | { kind: 'succeeded'; output: DriverOutput; operation: Operation }
  | { kind: 'failed'; failure: Failure; mayRepeat: boolean }
  | { kind: 'stopped'; operation: Operation | null }

export interface AttemptTools {
  store: Pick<Store, 'recordOperation'>
  driver: Driver
  clock: Clock
  logger: Logger
}

/**
 * Carries one attempt from its start, or from where another process left it, to the driver's last word.
 *
 *   'starting' committed by the claim -> driver.start -> operation committed -> poll ... -> succeeded | failed
 *
 * If we are killed between start and commit, the attempt is found again as 'starting': a driver that starts again freely
 * is started again; with any other we cannot know whether it accepted, and never pay twice: the attempt is lost.
 */
export async function runAttempt(running: RunningTask, job: Job, tools: AttemptTools): Promise<AttemptEnd> {
  let operation: Operation | null = null
  try {
    operation = await startOrResume(running, job, tools)
    return operation === null ? lost() : await pollToTheEnd(running, job, operation, tools)
  } catch (error) {
    if (running.stopReason !== null) return { kind: 'stopped', operation }
    if (error instanceof DriverRefusal) {
      return { kind: 'failed', failure: { code: error.code, message: error.message }, mayRepeat: false }
    }
    tools.logger.error({ err: error, task: job.attemptId }, 'an attempt failed to start')
    if (tools.driver.startsAgainFreely) {
      return {
        kind: 'failed',
        failure: { code: 'upstream_failed', message: 'The generation could not be started.' },
        mayRepeat: true,
      }
    }
    return lost()
  }
}

/** Null when nobody can know whether the driver has accepted. */
async function startOrResume(running: RunningTask, job: Job, { store, driver }: AttemptTools): Promise<Operation | null> {
  const { attempt } = running.claim
  if (attempt.operation !== null) return JSON.parse(attempt.operation) as Operation
  if (attempt.resumed && !driver.startsAgainFreely) return null
  const operation = await driver.start(job, running.signal)
  const kept = await store.recordOperation(running.claim, JSON.stringify(operation))
  if (!kept) running.stop('lease_lost')
  return operation
}

async function pollToTheEnd(running: RunningTask, job: Job, operation: Operation, tools: AttemptTools): Promise<AttemptEnd> {
  const startedAtMs = tools.clock()
  while (running.stopReason === null) {
    const outcome = await pollOnce(running, job, operation, tools)
    if (outcome?.state === 'succeeded') return { kind: 'succeeded', output: outcome.outputs[0], operation }
    // What a driver says once it was told to stop is about the stop, not about the task.
    if (running.stopReason !== null) break
    if (outcome?.state === 'failed') {
      const failure: Failure = { code: outcome.code, message: outcome.reason }
      return { kind: 'failed', failure, mayRepeat: outcome.retryable && tools.driver.startsAgainFreely }
    }
    if (outcome?.state === 'running' && outcome.progress !== undefined) {
      running.progress = Math.max(running.progress, Math.min(99, Math.floor(outcome.progress)))
    }
    await running.pause(pollDelayMs(tools.clock() - startedAtMs, Math.random()))
  }
  return { kind: 'stopped', operation }
}

/** A poll that fails says nothing about the operation: it goes on until the deadline. */
async function pollOnce(running: RunningTask, job: Job, operation: Operation, { driver, logger }: AttemptTools) {
  try {
    return await driver.poll(operation, job, running.signal)
  } catch (error) {
    if (running.stopReason === null) logger.warn({ err: error, task: job.attemptId }, 'a poll failed and will be repeated')
    return undefined
  }
}

function lost(): AttemptEnd {
  const message = 'The generation was started, but whether it was accepted is not known; it is not started again.'
  return { kind: 'failed', failure: { code: 'lost_upstream', message }, mayRepeat: false }
}
