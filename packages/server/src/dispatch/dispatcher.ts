import { setTimeout as sleep } from 'node:timers/promises'
import { resultsMax } from '@framegate/contract'
import type { Store } from '../db/store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import type { Claim } from '../db/task-queue.ts'
import { readAttemptId } from '../identity/attempt-id.ts'
import type { Clock } from '../lib/clock.ts'
import { runForAttempt } from '../identity/current-work.ts'
import type { Logger } from '../lib/logger.ts'
import type { Routes } from '../routing/routes.ts'
import { readParameters, readStoredSimulation } from '../tasks/parameters-text.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { WatermarkDesign } from '../watermark/watermark-design.ts'
import type { Collector } from './collect-result.ts'
import { leaseMs } from './lease.ts'
import { InputMemory } from './input-memory.ts'
import type { FindModelFacts } from './model-facts.ts'
import { RunningTask } from './running-task.ts'
import { createUnresolvedAttempts } from './unresolved-attempts.ts'
import { placeTasks, type UnplaceablePeriod } from './place-tasks.ts'
import { processTask } from './process-task.ts'
import type { TaskDependencies } from './task-dependencies.ts'
import { repeatAligned } from '../lib/repeat-aligned.ts'

const renewIntervalMs = 10_000
/** Interval at which changed progress and due renewals are committed. */
const progressIntervalMs = 1_000
/**
 * The dispatcher claims tasks when the store notifies it of due ones, and also at this interval, in
 * case a notification was lost.
 */
const claimIntervalMs = 500
/** Interval at which times are reset that were written while the clock was ahead. */
const resetIntervalMs = 15_000
const claimBatchMax = 64
/**
 * Pause after a claim while further tasks arrive, in milliseconds per claimed task. The main thread
 * needs about this long to start a task. Without pauses, the start of tasks would delay the
 * acceptance of further submits.
 */
const claimPauseMsPerTask = 0.2
/** Minimum pause, because timers have a resolution of a millisecond. */
const claimPauseMsMin = 1
const placeIntervalMs = 1_000
/** Default interval at which the removal of files of failed tasks is retried. */
const defaultDiscardIntervalMs = 60_000
/**
 * Maximum number of failed tasks whose files the dispatcher tries to remove again. The next start
 * of the service removes the files of further tasks.
 */
const failedDiscardsMax = 10_000
/** Grace period at shutdown for submits that an upstream may already have accepted. */
const gracePeriodMs = 30_000
const defaultFindDelaysMs = [2_000, 20_000, 60_000]

export interface DispatcherDependencies {
  store: Store
  routes: Routes
  findModelFacts: FindModelFacts
  /** Returns the watermark design of an account's brand. Default: the product's design. */
  findWatermarkDesign?: (accountNo: number) => Promise<WatermarkDesign>
  collector: Collector
  telemetry: Telemetry
  clock: Clock
  logger: Logger
  /** See `AttemptDependencies`. */
  findDelaysMs?: readonly number[]
  /** Default: a minute. */
  discardIntervalMs?: number
}

/**
 * Claims due tasks and runs each to completion. The dispatcher and `http/` communicate only through
 * the store, which notifies the dispatcher of new and cancelled tasks.
 *
 *   claim -> [attempt: start, poll ...] -> collect -> complete
 *                                      \-> fail | retry later
 *
 * Each claim and each end of an attempt or a task is one commit, see `process-task.ts`.
 *
 * The dispatcher renews the lease of each running task. Work on a task stops when the task ends
 * elsewhere, loses its lease or exceeds its deadline, and when the service closes.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #dependencies: DispatcherDependencies
  readonly #taskDependencies: TaskDependencies
  readonly #runningTasks = new Map<string, RunningTask>()
  readonly #runs = new Set<Promise<unknown>>()
  /** All claimed tasks. A task that was claimed again is included once for each claim. */
  readonly #activeTasks = new Set<RunningTask>()
  /** Memory for input files, by pool of the upstream. */
  readonly #inputMemories = new Map<number | null, InputMemory>()
  readonly #timers: Disposable[] = []
  readonly #unsubscribe: (() => void)[] = []
  #claiming: Promise<void> | null = null
  #renewing: Promise<void> | null = null
  #mustClaimAgain = false
  /** Whether the store has notified the dispatcher of due tasks since the last claim began. */
  #hasNewTasks = false
  #lastClaimAtMs = 0
  /** Time of the last committed renewal of all due leases. */
  #lastRenewalAtMs = 0
  #placing: Promise<void> | null = null
  /** Ids of failed tasks whose files could not be removed. */
  readonly #failedDiscards = new Set<string>()
  #retryingDiscards: Promise<void> | null = null
  /**
   * Time at which the tasks of each lane were last placed, by lane number, for one version of the
   * routes. Ignored after the version has changed.
   */
  #lastPlacement: { atMs: ReadonlyMap<number, number>; version: number } = { atMs: new Map(), version: 0 }
  readonly #unplaceable = new Map<string, UnplaceablePeriod>()
  readonly #stopController = new AbortController()
  #isClosing = false

  constructor(dependencies: DispatcherDependencies) {
    this.#dependencies = dependencies
    const { store, clock, findDelaysMs = defaultFindDelaysMs } = dependencies
    this.#taskDependencies = {
      ...dependencies,
      findDelaysMs,
      unresolved: createUnresolvedAttempts(store.database, clock),
      inputMemoryOf: (pools) => {
        const upstream = pools?.upstream ?? null
        const inputMemory = this.#inputMemories.get(upstream) ?? new InputMemory()
        this.#inputMemories.set(upstream, inputMemory)
        return inputMemory
      },
    }
  }

  start(): void {
    const { store } = this.#dependencies
    this.#unsubscribe.push(
      store.onTaskDue(() => {
        this.#hasNewTasks = true
        this.#claimSoon()
      }),
      store.onTaskChanged((task) => {
        if (task.endedAtMs === null) return
        const running = this.#runningTasks.get(task.id)
        if (running !== undefined) running.stop('ended')
        else if (task.startedAtMs !== null) void this.#discardIfFailed(task.id)
      }, this.#runningTasks),
    )
    this.#timers.push(
      repeatAligned(() => this.#claimSoon(), claimIntervalMs),
      repeatAligned(() => void this.#renewSoon(), progressIntervalMs),
      repeatAligned(() => void this.#resetFutureTimes(), resetIntervalMs),
      repeatAligned(() => void this.#retryDiscards(), this.#dependencies.discardIntervalMs ?? defaultDiscardIntervalMs),
    )
    this.#claimSoon()
    void this.#resetFutureTimes()
    const cleanup = this.#discardLeftovers()
      .catch((error: unknown) =>
        this.#dependencies.logger.error({ err: error }, 'failed tasks could not be searched for leftover files'),
      )
      .finally(() => this.#runs.delete(cleanup))
    this.#runs.add(cleanup)
  }

  /** Polls an attempt immediately, because its driver reported a change. */
  operationChanged(attemptId: string): void {
    const running = this.#runningTasks.get(readAttemptId(attemptId)?.taskId ?? '')
    if (running?.attemptId === attemptId) running.wake()
  }

  /**
   * Stops claiming, and immediately stops and releases tasks whose job runs at an upstream, except
   * those whose results are being collected. The other tasks may finish within `drainMs`.
   */
  async drain(drainMs: number): Promise<void> {
    this.#isClosing = true
    this.#stopController.abort()
    await this.#claiming
    for (const running of this.#runningTasks.values()) {
      if (running.attempt.pools !== null && !running.isCollecting) running.stop('closing')
    }
    const runsSettled = Promise.allSettled(this.#runs)
    let timer: NodeJS.Timeout | undefined
    await Promise.race([runsSettled, new Promise((resolve) => (timer = setTimeout(resolve, drainMs)))])
    clearTimeout(timer)
  }

  /** Stops all work. Tasks that have not ended are due again immediately. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true
    this.#stopController.abort()
    await this.#claiming
    await this.#placing
    for (const running of this.#runningTasks.values()) running.stop('closing')
    const abandonTimer = setTimeout(() => {
      for (const running of this.#activeTasks) running.abandon()
    }, gracePeriodMs)
    await Promise.allSettled(this.#runs)
    clearTimeout(abandonTimer)
    for (const timer of this.#timers) timer[Symbol.dispose]()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  async #resetFutureTimes(): Promise<void> {
    const { store, logger } = this.#dependencies
    if (this.#isClosing) return
    try {
      await store.resetFutureTimes(leaseMs)
    } catch (error) {
      logger.warn({ err: error }, 'leases in the future could not be searched for; this will be retried')
    }
  }

  #claimSoon(): void {
    if (this.#claiming !== null) {
      this.#mustClaimAgain = true
      return
    }
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = null
      if (!this.#mustClaimAgain) return
      this.#mustClaimAgain = false
      this.#claimSoon()
    })
  }

  async #claim(): Promise<void> {
    const { store, routes, clock, logger } = this.#dependencies
    // If the machine was suspended, the leases of this process may have expired. It renews its
    // leases before the next claim, so that it does not claim its own running tasks.
    if (clock() - this.#lastRenewalAtMs >= leaseMs - renewIntervalMs) await this.#renewSoon()
    if (this.#isClosing) return
    // Without a free slot, this process can claim only tasks whose leases have expired. It searches
    // for such tasks once per interval.
    if (!routes.mayHaveFreeSlot && Math.abs(clock() - this.#lastClaimAtMs) < claimIntervalMs) return
    this.#lastClaimAtMs = clock()
    this.#hasNewTasks = false
    try {
      const { claims, waiting, pools } = await store.takeDue(leaseMs, claimBatchMax)
      routes.observe(pools)
      await this.#beginAll(claims)
      const { grants, undoUnclaimed, unknownLanes } = routes.allocate(waiting, claimBatchMax)
      if (unknownLanes.length > 0) this.#placeSoon(unknownLanes)
      else this.#unplaceable.clear()
      if (grants.length === 0 || this.#isClosing) return
      const grantedClaims = await store.claim(grants, leaseMs)
      undoUnclaimed(
        grantedClaims.map(({ task: { model }, attempt: { route, pools } }) => ({ model, route, pool: pools?.route ?? null })),
      )
      // More tasks may wait than one batch can claim.
      if (grantedClaims.length > 0) this.#mustClaimAgain = true
      await this.#beginAll(grantedClaims)
      const pauseMs = grantedClaims.length * claimPauseMsPerTask
      if (this.#hasNewTasks && pauseMs >= claimPauseMsMin) await sleep(pauseMs)
    } catch (error) {
      logger.error({ err: error }, 'claiming failed and will be retried')
      this.#mustClaimAgain = false
    }
  }

  async #beginAll(claims: readonly Claim[]): Promise<void> {
    if (this.#isClosing) await this.#dependencies.store.release([...claims])
    else for (const claim of claims) this.#begin(claim)
  }

  /**
   * Starts to move the tasks of these lanes (queue partitions) to lanes of the routes in use. Does
   * nothing while a move is in progress, and skips lanes that were moved recently.
   */
  #placeSoon(lanes: readonly number[]): void {
    const { clock, logger, routes } = this.#dependencies
    if (this.#placing !== null) return
    // Two processes that briefly have different routes could keep moving the same tasks back and
    // forth, so the tasks of each lane are placed at most once per interval. A new version of the
    // routes ends this delay. The absolute difference prevents a longer delay after the clock was
    // set back.
    const { version } = routes
    const previousPlacedAtMs = this.#lastPlacement.version === version ? this.#lastPlacement.atMs : new Map<number, number>()
    const recentlyPlaced = new Map([...previousPlacedAtMs].filter(([, atMs]) => Math.abs(clock() - atMs) < placeIntervalMs))
    const dueLanes = lanes.filter((lane) => !recentlyPlaced.has(lane))
    if (dueLanes.length === 0) return
    this.#placing = placeTasks(dueLanes, { ...this.#dependencies, unplaceable: this.#unplaceable }, this.#stopController.signal)
      .catch((error: unknown) => logger.error({ err: error }, 'waiting tasks could not be placed; this will be retried'))
      .finally(() => {
        this.#placing = null
        this.#lastPlacement = { atMs: new Map([...recentlyPlaced, ...dueLanes.map((lane) => [lane, clock()] as const)]), version }
        this.#claimSoon()
      })
  }

  #begin(claim: Claim): void {
    const { routes, clock, logger } = this.#dependencies
    const running = new RunningTask(claim, clock())
    const replacedTask = this.#runningTasks.get(claim.id)
    this.#runningTasks.set(claim.id, running)
    this.#activeTasks.add(running)
    if (replacedTask !== undefined) replacedTask.isReplaced = true
    replacedTask?.stop('lease_lost')
    const { route, pools } = claim.attempt
    if (pools === null)
      running.acquireSlots(routes.embeddedSlots(claim.task.model, route, readStoredSimulation(claim.task.parameters) !== null))
    const taskRun = runForAttempt(running, () => processTask(running, this.#taskDependencies))
      .then(() => (running.mayHaveFiles ? this.#discardIfFailed(claim.id) : undefined))
      .catch((error: unknown) =>
        logger.error({ err: error, task: claim.id }, 'the run of a task was interrupted; the task will be claimed again'),
      )
      .finally(() => {
        running.releaseSlots()
        this.#activeTasks.delete(running)
        if (this.#runningTasks.get(claim.id) === running) this.#runningTasks.delete(claim.id)
        this.#runs.delete(taskRun)
        this.#claimSoon()
      })
    this.#runs.add(taskRun)
  }

  /**
   * Discards the files of recently failed tasks. A process that was killed right after the failure
   * of its task may have left such files.
   */
  async #discardLeftovers(): Promise<void> {
    for (const taskId of await this.#dependencies.store.listRecentlyFailed()) {
      if (this.#isClosing) return
      await this.#discardIfFailed(taskId)
    }
  }

  /**
   * Discards the files of a failed task. A worker may have stored them right before the task failed
   * or was cancelled, and the process of that worker may have been killed since. Returns false if
   * the files could not be removed. The removal is then retried later.
   */
  async #discardIfFailed(taskId: string): Promise<boolean> {
    const { store, collector, logger } = this.#dependencies
    try {
      const task = await store.find(taskId)
      // The store does not find deleted tasks. Their files are always removed.
      if (task === undefined || task.status === 'failed')
        await collector.discard(taskId, task === undefined ? resultsMax : await this.#resultsMaxOf(task))
      return true
    } catch (error) {
      // The next start searches for such files.
      if (this.#isClosing) return false
      if (this.#failedDiscards.size < failedDiscardsMax) this.#failedDiscards.add(taskId)
      logger.error(
        { err: error, task: taskId },
        'the files of a failed or deleted task could not be removed; this will be retried',
      )
      return false
    }
  }

  #retryDiscards(): Promise<void> {
    this.#retryingDiscards ??= this.#retryFailedDiscards().finally(() => {
      this.#retryingDiscards = null
    })
    return this.#retryingDiscards
  }

  /**
   * Retries removals until the first error, because the media store may be unavailable. A task
   * whose files could not be removed moves to the end of the set, so that the next call tries the
   * others first.
   */
  async #retryFailedDiscards(): Promise<void> {
    for (const taskId of this.#failedDiscards) {
      if (this.#isClosing) return
      this.#failedDiscards.delete(taskId)
      if (!(await this.#discardIfFailed(taskId))) return
    }
  }

  async #resultsMaxOf({ model, modelVersionNo, parameters }: TaskRecord): Promise<number> {
    const facts = await this.#dependencies.findModelFacts(model, modelVersionNo)
    return facts?.resultsMax(readParameters(parameters, null)) ?? resultsMax
  }

  #renewSoon(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null
    })
    return this.#renewing
  }

  async #renew(): Promise<void> {
    const { store, clock, logger } = this.#dependencies
    const nowMs = clock()
    // The absolute difference matters, because the clock may have been set back.
    const dueRenewals = [...this.#runningTasks.values()]
      .filter((running) => running.progress > running.renewedProgress || Math.abs(nowMs - running.renewedAtMs) >= renewIntervalMs)
      .map((running) => ({ running, id: running.claim.id, fence: running.claim.fence, progress: running.progress }))
    try {
      const lostLeases = dueRenewals.length === 0 ? [] : await store.renew(dueRenewals, leaseMs)
      this.#lastRenewalAtMs = nowMs
      for (const { running, fence, id, progress } of dueRenewals) {
        running.renewedAtMs = nowMs
        running.renewedProgress = progress
        if (lostLeases.some((lease) => lease.id === id && lease.fence === fence)) running.stop('lease_lost')
      }
    } catch (error) {
      logger.error({ err: error }, 'renewing leases failed and will be retried')
    }
  }
}
