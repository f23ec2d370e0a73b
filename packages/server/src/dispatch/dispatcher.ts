import type { Simulation } from '@framegate/contract'
import type { Claim, Failure, Store } from '../db/store.ts'
import type { GenerationParameters, Job, Operation } from '../drivers/driver.ts'
import type { Route } from '../drivers/route.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { unreachable } from '../lib/unreachable.ts'
import type { Collector } from './collect-result.ts'
import type { ModelFacts } from './model-facts.ts'
import { runAttempt, type AttemptEnd } from './run-attempt.ts'
import { RunningTask } from './running-task.ts'

/** Twenty times the time between two renewals: only a dead or frozen process loses a lease. */
const leaseMs = 30_000
const renewEveryMs = 10_000
/** Progress is committed this often, when it has changed. */
const progressEveryMs = 1_000
/** Claims are made when the store says that something is due; this finds what nobody told us of. */
const claimEveryMs = 500
const attemptsMax = 3
const retryDelayMs = 1_000
/** A task that has been claimed this often takes its worker down each time. */
const claimsMax = 100
const collectTriesMax = 3
const simulatedMax = 1_000

export interface DispatcherOptions {
  store: Store
  route: Route
  /** Undefined when the catalogue no longer has the model. */
  modelFacts(modelId: string): ModelFacts | undefined
  collector: Collector
  clock: Clock
  logger: Logger
}

/**
 * Claims due tasks and carries each to its end. It shares nothing with `http/` but the task row: what it is told of new
 * and cancelled tasks comes from the store.
 *
 *   claim -> [attempt: start, poll ...] -> collect -> complete      each arrow a commit, see `run-attempt.ts`
 *                                      \-> fail | retry later
 *
 * A running task keeps its lease by renewal and stops when it ends elsewhere, loses its lease, passes its deadline, or
 * the service closes.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions
  readonly #running = new Map<string, RunningTask>()
  readonly #working = new Set<Promise<void>>()
  readonly #timers: NodeJS.Timeout[] = []
  readonly #unsubscribe: (() => void)[] = []
  #claiming: Promise<void> | null = null
  #renewing: Promise<void> | null = null
  #claimAgain = false
  #closing = false

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  start(): void {
    const { store } = this.#options
    this.#unsubscribe.push(
      store.onTaskDue(() => this.#claimSoon()),
      store.onTaskChanged((task) => {
        if (task.endedAtMs === null) return
        const running = this.#running.get(task.id)
        if (running !== undefined) running.stop('ended')
        else if (task.startedAtMs !== null) void this.#discardIfFailed(task.id)
      }),
    )
    this.#timers.push(
      setInterval(() => this.#claimSoon(), claimEveryMs),
      setInterval(() => void this.#renewSoon(), progressEveryMs),
    )
    this.#claimSoon()
    const tidying = this.#discardLeftovers()
      .catch((error: unknown) => this.#options.logger.error({ err: error }, 'leftovers of a crash could not be looked for'))
      .finally(() => this.#working.delete(tidying))
    this.#working.add(tidying)
  }

  /** A driver has news of this attempt: its next poll is made now. */
  operationChanged(attemptId: string): void {
    for (const running of this.#running.values()) {
      if (running.attemptId === attemptId) running.wake()
    }
  }

  /** Stops claiming and lets what runs come to its end, for at most this long. */
  async drain(drainMs: number): Promise<void> {
    this.#closing = true
    await this.#claiming
    const allDone = Promise.allSettled(this.#working)
    let timer: NodeJS.Timeout | undefined
    await Promise.race([allDone, new Promise((resolve) => (timer = setTimeout(resolve, drainMs)))])
    clearTimeout(timer)
  }

  /** Stops everything; what had not ended is due again at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true
    await this.#claiming
    for (const running of this.#running.values()) running.stop('closing')
    await Promise.allSettled(this.#working)
    for (const timer of this.#timers) clearInterval(timer)
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  #claimSoon(): void {
    if (this.#claiming !== null) {
      this.#claimAgain = true
      return
    }
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = null
      if (!this.#claimAgain) return
      this.#claimAgain = false
      this.#claimSoon()
    })
  }

  async #claim(): Promise<void> {
    const { store, route, logger } = this.#options
    // After a pause of the whole machine our own leases have run out: they are renewed before anyone may claim them.
    if (this.#hasRunOut()) await this.#renewSoon()
    const free = route.inFlightMax - this.#occupied()
    if (free <= 0 || this.#closing) return
    try {
      const claims = await store.claim(free, leaseMs)
      if (this.#closing) await store.release(claims)
      else for (const claim of claims) this.#begin(claim)
    } catch (error) {
      logger.error({ err: error }, 'claiming failed and will be repeated')
      this.#claimAgain = false
    }
  }

  /** Of the places that the route has. Simulated tasks take none, up to a bound. */
  #occupied(): number {
    let made = 0
    for (const { isSimulated } of this.#running.values()) if (!isSimulated) made++
    return made + Math.max(0, this.#running.size - made - simulatedMax)
  }

  #begin(claim: Claim): void {
    const running = new RunningTask(claim, this.#options.clock())
    const before = this.#running.get(claim.id)
    this.#running.set(claim.id, running)
    before?.stop('lease_lost')
    const work = this.#work(running)
      .then(() => (running.mayBeStored ? this.#discardIfFailed(claim.id) : undefined))
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error, task: claim.id }, 'work on a task broke off; it will be claimed again'),
      )
      .finally(() => {
        if (this.#running.get(claim.id) === running) this.#running.delete(claim.id)
        this.#working.delete(work)
        this.#claimSoon()
      })
    this.#working.add(work)
  }

  async #work(running: RunningTask): Promise<void> {
    const { store, route, clock, logger } = this.#options
    const { claim } = running
    // It may have been cancelled between the commit of the claim and now.
    const task = await store.find(claim.id)
    if (task === undefined || task.endedAtMs !== null) return
    const { simulate = null, ...parameters } = parametersOf(claim)
    running.isSimulated = simulate !== null
    if (running.isSimulated) this.#claimSoon()
    const facts = this.#options.modelFacts(claim.task.model)
    if (facts === undefined) {
      await store.fail(claim, { code: 'upstream_failed', message: 'The model is no longer offered.' })
      return
    }
    if (claim.fence > claimsMax) {
      await store.fail(claim, { code: 'upstream_failed', message: `The generation was interrupted ${claimsMax} times.` })
      return
    }
    const job: Job = {
      attemptId: running.attemptId,
      model: claim.task.model,
      object: claim.task.object,
      size: facts.size(parameters),
      parameters,
      simulate,
    }
    // An attempt that is made anew has its whole time; one that an upstream works on has what is left of it.
    const startedAtMs = route.driver.startsAgainFreely ? clock() : claim.attempt.startedAtMs
    const deadlineMs = simulate?.deadline_seconds === undefined ? facts.deadlineMs : simulate.deadline_seconds * 1000
    const deadline = setTimeout(() => running.stop('deadline'), Math.max(0, startedAtMs + deadlineMs - clock()))
    try {
      const end = await runAttempt(running, job, { store, driver: route.driver, clock, logger })
      await this.#endWith(end, running, job, parameters, facts)
    } finally {
      clearTimeout(deadline)
    }
  }

  async #endWith(
    end: AttemptEnd,
    running: RunningTask,
    job: Job,
    parameters: GenerationParameters,
    facts: ModelFacts,
  ): Promise<void> {
    const { store, clock } = this.#options
    switch (end.kind) {
      case 'succeeded':
        return this.#finish(end, running, job, parameters, facts)
      case 'failed':
        if (end.mayRepeat && running.claim.attempt.number < attemptsMax) {
          await store.retryLater(running.claim, end.failure.message, clock() + retryDelayMs)
        } else {
          await store.fail(running.claim, end.failure)
        }
        return
      case 'stopped':
        return this.#stopped(running, job, end.operation)
      default:
        return unreachable(end)
    }
  }

  async #finish(
    { output, operation }: Extract<AttemptEnd, { kind: 'succeeded' }>,
    running: RunningTask,
    job: Job,
    parameters: GenerationParameters,
    facts: ModelFacts,
  ): Promise<void> {
    const { store, collector, clock, route, logger } = this.#options
    const { claim, attemptId, signal } = running
    for (let tries = 1; ; tries++) {
      try {
        running.mayBeStored = true
        const result = await collector.collect({
          taskId: claim.id,
          attemptId,
          driver: route.driver,
          output,
          nowMs: clock(),
          retentionMs: job.simulate?.retention_seconds === undefined ? undefined : job.simulate.retention_seconds * 1000,
          signal,
        })
        const seconds = result.durationMs === null ? null : result.durationMs / 1000
        const charge = Math.min(facts.charge(parameters, seconds, claim.task.priceNo), claim.task.priceMicroCredits)
        await store.complete(claim, result, charge)
        await route.driver.forget?.(operation, job)
        return
      } catch (error) {
        if (running.stopReason !== null) return this.#stopped(running, job, operation)
        logger.error({ err: error, task: claim.id }, 'a result could not be collected')
        if (tries === collectTriesMax) break
        await running.pause(retryDelayMs * tries)
      }
    }
    await store.fail(claim, { code: 'upstream_failed', message: 'The result could not be stored.' })
  }

  /** What a process that was killed right after a task had failed could not remove any more. */
  async #discardLeftovers(): Promise<void> {
    for (const taskId of await this.#options.store.failedLately()) {
      if (this.#closing) return
      await this.#discardIfFailed(taskId)
    }
  }

  /** A file may have been stored right before the task failed or was cancelled, or before an earlier process was killed. */
  async #discardIfFailed(taskId: string): Promise<void> {
    const { store, collector, logger } = this.#options
    const task = await store.find(taskId)
    if (task?.status !== 'failed') return
    await collector
      .discard(taskId)
      .catch((error: unknown) => logger.error({ err: error, task: taskId }, 'a file without a task could not be removed'))
  }

  async #stopped(running: RunningTask, job: Job, operation: Operation | null): Promise<void> {
    const { store, route } = this.#options
    const { driver } = route
    const cancel = async () => {
      if (operation !== null) await driver.cancel?.(operation, job)
    }
    switch (running.stopReason) {
      case 'ended':
        return cancel()
      case 'deadline': {
        const failure: Failure = { code: 'upstream_timeout', message: 'The generation took longer than it may.' }
        await store.fail(running.claim, failure)
        return cancel()
      }
      case 'closing':
        return store.release([running.claim])
      case 'lease_lost':
        // An upstream's operation is the other worker's now. What runs in this process is only a waste, unless the other
        // worker is here too and goes on with it.
        return driver.startsAgainFreely && this.#running.get(running.claim.id) === running ? cancel() : undefined
      case null:
        throw new Error('the work stopped without a reason')
      default:
        return unreachable(running.stopReason)
    }
  }

  #hasRunOut(): boolean {
    const nowMs = this.#options.clock()
    return [...this.#running.values()].some((running) => nowMs - running.renewedAtMs >= leaseMs)
  }

  #renewSoon(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null
    })
    return this.#renewing
  }

  async #renew(): Promise<void> {
    const { store, clock, logger } = this.#options
    const nowMs = clock()
    const due = [...this.#running.values()]
      .filter((running) => running.progress > running.renewedProgress || nowMs - running.renewedAtMs >= renewEveryMs)
      .map((running) => ({ running, id: running.claim.id, fence: running.claim.fence, progress: running.progress }))
    if (due.length === 0) return
    try {
      const lost = await store.renew(due, leaseMs)
      for (const { running, fence, id, progress } of due) {
        running.renewedAtMs = nowMs
        running.renewedProgress = progress
        if (lost.some((lease) => lease.id === id && lease.fence === fence)) running.stop('lease_lost')
      }
    } catch (error) {
      logger.error({ err: error }, 'renewing leases failed and will be repeated')
    }
  }
}

type StoredParameters = GenerationParameters & { simulate?: Simulation }

/** The pictures are stored apart from the parameters that everyone else reads. */
function parametersOf({ task, pictures }: Claim): StoredParameters {
  const parameters = JSON.parse(task.parameters) as StoredParameters
  return pictures === null ? parameters : { ...parameters, ...(JSON.parse(pictures) as GenerationParameters) }
}
