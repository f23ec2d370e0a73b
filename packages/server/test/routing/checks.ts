import type { PoolState, TaskRecord } from '../../src/db/store.ts'
import { PauseModel, describe } from './pause-model.ts'
import {
  canServe,
  type Ability,
  type Providers,
  type ScriptedRoute,
  type ScriptedUpstream,
  type Submit,
  type UpstreamObserver,
} from './scripted-upstream.ts'
import { modelDeadlineMs, type Service } from './service.ts'

/** Two claim rounds. */
const startedWithinMs = 1_000
/** States are sampled this often. */
export const sampleEveryMs = 500

export interface TrackedTask {
  readonly id: string
  readonly model: string
  readonly asks: readonly Ability[]
  /** The cancel was confirmed. */
  isCancelled: boolean
  /** At some time no configured route could serve it. */
  wasUnservable: boolean
  ended: TaskRecord | null
}

/** A task that waits, and since when without interruption. */
interface Waiting {
  fence: number
  sinceMs: number
}

interface StartedAttempt {
  readonly route: ScriptedRoute
  /** The highest limits in force since it was claimed. */
  routeMax: number
  upstreamMax: number
  readonly deadlineMs: number
  sentAtMs: number | null
}

interface Availability {
  freeSinceMs: number | null
  downSinceMs: number | null
  /** At no sample since then it was free. */
  busySinceMs: number | null
  /** A slot that is free at one sample may be taken by the next claim round: then it counts as busy all the time. */
  busyAtRoundsSinceMs: number | null
  /** How many attempts may be unconfirmed; each that is accepted makes other slots free. */
  unconfirmedMax: string
}

/** Holds what the upstreams saw, and what the store says, to the invariants. Collects violations in words. */
export class Checks implements UpstreamObserver {
  readonly violations: string[] = []
  readonly events: string[] = []
  readonly tasks = new Map<string, TrackedTask>()
  readonly pauses = new PauseModel()
  readonly #startMs: number
  readonly #nowMs: () => number
  readonly #attempts = new Map<string, StartedAttempt>()
  readonly #cutOffTasks = new Set<string>()
  readonly #availability = new Map<ScriptedRoute, Availability>()
  #waiting = new Map<string, Waiting>()
  providers: Providers | null = null
  service: Service | null = null

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.#startMs = nowMs()
  }

  note(event: string): void {
    this.events.push(`${((this.#nowMs() - this.#startMs) / 1000).toFixed(3).padStart(8)} s  ${event}`)
  }

  started(attemptId: string, route: ScriptedRoute): void {
    this.note(`${short(attemptId)} claimed on ${route.id}`)
    this.#attempts.set(attemptId, {
      route,
      routeMax: route.inFlightMax,
      upstreamMax: route.upstream.inFlightMax,
      deadlineMs: route.deadlineMs ?? modelDeadlineMs,
      sentAtMs: null,
    })
    this.#checkPriority(attemptId, route)
  }

  sent(submit: Submit): void {
    const { attemptId, taskId, route } = submit
    const { upstream } = route
    this.note(`${short(attemptId)} sent to ${route.id}, will get ${describe(submit.answer)}`)
    const task = this.tasks.get(taskId)
    const attempt = this.#attempts.get(attemptId)
    const what = `submit ${short(attemptId)} to ${route.id}`
    if (task === undefined || attempt === undefined) return this.#fail(`${what} is of no known task`)
    attempt.sentAtMs = this.#nowMs()
    const providers = this.#providers()
    const limits = [
      [route, attempt.routeMax],
      [upstream, attempt.upstreamMax],
    ] as const
    for (const [of, max] of limits) {
      const inFlight = providers.inFlight(of)
      if (inFlight > max) this.#fail(`I1: ${what} makes ${inFlight} in flight at ${nameOf(of)}, the limit is ${max}`)
      const unanswered = providers.submits.filter(
        (other) => other.isOnItsWay && (other.route === of || other.route.upstream === of),
      ).length
      const violation = this.pauses.violationOf(of, unanswered, this.#nowMs())
      if (violation !== null) this.#fail(`I4: ${what} ${violation} (${nameOf(of)})`)
    }
    if (!canServe(route, task.asks)) this.#fail(`I3: ${what} asks ${task.asks.join()}, which the route cannot do`)
    if (task.isCancelled) this.#fail(`I8: ${what} was sent after the task was cancelled`)
    const others = providers.submits.filter((other) => other !== submit && other.taskId === taskId)
    if (others.some((other) => other.attemptId === attemptId)) this.#fail(`I8: ${what} is sent for the second time`)
    if (others.some(({ job }) => job !== null)) this.#fail(`I8: ${what} makes a second job of the same task`)
  }

  responded(submit: Submit): void {
    this.note(`${short(submit.attemptId)} got ${describe(submit.answer)}`)
    this.pauses.responded(submit, this.#nowMs())
  }

  probed(upstream: ScriptedUpstream): void {
    this.note(`probe of ${nameOf(upstream)} ${upstream.doesProbeWork ? 'succeeds' : 'fails'}`)
    this.pauses.probed(upstream, this.#nowMs())
  }

  polled(submit: Submit, credential: string): void {
    if (credential !== submit.credential)
      this.#fail(`I7: ${short(submit.attemptId)} was sent with ${submit.credential} and polled with ${credential}`)
  }

  ended(record: TaskRecord): void {
    const task = this.tasks.get(record.id)
    if (task === undefined || task.ended !== null) return
    task.ended = record
    this.note(`${short(record.id)} ended: ${record.errorCode ?? record.status}`)
    const submits = this.#providers().submits.filter(({ taskId }) => taskId === record.id)
    const last = submits.at(-1)
    if (record.errorCode === 'lost_upstream') for (const { job } of submits) if (job !== null) job.isGivenUp = true
    if (!this.#isExpectedEnd(record, task, last))
      this.#fail(
        `I3: ${short(record.id)} ended with ${record.errorCode ?? record.status} (${record.errorMessage ?? ''}) without a reason`,
      )
  }

  /** Limits, routes or keys were changed. */
  reloaded(routes: readonly ScriptedRoute[]): void {
    for (const attempt of this.#attempts.values()) {
      attempt.routeMax = Math.max(attempt.routeMax, attempt.route.inFlightMax)
      attempt.upstreamMax = Math.max(attempt.upstreamMax, attempt.route.upstream.inFlightMax)
    }
    for (const availability of this.#availability.values()) {
      availability.freeSinceMs = null
      availability.busySinceMs = null
    }
    for (const task of this.tasks.values()) {
      if (!this.#able(task, routes).length) task.wasUnservable = true
    }
  }

  killed(): void {
    for (const { taskId, route } of this.#providers().cutOff()) {
      this.#cutOffTasks.add(taskId)
      this.pauses.suspect(route, 'a submit that was cut off')
    }
    this.pauses.crashed()
  }

  /** Another process has begun: how long routes are busy is counted anew. */
  begun(): void {
    this.#availability.clear()
    this.#waiting.clear()
  }

  /** Compares the settled state with what it must be. */
  async sample(): Promise<void> {
    const { service } = this
    if (service === null) return
    this.pauses.settled()
    const nowMs = this.#nowMs()
    const pools = new Map((await service.store.readPools()).map((pool) => [pool.no, pool]))
    for (const route of this.#configured()) this.#sampleRoute(route, pools, nowMs)
    await this.#sampleWaiting(nowMs)
    for (const task of this.tasks.values()) if (this.#waiting.has(task.id)) this.#checkStarted(task, nowMs)
  }

  get open(): TrackedTask[] {
    return [...this.tasks.values()].filter(({ ended }) => ended === null)
  }

  fail(violation: string): void {
    this.#fail(violation)
  }

  #sampleRoute(route: ScriptedRoute, pools: ReadonlyMap<number, PoolState>, nowMs: number): void {
    const made = this.service?.routeOf(route)
    const [routePool, upstreamPool] = [made?.slots.pool, made?.settings.upstream.slots.pool].map((no) => pools.get(no ?? 0))
    if (routePool === undefined || upstreamPool === undefined) return this.#fail(`${route.id} has no pools`)
    const free = Math.min(
      freeOf(routePool, route.inFlightMax, nowMs),
      freeOf(upstreamPool, route.upstream.inFlightMax, nowMs),
      route.upstream.features.probe && isDown(upstreamPool) ? 0 : Infinity,
    )
    const before = this.#availability.get(route)
    const unconfirmedMax = `${routePool.unconfirmedMax} ${upstreamPool.unconfirmedMax}`
    const wasFreeSinceMs = before?.unconfirmedMax === unconfirmedMax ? before.freeSinceMs : null
    this.#availability.set(route, {
      unconfirmedMax,
      downSinceMs: made?.isDown === true ? (before?.downSinceMs ?? nowMs) : null,
      freeSinceMs: free > 0 ? (wasFreeSinceMs ?? nowMs) : null,
      busySinceMs: free > 0 ? null : (before?.busySinceMs ?? nowMs),
      busyAtRoundsSinceMs: free > 0 && wasFreeSinceMs !== null ? null : (before?.busyAtRoundsSinceMs ?? nowMs),
    })
    for (const [of, pool] of [[route, routePool] as const, [route.upstream, upstreamPool] as const]) {
      const isRestricted = pool.condition !== 'open' || pool.unconfirmedMax !== null || nowMs < pool.pausedUntilMs
      if (isRestricted && this.pauses.of(of).evidence === null)
        this.#fail(`I6: ${nameOf(of)} is ${pool.condition} although nothing was wrong there`)
    }
  }

  async #sampleWaiting(nowMs: number): Promise<void> {
    const { service } = this
    if (service === null) return
    const rows = await service.store.query
      .selectFrom('tasks')
      .select(['no', 'tail', 'lease_fence'])
      .where('ended_at', 'is', null)
      .where('lease_until', 'is', null)
      .where('due_at', '<=', nowMs)
      .where('waits', '=', 0)
      .execute()
    const fences = new Map(rows.map(({ tail, lease_fence }) => [tail, lease_fence]))
    const before = this.#waiting
    this.#waiting = new Map()
    for (const { id } of this.open) {
      const fence = fences.get(id.slice(21))
      if (fence === undefined) continue
      const known = before.get(id)
      this.#waiting.set(id, known?.fence === fence ? known : { fence, sinceMs: nowMs })
    }
  }

  /** I2: two claim rounds with a free slot are enough. */
  #checkStarted(task: TrackedTask, nowMs: number): void {
    const waiting = this.#waiting.get(task.id)
    if (waiting === undefined || waiting.sinceMs > nowMs - startedWithinMs) return
    for (const rank of ranksOf(this.#able(task, this.#configured()))) {
      const free = rank.find((route) => (this.#availability.get(route)?.freeSinceMs ?? Infinity) <= nowMs - startedWithinMs)
      if (free !== undefined) {
        return this.#fail(
          `I2: ${short(task.id)} of ${task.model} asking ${task.asks.join() || 'nothing'} waits since ${nowMs - waiting.sinceMs} ms although ${free.id} has a free slot`,
        )
      }
      const isPassed = rank.every((route) => {
        const { downSinceMs = null, busySinceMs = null } = this.#availability.get(route) ?? {}
        const isDown = downSinceMs !== null && nowMs - downSinceMs >= startedWithinMs
        return isDown || (busySinceMs !== null && nowMs - busySinceMs >= route.deferMaxMs + startedWithinMs)
      })
      if (!isPassed) return
    }
  }

  /** I5: a higher priority number only when all before it are down, or busy for longer than their `defer_max`. */
  #checkPriority(attemptId: string, route: ScriptedRoute): void {
    const task = this.tasks.get(attemptId.split('_').slice(0, 2).join('_'))
    if (task === undefined) return
    for (const before of this.#able(task, this.#configured())) {
      if (before.priority >= route.priority || !route.isConfigured) continue
      const busySinceMs = this.#availability.get(before)?.busyAtRoundsSinceMs
      if (!this.#mayBePassed(before, busySinceMs, before.deferMaxMs - sampleEveryMs))
        this.#fail(
          `I5: ${short(attemptId)} was claimed on ${route.id} (priority ${route.priority}) although ${before.id} (priority ${before.priority}) is neither down nor busy for ${before.deferMaxMs} ms`,
        )
    }
  }

  #mayBePassed(route: ScriptedRoute, busySinceMs: number | null | undefined, busyForMs: number): boolean {
    // Shorter than the samples are apart: whether it was busy is not known.
    if (busyForMs <= 0 || this.service?.routeOf(route)?.isDown === true) return true
    return typeof busySinceMs === 'number' && this.#nowMs() - busySinceMs >= busyForMs
  }

  #isExpectedEnd({ status, errorCode, endedAtMs }: TaskRecord, task: TrackedTask, last: Submit | undefined): boolean {
    if (status === 'completed') return last?.job != null
    switch (errorCode) {
      case 'cancelled':
        return true
      case 'invalid_input':
        return task.wasUnservable
      case 'lost_upstream':
        return last?.answer.kind === 'lost' || this.#cutOffTasks.has(task.id)
      case 'upstream_failed':
        return last?.job?.hasFailed === true
      case 'upstream_timeout': {
        const attempt = last && this.#attempts.get(last.attemptId)
        return (endedAtMs ?? 0) - (attempt?.sentAtMs ?? Infinity) >= (attempt?.deadlineMs ?? 0)
      }
      default:
        return false
    }
  }

  #able({ model, asks }: TrackedTask, routes: readonly ScriptedRoute[]): ScriptedRoute[] {
    return routes.filter((route) => route.isConfigured && route.model === model && canServe(route, asks))
  }

  #configured(): ScriptedRoute[] {
    return this.#providers().routes.filter(({ isConfigured }) => isConfigured)
  }

  #providers(): Providers {
    if (this.providers === null) throw new Error('the case has no upstreams yet')
    return this.providers
  }

  #fail(violation: string): void {
    this.note(`VIOLATION ${violation}`)
    this.violations.push(violation)
  }
}

export function nameOf(of: ScriptedRoute | ScriptedUpstream): string {
  return 'id' in of ? of.id : of.baseUrl.replace('https://', '')
}

/** Ids of tasks and attempts without what all have in common. */
export function short(id: string): string {
  const [, task = '', attempt] = id.split('_')
  return `${task.slice(6, 16)}${attempt === undefined ? '' : ` attempt ${attempt}`}`
}

function freeOf({ inFlight, unconfirmed, unconfirmedMax, pausedUntilMs }: PoolState, inFlightMax: number, nowMs: number): number {
  if (nowMs < pausedUntilMs) return 0
  return Math.min(inFlightMax - inFlight, unconfirmedMax === null ? Infinity : unconfirmedMax - unconfirmed)
}

function isDown({ condition }: PoolState): boolean {
  return condition === 'unavailable' || condition === 'out_of_order'
}

function ranksOf(routes: readonly ScriptedRoute[]): ScriptedRoute[][] {
  const ranks = Map.groupBy(routes, ({ priority }) => priority)
  return [...ranks].toSorted(([a], [b]) => a - b).map(([, rank]) => rank)
}
