import type { TaskRecord } from '../../src/db/task-queries.ts'
import type { PoolState } from '../../src/db/task-queue.ts'
import type { Observation } from './engine.ts'
import { PauseModel, describeResponse, clampRetryAfter, type KeyUse } from './pause-model.ts'
import {
  canServe,
  type Ability,
  type PollResponse,
  type ProbeResult,
  type Providers,
  type ScriptedRoute,
  type ScriptedUpstream,
  type Sender,
  type Submit,
  type UpstreamObserver,
} from './scripted-upstream.ts'
import { modelDeadlineMs, type Configuration, type Service } from './service.ts'

/*
 * The invariants of routing and dispatch. A violation begins with the number of its invariant:
 *
 *   I1  The jobs and submits in flight never exceed the limits of the route and the upstream.
 *   I2  A task starts soon after a route that can serve it has a free slot. Another worker soon
 *       takes over a task whose lease has expired.
 *   I3  A task is sent only to routes that can serve it, and fails only for a reason.
 *   I4  Nothing is sent during a pause, or before a Retry-After has passed.
 *   I5  A route is used only if all routes with a lower priority number are unavailable or busy.
 *   I6  A route or upstream is restricted only after a response that justifies it.
 *   I7  A job is polled with the key of its submit.
 *   I8  An attempt is sent at most once. A task has at most one job, and none after its cancel.
 */

/** Time within which a worker must start or take over a task: the interval of two claims. */
const startDeadlineMs = 1_000
/** Interval between two samples of the state. */
export const sampleIntervalMs = 500
/**
 * Maximum time between two claims of a worker. The first interval may be one and a half times as
 * long as the others (`repeatAligned`).
 */
const claimGapMsMax = 1.5 * sampleIntervalMs

export interface TrackedTask {
  readonly id: string
  readonly model: string
  readonly requiredAbilities: readonly Ability[]
  /** Whether the store has confirmed that the task is cancelled. */
  isCancelled: boolean
  /** Whether at some time no configured route could serve the task. */
  wasUnservable: boolean
  /** Routes that have refused the task as unsuitable. */
  readonly refusedBy: Set<ScriptedRoute>
  /**
   * Routes that must not be tried again for this task. A change of the routes clears the set,
   * because a route may respond differently afterwards.
   */
  readonly excludedRoutes: Set<ScriptedRoute>
  ended: TaskRecord | null
}

export function newTrackedTask(id: string, model: string, requiredAbilities: readonly Ability[]): TrackedTask {
  return {
    id,
    model,
    requiredAbilities,
    isCancelled: false,
    wasUnservable: false,
    refusedBy: new Set(),
    excludedRoutes: new Set(),
    ended: null,
  }
}

/** A task without a valid lease, and the time since which its state is the same. */
interface Waiting {
  fence: number
  sinceMs: number
  /**
   * Whether the lease of its worker has expired. A worker then resumes or queues the task,
   * regardless of the state of the routes.
   */
  isLeaseExpired: boolean
}

interface StartedAttempt {
  readonly route: ScriptedRoute
  readonly sender: Sender
  /**
   * Time at which the attempt was about to be sent, from which its deadline counts. Null before
   * that.
   */
  begunAtMs: number | null
  /**
   * The highest limit of the route that any living worker has had since the attempt was claimed.
   */
  routeMax: number
  upstreamMax: number
  readonly deadlineMs: number
}

interface Availability {
  freeSinceMs: number | null
  downSinceMs: number | null
  /** Start of the period in which no sample has found a free slot on the route. */
  busySinceMs: number | null
  /**
   * Start of the period in which claims may have found the route busy. A slot that is free at only
   * one sample does not end the period, because the next claim may take that slot.
   */
  busyAtClaimsSinceMs: number | null
  /**
   * Maximum numbers of unconfirmed attempts of the route and of its upstream, as one text. An
   * accepted attempt raises both, which frees slots.
   */
  unconfirmedMax: string
}

/**
 * The `Retry-After` in the response to a probe or a poll. A request that is sent in the same
 * millisecond as the response counts as already in flight.
 */
interface RequestPause {
  readonly respondedAtMs: number
  readonly untilMs: number
}

/**
 * A live worker. The invariants apply to the configurations that it knows, and to the states that
 * it has seen since it joined.
 */
interface WorkerView {
  readonly service: Service
  readonly sinceMs: number
  /**
   * Configurations that the worker may act on: the current one and, while the worker reads it, the
   * next one.
   */
  configurations: readonly Configuration[]
  readonly availability: Map<ScriptedRoute, Availability>
  /** Pauses required by responses to probes and polls. */
  readonly probePauses: Map<ScriptedUpstream, RequestPause>
  readonly pollPauses: Map<ScriptedUpstream, RequestPause>
  /** Upstreams at which the worker failed with a key that another worker has already replaced. */
  readonly failedWithOldKey: Set<ScriptedUpstream>
  isLeaving: boolean
}

/**
 * Checks the requests that upstreams received, and the state of the store, against the invariants.
 * Collects descriptions of violations.
 */
export class Checks implements UpstreamObserver {
  readonly violations: string[] = []
  readonly events: string[] = []
  readonly tasks = new Map<string, TrackedTask>()
  readonly pauses = new PauseModel()
  readonly #startMs: number
  readonly #nowMs: () => number
  readonly #attempts = new Map<string, StartedAttempt>()
  readonly #cutOffTasks = new Set<string>()
  readonly #workers = new Map<Sender, WorkerView>()
  #waiting = new Map<string, Waiting>()
  providers: Providers | null = null

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.#startMs = nowMs()
  }

  log(event: string): void {
    this.events.push(`${((this.#nowMs() - this.#startMs) / 1000).toFixed(3).padStart(8)} s  ${event}`)
  }

  started(attemptId: string, route: ScriptedRoute, sender: Sender): void {
    const worker = this.#workers.get(sender)
    this.log(`${shortId(attemptId)} claimed on ${route.id} by ${worker?.service.name ?? 'a worker that is gone'}`)
    this.#recordClaim(route)
    this.#waiting.delete(taskIdOf(attemptId))
    this.#attempts.set(attemptId, {
      route,
      sender,
      begunAtMs: null,
      routeMax: this.#highestLimit(route),
      upstreamMax: this.#highestLimit(route.upstream),
      deadlineMs: route.deadlineMs ?? modelDeadlineMs,
    })
    if (worker !== undefined) this.#checkPriority(attemptId, route, worker)
  }

  begins(attemptId: string): void {
    const attempt = this.#attempts.get(attemptId)
    if (attempt !== undefined) attempt.begunAtMs = this.#nowMs()
  }

  sent(submit: Submit): void {
    const { attemptId, taskId, route } = submit
    const { upstream } = route
    this.log(`${shortId(attemptId)} sent to ${route.id}, will get ${describeResponse(submit.response)}`)
    const task = this.tasks.get(taskId)
    const attempt = this.#attempts.get(attemptId)
    const description = `submit ${shortId(attemptId)} to ${route.id}`
    if (task === undefined || attempt === undefined) return this.#fail(`${description} belongs to no known task`)
    const providers = this.#providers()
    const limits = [
      [route, attempt.routeMax],
      [upstream, attempt.upstreamMax],
    ] as const
    for (const [subject, max] of limits) {
      const inFlight = providers.inFlight(subject)
      if (inFlight > max) this.#fail(`I1: ${description} makes ${inFlight} in flight at ${nameOf(subject)}, the limit is ${max}`)
      // The attempt of an ended task keeps its slot, but no longer counts as a submit in flight
      // (docs/known-gaps.md).
      const unanswered = providers.submits.filter(
        (earlier) =>
          earlier.isInTransit &&
          (earlier.route === subject || earlier.route.upstream === subject) &&
          this.tasks.get(earlier.taskId)?.ended == null,
      ).length
      const violation = this.pauses.violationOf(subject, unanswered, this.#nowMs())
      if (violation !== null) this.#fail(`I4: ${description} ${violation} (${nameOf(subject)})`)
    }
    if (!canServe(route, task.requiredAbilities))
      this.#fail(`I3: ${description} requires ${task.requiredAbilities.join()}, which the route does not support`)
    if (task.excludedRoutes.has(route)) this.#fail(`I3: ${description} is sent again to a route that cannot serve it`)
    if (task.isCancelled) this.#fail(`I8: ${description} was sent after the task was cancelled`)
    const earlierSubmits = providers.submits.filter((earlier) => earlier !== submit && earlier.taskId === taskId)
    if (earlierSubmits.some((earlier) => earlier.attemptId === attemptId))
      this.#fail(`I8: ${description} is sent for the second time`)
    if (earlierSubmits.some(({ job }) => job !== null)) this.#fail(`I8: ${description} makes a second job of the same task`)
  }

  responded(submit: Submit): void {
    this.log(`${shortId(submit.attemptId)} got ${describeResponse(submit.response)}`)
    const { credential, route, response, job } = submit
    const task = this.tasks.get(submit.taskId)
    const hasEnded = task?.ended != null
    if (response.kind === 'unsuitable') {
      task?.refusedBy.add(route)
      // While the routes change, the task may be in a lane of the old routes that excludes this
      // route. Under the new routes it may try the route again.
      if (!this.#areRoutesChanging) task?.excludedRoutes.add(route)
    }
    // The service does not know whether a job was started, and cannot look it up. It therefore
    // abandons the job of an ended task.
    if (job !== null && response.kind === 'lost' && hasEnded && !route.upstream.features.find) job.isAbandoned = true
    this.pauses.responded(submit, this.#keyUse(submit.sender, route.upstream, credential), this.#nowMs())
    this.#recordOldKey(submit.sender, route.upstream)
    if (response.kind !== 'ok' && response.kind !== 'lost') this.#recordFreedSlot(route.upstream)
  }

  lookedUp(route: ScriptedRoute, isFound: boolean): void {
    if (isFound) this.pauses.found(route, this.#nowMs())
    else this.#recordFreedSlot(route.upstream)
  }

  probed(upstream: ScriptedUpstream, sender: Sender): void {
    this.log(`probe of ${nameOf(upstream)}: ${describeResponse(upstream.probeResult)}`)
    this.#checkRetryAfter('probe', upstream, upstream.probeResult, this.#workers.get(sender)?.probePauses)
    this.pauses.probed(upstream, this.#nowMs())
    this.#recordOldKey(sender, upstream)
  }

  #keyUse(sender: Sender, upstream: ScriptedUpstream, credential: string): KeyUse {
    const keys = this.#workers.get(sender)?.configurations.map(({ upstreams }) => upstreams.get(upstream)?.key) ?? []
    if (!keys.includes(credential)) return 'replaced'
    return keys.every((key) => key === credential) ? 'used' : 'unknown'
  }

  #recordOldKey(sender: Sender, upstream: ScriptedUpstream): void {
    if (this.#keyUse(sender, upstream, upstream.key) !== 'used') this.#workers.get(sender)?.failedWithOldKey.add(upstream)
  }

  polled(submit: Submit, credential: string, sender: Sender): void {
    const { upstream } = submit.route
    this.#checkRetryAfter('poll', upstream, upstream.pollResponse, this.#workers.get(sender)?.pollPauses)
    if (credential !== submit.credential)
      this.#fail(`I7: ${shortId(submit.attemptId)} was sent with ${submit.credential} and polled with ${credential}`)
  }

  logged(error: string): void {
    this.#fail(`an unexpected error was logged: ${error}`)
  }

  ended(record: TaskRecord): void {
    const task = this.tasks.get(record.id)
    if (task === undefined || task.ended !== null) return
    task.ended = record
    this.log(`${shortId(record.id)} ended: ${record.errorCode ?? record.status}`)
    const submits = this.#providers().submits.filter(({ taskId }) => taskId === record.id)
    const lastSubmit = submits.at(-1)
    if (lastSubmit !== undefined) this.#recordFreedSlot(lastSubmit.route.upstream)
    if (record.errorCode === 'lost_upstream') for (const { job } of submits) if (job !== null) job.isAbandoned = true
    if (!this.#isExpectedEnd(record, task, lastSubmit))
      this.#fail(
        `I3: ${shortId(record.id)} ended with ${record.errorCode ?? record.status} (${record.errorMessage ?? ''}) without a reason`,
      )
  }

  /**
   * Resets the busy time of an upstream's routes after one of its attempts has ended. The next
   * claim of a worker sees the freed slot, but the samples may be too far apart to show it. Skips a
   * worker if a waiting task may take the slot first on one of its routes.
   */
  #recordFreedSlot(upstream: ScriptedUpstream): void {
    const waiting = [...this.#waiting.keys()].flatMap((id) => this.tasks.get(id) ?? [])
    for (const { configurations, availability } of this.#workers.values()) {
      const inUse = [...(configurations.at(-1)?.routes.keys() ?? [])]
      const open = inUse.filter((route) => route.upstream === upstream && !this.#mayBePaused(route))
      if (waiting.some((task) => this.#ableRoutes(task, open).length > 0)) continue
      const routes = [...availability.keys()].filter((route) => route.upstream === upstream)
      for (const route of routes) {
        const state = availability.get(route)
        if (state !== undefined) state.busySinceMs = null
      }
    }
  }

  /**
   * Updates the availability of routes after a claim has used this route.
   *
   * - If the claim took the last slot of the route or of its upstream, the routes that share the
   *   slot are no longer free.
   * - Each route that had a free slot and was not paused is not busy, because the claim saw the
   *   slot. The used route stays busy if the claim took its last slot while other tasks wait for
   *   it.
   */
  #recordClaim(used: ScriptedRoute): void {
    const waiting = [...this.#waiting.keys()].flatMap((id) => this.tasks.get(id) ?? [])
    const wasWaitedFor = waiting.some((task) => this.#ableRoutes(task, [used]).length > 0)
    const isLast = this.#slotsLeft(used) <= 1
    for (const { availability } of this.#workers.values()) {
      for (const [route, state] of availability) {
        const isSibling = route.upstream === used.upstream && this.#slotsLeft(used.upstream) <= 1
        if (route === used ? isLast : isSibling) state.freeSinceMs = null
        if (route === used && wasWaitedFor && isLast) continue
        // The used route and its upstream were not paused when the claim began.
        const mayBePaused = [route, route.upstream].filter((subject) => subject !== used && subject !== used.upstream)
        if (!this.#areAnyPaused(mayBePaused) && this.#slotsLeft(route) > 0) state.busySinceMs = null
      }
    }
  }

  #areAnyPaused(subjects: readonly (ScriptedRoute | ScriptedUpstream)[]): boolean {
    return subjects.some((subject) => this.#nowMs() < this.pauses.allowanceOf(subject).earliestMs)
  }

  /**
   * Returns the number of free slots of the route or the upstream, according to the provider's
   * submits in flight and running jobs.
   */
  #slotsLeft(subject: ScriptedRoute | ScriptedUpstream): number {
    const slotsLeft = this.#highestLimit(subject) - this.#providers().inFlight(subject)
    return 'upstream' in subject ? Math.min(slotsLeft, this.#slotsLeft(subject.upstream)) : slotsLeft
  }

  #mayBePaused(route: ScriptedRoute): boolean {
    return [route, route.upstream].some((subject) => this.#nowMs() < this.pauses.allowanceOf(subject).latestMs)
  }

  /** Called when a worker has joined. It has not seen any route yet. */
  joined(service: Service): void {
    this.#workers.set(service, {
      service,
      sinceMs: this.#nowMs(),
      configurations: [],
      availability: new Map(),
      probePauses: new Map(),
      pollPauses: new Map(),
      failedWithOldKey: new Set(),
      isLeaving: false,
    })
  }

  leaving(service: Service): void {
    const worker = this.#workers.get(service)
    if (worker !== undefined) worker.isLeaving = true
  }

  left(service: Service): void {
    this.#workers.delete(service)
  }

  /**
   * Called when a worker begins to read another configuration. From now on it may act on both
   * configurations.
   */
  reloading(service: Service, nextConfiguration: Configuration): void {
    const worker = this.#workers.get(service)
    if (worker === undefined) return
    worker.configurations = [...worker.configurations, nextConfiguration]
    for (const upstream of worker.failedWithOldKey) this.pauses.mayReopen(upstream, this.#nowMs())
    worker.failedWithOldKey.clear()
    for (const attempt of this.#attempts.values()) {
      attempt.routeMax = Math.max(attempt.routeMax, this.#highestLimit(attempt.route))
      attempt.upstreamMax = Math.max(attempt.upstreamMax, this.#highestLimit(attempt.route.upstream))
    }
    for (const task of this.tasks.values()) {
      task.excludedRoutes.clear()
      if (this.#ableRoutes(task, nextConfiguration.routes.keys()).every((route) => task.refusedBy.has(route)))
        task.wasUnservable = true
    }
  }

  /**
   * Called when the worker acts on the new configuration only, and has finished all earlier work.
   */
  reloaded(service: Service): void {
    const reloaded = this.#workers.get(service)
    if (reloaded !== undefined) reloaded.configurations = reloaded.configurations.slice(-1)
    for (const worker of this.#workers.values()) {
      for (const availability of worker.availability.values()) {
        availability.freeSinceMs = null
        availability.busySinceMs = null
      }
    }
  }

  killed(service: Service): void {
    for (const { route } of this.#providers().cutOff(service)) this.pauses.suspect(route, 'a submit that was cut off')
    this.pauses.crashed()
    this.#workers.delete(service)
  }

  /**
   * Records the tasks that may be lost because this worker was killed: those whose submit it was
   * about to send. `unrecorded` contains the attempts without a stored operation.
   */
  mayBeLost(service: Service, unrecorded: readonly string[]): void {
    for (const attemptId of unrecorded) {
      const attempt = this.#attempts.get(attemptId)
      if (attempt?.sender === service && attempt.begunAtMs !== null) this.#cutOffTasks.add(taskIdOf(attemptId))
    }
  }

  /** Checks the state at a time when no work is in progress. */
  sample(observation: Observation): void {
    this.pauses.settled()
    const nowMs = this.#nowMs()
    const { openTasks } = this
    const areRoutesChanging = this.#areRoutesChanging
    const pools = new Map(observation.pools.map((pool) => [pool.no, pool]))
    for (const worker of this.#workers.values()) this.#sampleRoutes(worker, pools, nowMs)
    this.#sampleWaiting(observation, openTasks, nowMs)
    for (const worker of this.#workers.values()) {
      // A worker that has just joined or is leaving need not take over or start tasks. While the
      // workers know different routes, each of them may move tasks to other lanes. No start is
      // required then.
      if (worker.isLeaving || worker.sinceMs > nowMs - startDeadlineMs) continue
      for (const task of openTasks) {
        this.#checkLease(task, nowMs)
        if (!areRoutesChanging) this.#checkStarted(task, worker, nowMs)
      }
    }
  }

  get openTasks(): TrackedTask[] {
    return [...this.tasks.values()].filter(({ ended }) => ended === null)
  }

  fail(violation: string): void {
    this.#fail(violation)
  }

  #sampleRoutes(worker: WorkerView, pools: ReadonlyMap<number, PoolState>, nowMs: number): void {
    const configuration = worker.configurations.at(-1)
    for (const route of configuration?.routes.keys() ?? []) this.#sampleRoute(route, worker, pools, nowMs)
  }

  #sampleRoute(route: ScriptedRoute, worker: WorkerView, pools: ReadonlyMap<number, PoolState>, nowMs: number): void {
    const { service, availability } = worker
    const created = service.routeOf(route)
    const [routePool, upstreamPool] = [created?.slots.pool, created?.settings.upstream.slots.pool].map((no) => pools.get(no ?? 0))
    if (routePool === undefined || upstreamPool === undefined) return this.#fail(`${route.id} has no pools`)
    const isProbedFirst = route.upstream.features.probe && isDown(upstreamPool)
    const freeSlots = Math.min(
      freeSlotsOf(routePool, limitOf(worker, route), nowMs),
      freeSlotsOf(upstreamPool, limitOf(worker, route.upstream), nowMs),
      isProbedFirst && route.upstream.probeResult.kind !== 'unsupported' ? 0 : Infinity,
    )
    const previous = availability.get(route)
    const unconfirmedMax = `${routePool.unconfirmedMax} ${upstreamPool.unconfirmedMax}`
    const wasFreeSinceMs = previous?.unconfirmedMax === unconfirmedMax ? previous.freeSinceMs : null
    // A claim always happens between two samples with this gap, but not always between closer ones.
    const wasFreeAtClaim = freeSlots > 0 && !isProbedFirst && wasFreeSinceMs !== null && nowMs - wasFreeSinceMs >= claimGapMsMax
    availability.set(route, {
      unconfirmedMax,
      downSinceMs: created?.isDown === true ? (previous?.downSinceMs ?? nowMs) : null,
      freeSinceMs: freeSlots > 0 ? (wasFreeSinceMs ?? nowMs) : null,
      busySinceMs: freeSlots > 0 ? null : (previous?.busySinceMs ?? nowMs),
      busyAtClaimsSinceMs: wasFreeAtClaim ? null : (previous?.busyAtClaimsSinceMs ?? nowMs),
    })
    for (const [subject, pool] of [[route, routePool] as const, [route.upstream, upstreamPool] as const]) {
      const isRestricted = pool.condition !== 'open' || pool.unconfirmedMax !== null || nowMs < pool.pausedUntilMs
      if (isRestricted && this.pauses.allowanceOf(subject).evidence === null)
        this.#fail(`I6: ${nameOf(subject)} is ${pool.condition} although no response justifies it`)
    }
  }

  #sampleWaiting({ due }: Observation, open: readonly TrackedTask[], nowMs: number): void {
    const rowOf = new Map(due.map((row) => [row.tail, row]))
    const previous = this.#waiting
    this.#waiting = new Map()
    for (const { id } of open) {
      const row = rowOf.get(id.slice(21))
      if (row === undefined) continue
      const isLeaseExpired = row.lease_until !== null && row.lease_until <= nowMs
      const previousTask = previous.get(id)
      const isSame = previousTask?.fence === row.lease_fence && previousTask.isLeaseExpired === isLeaseExpired
      this.#waiting.set(id, isSame ? previousTask : { fence: row.lease_fence, sinceMs: nowMs, isLeaseExpired })
    }
  }

  /** I2: another worker takes over the tasks of a killed worker within two claims. */
  #checkLease(task: TrackedTask, nowMs: number): void {
    const waiting = this.#waiting.get(task.id)
    if (waiting?.isLeaseExpired === true && waiting.sinceMs <= nowMs - startDeadlineMs)
      this.#fail(
        `I2: the lease of ${shortId(task.id)} expired ${nowMs - waiting.sinceMs} ms ago, and no worker has taken it over`,
      )
  }

  /** I2: a worker starts a task within two claims that see a free slot. */
  #checkStarted(task: TrackedTask, { service, configurations, availability }: WorkerView, nowMs: number): void {
    const waiting = this.#waiting.get(task.id)
    const [configuration] = configurations
    if (waiting === undefined || waiting.sinceMs > nowMs - startDeadlineMs || configuration === undefined) return
    const ableRoutes = this.#ableRoutes(task, configuration.routes.keys())
    if (!ableRoutes.some((route) => hasBeenFree(route, availability, nowMs))) return
    // After a change of the routes, a worker may, but need not, retry a route that has refused the
    // task.
    const freeRoutes = [task.refusedBy, task.excludedRoutes].map((excluded) => {
      const remaining = ableRoutes.filter((route) => !excluded.has(route))
      return this.#freeRoute(ranksOf(remaining, configuration), availability, nowMs)
    })
    const [route] = freeRoutes
    if (route === undefined || freeRoutes.includes(undefined)) return
    this.#fail(
      `I2: ${shortId(task.id)} of ${task.model} requiring ${task.requiredAbilities.join() || 'nothing'} has waited for ${nowMs - waiting.sinceMs} ms although ${route.id} has a free slot (${service.name})`,
    )
  }

  /** Returns the first route that may be used now, and whose slot was free during two claims. */
  #freeRoute(
    ranks: readonly (readonly ScriptedRoute[])[],
    availability: ReadonlyMap<ScriptedRoute, Availability>,
    nowMs: number,
  ): ScriptedRoute | undefined {
    for (const rank of ranks) {
      const freeRoute = rank.find((route) => hasBeenFree(route, availability, nowMs))
      if (freeRoute !== undefined) return freeRoute
      const isSkipped = rank.every((route) => {
        const { downSinceMs = null, busySinceMs = null } = availability.get(route) ?? {}
        const isDown = downSinceMs !== null && nowMs - downSinceMs >= startDeadlineMs
        return isDown || (busySinceMs !== null && nowMs - busySinceMs >= route.deferMaxMs + startDeadlineMs)
      })
      if (!isSkipped) return undefined
    }
    return undefined
  }

  /**
   * I5: a route is used only if each route with a lower priority number is unavailable, or has been
   * busy for longer than its `defer_max`.
   */
  #checkPriority(attemptId: string, route: ScriptedRoute, worker: WorkerView): void {
    const task = this.tasks.get(taskIdOf(attemptId))
    const [configuration, nextConfiguration] = worker.configurations
    const priority = configuration?.routes.get(route)?.priority
    // While a worker reads another configuration, it is unknown which of the two it has used.
    if (task === undefined || configuration === undefined || nextConfiguration !== undefined || priority === undefined) return
    for (const before of this.#ableRoutes(task, configuration.routes.keys())) {
      if (task.refusedBy.has(before)) continue
      const priorityBefore = configuration.routes.get(before)?.priority ?? 0
      if (priorityBefore < priority && !this.#mayBeSkipped(before, worker, before.deferMaxMs - sampleIntervalMs))
        this.#fail(
          `I5: ${shortId(attemptId)} was claimed on ${route.id} (priority ${priority}) although ${before.id} (priority ${priorityBefore}) is neither down nor busy for ${before.deferMaxMs} ms`,
        )
    }
  }

  #mayBeSkipped(route: ScriptedRoute, { service, availability }: WorkerView, busyForMs: number): boolean {
    // If this time is shorter than the sampling interval, the samples cannot show whether the route
    // was busy.
    if (busyForMs <= 0 || service.routeOf(route)?.isDown === true) return true
    const busySinceMs = availability.get(route)?.busyAtClaimsSinceMs
    return typeof busySinceMs === 'number' && this.#nowMs() - busySinceMs >= busyForMs
  }

  /**
   * I4: no process sends a probe or a poll before the end of the upstream's Retry-After. `pauses`
   * contains the pauses that the process knows. It is undefined if the process has ended.
   */
  #checkRetryAfter(
    request: 'probe' | 'poll',
    upstream: ScriptedUpstream,
    response: ProbeResult | PollResponse,
    pauses: Map<ScriptedUpstream, RequestPause> | undefined,
  ): void {
    const nowMs = this.#nowMs()
    const { respondedAtMs, untilMs } = pauses?.get(upstream) ?? { respondedAtMs: nowMs, untilMs: 0 }
    const earlyMs = untilMs - nowMs
    if (respondedAtMs < nowMs && earlyMs > 0)
      this.#fail(`I4: a ${request} of ${nameOf(upstream)} comes ${earlyMs} ms before its Retry-After has passed`)
    if (response.kind === 'throttled' && response.retryAfterMs !== null)
      pauses?.set(upstream, { respondedAtMs: nowMs, untilMs: nowMs + clampRetryAfter(response.retryAfterMs) })
  }

  /** Returns the highest limit that any live worker may still act on. */
  #highestLimit(subject: ScriptedRoute | ScriptedUpstream): number {
    const limits = this.#configurationsInUse().map((configuration) => limitIn(configuration, subject))
    return Math.max(0, ...limits)
  }

  get #areRoutesChanging(): boolean {
    return new Set(this.#configurationsInUse().map(({ version }) => version)).size > 1
  }

  #configurationsInUse(): Configuration[] {
    return [...this.#workers.values()].flatMap(({ configurations }) => configurations)
  }

  #isExpectedEnd({ status, errorCode, endedAtMs }: TaskRecord, task: TrackedTask, lastSubmit: Submit | undefined): boolean {
    if (status === 'completed') return lastSubmit?.job != null
    switch (errorCode) {
      case 'cancelled':
        return true
      case 'invalid_input':
        return task.wasUnservable || this.#isRefusedByAll(task)
      case 'lost_upstream':
        return lastSubmit?.response.kind === 'lost' || this.#cutOffTasks.has(task.id)
      case 'upstream_failed':
        return lastSubmit?.job?.hasFailed === true
      case 'upstream_timeout': {
        const attempt = lastSubmit && this.#attempts.get(lastSubmit.attemptId)
        return (endedAtMs ?? 0) - (attempt?.begunAtMs ?? Infinity) >= (attempt?.deadlineMs ?? 0)
      }
      default:
        return false
    }
  }

  #isRefusedByAll(task: TrackedTask): boolean {
    return this.#configurationsInUse().some(({ routes }) =>
      this.#ableRoutes(task, routes.keys()).every((route) => task.refusedBy.has(route)),
    )
  }

  #ableRoutes({ model, requiredAbilities }: TrackedTask, routes: Iterable<ScriptedRoute>): ScriptedRoute[] {
    return [...routes].filter((route) => route.model === model && canServe(route, requiredAbilities))
  }

  #providers(): Providers {
    if (this.providers === null) throw new Error('the case has no upstreams yet')
    return this.providers
  }

  #fail(violation: string): void {
    this.log(`VIOLATION ${violation}`)
    this.violations.push(violation)
  }
}

export function nameOf(subject: ScriptedRoute | ScriptedUpstream): string {
  return 'id' in subject ? subject.id : subject.baseUrl.replace('https://', '')
}

/** Returns a short form of a task or attempt id, for the log of a case. */
export function shortId(id: string): string {
  const [, task = '', attempt] = id.split('_')
  return `${task.slice(6, 16)}${attempt === undefined ? '' : ` attempt ${attempt}`}`
}

function freeSlotsOf(
  { inFlight, unconfirmed, unconfirmedMax, pausedUntilMs }: PoolState,
  inFlightMax: number,
  nowMs: number,
): number {
  if (nowMs < pausedUntilMs) return 0
  return Math.min(inFlightMax - inFlight, unconfirmedMax === null ? Infinity : unconfirmedMax - unconfirmed)
}

/** Whether the route has had a free slot during two claims. */
function hasBeenFree(route: ScriptedRoute, availability: ReadonlyMap<ScriptedRoute, Availability>, nowMs: number): boolean {
  return (availability.get(route)?.freeSinceMs ?? Infinity) <= nowMs - startDeadlineMs
}

function isDown({ condition }: PoolState): boolean {
  return condition === 'unavailable' || condition === 'out_of_order'
}

function limitIn({ routes, upstreams }: Configuration, subject: ScriptedRoute | ScriptedUpstream): number {
  return ('id' in subject ? routes.get(subject) : upstreams.get(subject))?.inFlightMax ?? 0
}

function limitOf({ configurations }: WorkerView, subject: ScriptedRoute | ScriptedUpstream): number {
  const configuration = configurations.at(-1)
  return configuration === undefined ? 0 : limitIn(configuration, subject)
}

function taskIdOf(attemptId: string): string {
  return attemptId.split('_').slice(0, 2).join('_')
}

function ranksOf(routes: readonly ScriptedRoute[], configuration: Configuration): ScriptedRoute[][] {
  const ranks = Map.groupBy(routes, (route) => configuration.routes.get(route)?.priority ?? 0)
  return [...ranks].toSorted(([a], [b]) => a - b).map(([, rank]) => rank)
}
