import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure, Store } from '../db/store.ts'
import { DriverRefusal, NotAccepted, type DriverOutput, type Job, type Operation, type Usage } from '../drivers/driver.ts'
import type { Logger } from '../lib/logger.ts'
import type { Route } from '../routing/route.ts'
import { isOverdue, pollDelayMs } from './poll-delay.ts'
import type { RunningTask } from './running-task.ts'
import { takeStep, type StepTools } from './take-step.ts'

/** How an attempt ended. `stopped`: somebody told us to stop; `RunningTask.stopReason` says why. */
export type AttemptEnd =
  | { kind: 'succeeded'; output: DriverOutput; operation: Operation; usage: Usage | null }
  | { kind: 'failed'; failure: Failure; detail: string | null; usage: Usage | null; mayRepeat: boolean }
  /** Surely nothing was started, and nothing is to be paid. */
  | { kind: 'not_accepted'; error: NotAccepted }
  /** Whether something was started nobody knows: it is not started again. */
  | { kind: 'lost'; detail: string | null }
  | { kind: 'stopped'; operation: Operation | null }

export interface AttemptTools extends StepTools {
  store: Pick<Store, 'recordOperation'>
  route: Route
  logger: Logger
  /** How long after each other an upstream is asked for a job whose submit it has not answered. */
  findAfterMs: readonly number[]
}

const embeddedPollMsMin = 500
const upstreamPollMsMin = 2_000

/**
 * Carries one attempt from its start, or from where another process left it, to the driver's last word.
 *
 *   'starting' committed by the claim -> driver.start -> operation committed -> poll ... -> succeeded | failed
 *
 * If we are killed between start and commit, or the answer to a start gets lost, a driver that starts again freely is started again;
 * any other is asked to find the job by the attempt's id; where it cannot, the attempt is lost, and nothing is paid twice.
 */
export async function runAttempt(running: RunningTask, job: Job, tools: AttemptTools): Promise<AttemptEnd> {
  const known = running.attempt.operation
  let operation: Operation
  try {
    if (known !== null) operation = JSON.parse(known) as Operation
    else operation = await takeStep('start', running, tools, () => startOrFind(running, job, tools))
  } catch (error) {
    return endOfStart(error, running, tools)
  }
  return takeStep('generate', running, tools, () => pollToTheEnd(running, job, operation, tools), faultOf)
}

function faultOf(end: AttemptEnd): string | null {
  return end.kind === 'failed' ? end.failure.code : null
}

/** Throws a `LostReply` when nobody can know whether the driver has accepted. */
async function startOrFind(running: RunningTask, job: Job, tools: AttemptTools): Promise<Operation> {
  const { attempt } = running
  const { driver } = tools.route
  if (attempt.resumed && !driver.startsAgainFreely) return find(running, job, tools)
  try {
    const operation = await driver.start(job, driver.startsAgainFreely ? running.signal : running.lastingSignal)
    return record(running, operation, tools)
  } catch (error) {
    const isKnown = error instanceof DriverRefusal || error instanceof NotAccepted
    if (isKnown || driver.startsAgainFreely || running.lastingSignal.aborted) throw error
    tools.route.faulty(tools.clock(), 'route')
    tools.logger.warn({ err: error }, 'a start was not answered; the upstream is asked for the job')
    return find(running, job, tools, error)
  }
}

async function record(running: RunningTask, operation: Operation, { store, route }: AttemptTools): Promise<Operation> {
  route.accepted()
  const kept = await store.recordOperation(running.claim, running.attempt.number, JSON.stringify(operation))
  if (!kept) running.stop('lease_lost')
  return operation
}

async function find(running: RunningTask, job: Job, tools: AttemptTools, startError: unknown = null): Promise<Operation> {
  const { driver } = tools.route
  if (driver.find === undefined) throw new LostReply(startError)
  let error: unknown = startError
  let timesMissed = 0
  for (const waitMs of tools.findAfterMs) {
    await waitToFind(waitMs, running)
    try {
      const found = await driver.find(job, running.lastingSignal)
      if (found !== null) return await record(running, found, tools)
      timesMissed++
    } catch (cause) {
      timesMissed = 0
      error = cause
      tools.logger.warn({ err: cause }, 'an upstream could not be asked for a job')
    }
  }
  // Once may have been too early: it is still being written down there.
  if (timesMissed >= 2) throw new NotAccepted('fault', 'the upstream does not know the job')
  throw new LostReply(error)
}

/** Whoever goes on with the attempt asks in our place. */
async function waitToFind(ms: number, { lastingSignal, closingSignal }: RunningTask): Promise<void> {
  try {
    await sleep(ms, undefined, { signal: AbortSignal.any([lastingSignal, closingSignal]) })
  } catch (cause) {
    throw new LeftToOthers('the service closes', { cause })
  }
}

class LeftToOthers extends Error {
  override readonly name = 'LeftToOthers'
}

class LostReply extends Error {
  override readonly name = 'LostReply'

  constructor(cause: unknown) {
    super('the start was not answered', { cause })
  }
}

function endOfStart(error: unknown, running: RunningTask, { route, logger }: AttemptTools): AttemptEnd {
  const isLasting = !route.driver.startsAgainFreely
  if (error instanceof NotAccepted) return { kind: 'not_accepted', error }
  if (error instanceof LeftToOthers) return { kind: 'stopped', operation: null }
  if (error instanceof DriverRefusal) {
    const failure: Failure = { code: error.code, message: error.message }
    return { kind: 'failed', failure, detail: error.detail, usage: null, mayRepeat: false }
  }
  if (running.stopReason !== null && (!isLasting || running.lastingSignal.aborted)) return { kind: 'stopped', operation: null }
  logger.error({ err: error }, 'an attempt failed to start')
  if (isLasting) return { kind: 'lost', detail: describe(error) }
  const failure: Failure = { code: 'upstream_failed', message: 'The generation could not be started.' }
  return { kind: 'failed', failure, detail: describe(error), usage: null, mayRepeat: true }
}

/** For the operator; errors of drivers hold no secrets. */
function describe(error: unknown): string {
  const cause = error instanceof LostReply ? error.cause : error
  return (cause instanceof Error ? cause.message : 'the process ended during the start').slice(0, 500)
}

async function pollToTheEnd(running: RunningTask, job: Job, operation: Operation, tools: AttemptTools): Promise<AttemptEnd> {
  const { route, clock } = tools
  const { polls } = route.settings.upstream
  while (running.stopReason === null) {
    const elapsedMs = clock() - running.attempt.startedAtMs
    // What is rendered here says itself when it has news.
    const expected = polls === null ? null : route.durations.expected()
    if (polls !== null) await polls.turn(isOverdue(elapsedMs, expected))
    if (running.stopReason !== null) break
    const outcome = await pollOnce(running, job, operation, tools)
    if (outcome?.state === 'succeeded') {
      route.durations.add(clock() - running.attempt.startedAtMs)
      return { kind: 'succeeded', output: outcome.outputs[0], operation, usage: outcome.usage ?? null }
    }
    // What a driver says once it was told to stop is about the stop, not about the task.
    if (running.stopReason !== null) break
    if (outcome?.state === 'failed') {
      const failure: Failure = { code: outcome.code, message: outcome.reason }
      const mayRepeat = outcome.retryable && route.driver.startsAgainFreely
      return { kind: 'failed', failure, detail: outcome.detail ?? null, usage: outcome.usage ?? null, mayRepeat }
    }
    if (outcome?.state === 'running' && outcome.progress !== undefined) {
      running.progress = Math.max(running.progress, Math.min(99, Math.floor(outcome.progress)))
    }
    const minMs = route.driver.startsAgainFreely ? embeddedPollMsMin : upstreamPollMsMin
    await running.pause(pollDelayMs(clock() - running.attempt.startedAtMs, { minMs, expected }, Math.random()))
  }
  return { kind: 'stopped', operation }
}

/** A poll that fails says nothing about the operation: it goes on until the deadline. */
async function pollOnce(running: RunningTask, job: Job, operation: Operation, { route, logger }: AttemptTools) {
  try {
    return await route.driver.poll(operation, job, running.signal)
  } catch (error) {
    if (running.stopReason === null) logger.warn({ err: error }, 'a poll failed and will be repeated')
    return undefined
  }
}
