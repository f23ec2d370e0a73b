import type { ScriptedResponse, ProbeResult, ScriptedRoute, ScriptedUpstream, Submit } from './scripted-upstream.ts'

/** Documented bounds on `Retry-After`, repeated here independently of the service's code. */
const retryAfterMsMin = 1_000
const retryAfterMsMax = 10 * 60_000
const throttledBackoff: Backoff = { firstMs: 5_000, maxMs: 60_000 }
const retryAfterBackoff: Backoff = { firstMs: 1_000, maxMs: 60_000 }
const unavailableBackoff: Backoff = { firstMs: 1_000, maxMs: 5 * 60_000 }
const failedProbeBackoff: Backoff = { firstMs: 15_000, maxMs: 5 * 60_000 }

/** Maximum length of a pause, as a multiple of the required length. */
const jitterMax = 1.2

/**
 * Minimum pause after consecutive errors: `firstMs` after the first error, doubled by each further
 * error, up to `maxMs`.
 */
interface Backoff {
  firstMs: number
  maxMs: number
}

/** Limits on requests to a route or an upstream that follow from the responses so far. */
interface Allowance {
  /** Earliest time of the next submit. */
  earliestMs: number
  /** Latest possible end of the pause, including jitter. */
  latestMs: number
  /**
   * Time of the response that began the pause. A request sent in the same millisecond counts as
   * already in flight.
   */
  sinceMs: number
  /** Maximum number of submits without a response. */
  unansweredMax: number
  refusals: number
  isDown: boolean
  /** The response or probe that justifies the restriction. Null if there was none. */
  evidence: string | null
}

const unrestricted: Allowance = {
  earliestMs: 0,
  latestMs: 0,
  sinceMs: 0,
  unansweredMax: Infinity,
  refusals: 0,
  isDown: false,
  evidence: null,
}

/**
 * Whether a process sends further submits with a key. `unknown` while the process reads another
 * configuration.
 */
export type KeyUse = 'used' | 'replaced' | 'unknown'

/**
 * Reference model (test oracle) of when requests may be sent. It is derived only from upstream
 * responses and never reads the service's state.
 */
export class PauseModel {
  readonly #allowances = new Map<ScriptedRoute | ScriptedUpstream, Allowance>()
  /** The allowances when all writes were last known to be committed. */
  #settled = new Map<ScriptedRoute | ScriptedUpstream, Allowance>()

  allowanceOf(subject: ScriptedRoute | ScriptedUpstream): Readonly<Allowance> {
    return this.#allowances.get(subject) ?? unrestricted
  }

  /**
   * Returns the reason why a submit must not be sent now, or null if it may. `unanswered` is the
   * number of submits without a response, including this one.
   */
  violationOf(subject: ScriptedRoute | ScriptedUpstream, unanswered: number, nowMs: number): string | null {
    const { earliestMs, sinceMs, unansweredMax, evidence } = this.allowanceOf(subject)
    if (sinceMs === nowMs) return null
    if (nowMs < earliestMs) return `was sent ${earliestMs - nowMs} ms before the pause after ${evidence} ends`
    if (unanswered > unansweredMax)
      return `is one of ${unanswered} without a response; after ${evidence} at most ${unansweredMax} may be sent at once`
    return null
  }

  /**
   * Records the response to a submit. `keyUse`: whether its sender still uses the key of the
   * submit.
   */
  responded({ route, response }: Submit, keyUse: KeyUse, nowMs: number): void {
    const { upstream } = route
    // The rejection of an earlier key says nothing about the current one. A `Retry-After` applies
    // to every key.
    if (response.kind !== 'ok' && response.kind !== 'throttled') {
      if (keyUse === 'unknown') for (const subject of [route, upstream]) this.suspect(subject, describeResponse(response))
      if (keyUse !== 'used') return
    }
    switch (response.kind) {
      case 'ok':
        return this.found(route, nowMs)
      case 'throttled':
        return this.#refused(route, response, nowMs)
      case 'unreachable':
        return this.#refused(upstream, response, nowMs)
      case 'error':
        return this.#refused(response.status < 403 && !upstream.features.probe ? upstream : route, response, nowMs)
      case 'lost':
        return this.#refused(route, response, nowMs)
      case 'unsuitable':
        return
      default:
        response satisfies never
    }
  }

  /** Records that the upstream has accepted an attempt, according to its response or a look-up. */
  found(route: ScriptedRoute, nowMs: number): void {
    for (const subject of [route, route.upstream]) this.#accepted(subject, nowMs)
  }

  probed(upstream: ScriptedUpstream, nowMs: number): void {
    const allowanceBefore = this.allowanceOf(upstream)
    switch (upstream.probeResult.kind) {
      case 'works':
        if (allowanceBefore.isDown) this.#reopen(upstream, allowanceBefore, nowMs)
        return
      case 'fails':
        // The failed probe confirms that the credential is rejected, or that the upstream is still
        // unavailable.
        return this.#pause(upstream, failedProbeBackoff, 'a failed probe', nowMs, true)
      case 'unsupported':
        return
      case 'throttled':
        if (allowanceBefore.isDown) this.#refused(upstream, upstream.probeResult, nowMs)
        return this.suspect(upstream, 'a throttled probe')
      default:
        upstream.probeResult satisfies never
    }
  }

  /** Ends the pause of a route or an upstream after an operator's test has passed. */
  tested(subject: ScriptedRoute | ScriptedUpstream, nowMs: number): void {
    const allowanceBefore = this.allowanceOf(subject)
    if (allowanceBefore.evidence !== null) this.#reopen(subject, allowanceBefore, nowMs)
  }

  /**
   * Removes the restrictions of a route or an upstream with a new URL or key. Responses to requests
   * in flight may still restrict it.
   */
  clear(subject: ScriptedRoute | ScriptedUpstream): void {
    this.#allowances.set(subject, { ...unrestricted, evidence: this.allowanceOf(subject).evidence })
  }

  /**
   * Permits an early end of a pause. A process that has just read a new key may end a pause caused
   * by its own failures with an earlier key.
   */
  mayReopen(subject: ScriptedRoute | ScriptedUpstream, nowMs: number): void {
    const allowanceBefore = this.allowanceOf(subject)
    this.#allowances.set(subject, { ...allowanceBefore, earliestMs: Math.min(allowanceBefore.earliestMs, nowMs), refusals: 0 })
  }

  /** Records evidence that may restrict the route or the upstream later, but not yet. */
  suspect(subject: ScriptedRoute | ScriptedUpstream, evidence: string): void {
    const allowanceBefore = this.allowanceOf(subject)
    this.#allowances.set(subject, { ...allowanceBefore, evidence: allowanceBefore.evidence ?? evidence })
  }

  /** Called when all writes are committed. */
  settled(): void {
    this.#settled = new Map(this.#allowances)
  }

  /**
   * Called after a crash, which may have lost uncommitted writes. From then on, the more permissive
   * limit of the committed and the current state applies.
   */
  crashed(): void {
    for (const [subject, allowance] of this.#allowances) {
      const allowanceBefore = this.#settled.get(subject) ?? unrestricted
      this.#allowances.set(subject, {
        earliestMs: Math.min(allowance.earliestMs, allowanceBefore.earliestMs),
        latestMs: Math.max(allowance.latestMs, allowanceBefore.latestMs),
        sinceMs: allowance.sinceMs,
        unansweredMax: Math.max(allowance.unansweredMax, allowanceBefore.unansweredMax),
        refusals: Math.min(allowance.refusals, allowanceBefore.refusals),
        isDown: allowance.isDown || allowanceBefore.isDown,
        evidence: allowance.evidence ?? allowanceBefore.evidence,
      })
    }
  }

  #reopen(subject: ScriptedRoute | ScriptedUpstream, allowanceBefore: Allowance, nowMs: number): void {
    const earliestMs = Math.min(allowanceBefore.earliestMs, nowMs)
    this.#allowances.set(subject, { ...allowanceBefore, earliestMs, refusals: 0, unansweredMax: 1, isDown: false })
  }

  #accepted(subject: ScriptedRoute | ScriptedUpstream, nowMs: number): void {
    const allowanceBefore = this.allowanceOf(subject)
    if (nowMs < allowanceBefore.earliestMs || allowanceBefore.evidence === null) return
    const doubled = allowanceBefore.unansweredMax * 2
    this.#allowances.set(subject, {
      ...allowanceBefore,
      refusals: 0,
      isDown: false,
      unansweredMax: doubled >= 64 ? Infinity : doubled,
    })
  }

  #refused(subject: ScriptedRoute | ScriptedUpstream, response: ScriptedResponse, nowMs: number): void {
    if (response.kind !== 'throttled') return this.#pause(subject, unavailableBackoff, describeResponse(response), nowMs, true)
    if (response.retryAfterMs === null) return this.#pause(subject, throttledBackoff, describeResponse(response), nowMs, false)
    const leastMs = clampRetryAfter(response.retryAfterMs)
    this.#pause(subject, retryAfterBackoff, describeResponse(response), nowMs, false, leastMs)
  }

  /**
   * Begins or extends a pause. Its required length, without jitter, doubles with each consecutive
   * pause. Errors during a pause do not count again, because their requests were in flight when it
   * began.
   */
  #pause(
    subject: ScriptedRoute | ScriptedUpstream,
    { firstMs, maxMs }: Backoff,
    evidence: string,
    nowMs: number,
    isDown: boolean,
    leastMs = 0,
  ): void {
    const allowanceBefore = this.allowanceOf(subject)
    const refusals = nowMs <= allowanceBefore.latestMs ? Math.max(1, allowanceBefore.refusals) : allowanceBefore.refusals + 1
    const waitMs = Math.max(leastMs, Math.min(maxMs, firstMs * 2 ** (refusals - 1)))
    this.#allowances.set(subject, {
      earliestMs: Math.max(allowanceBefore.earliestMs, nowMs + waitMs),
      latestMs: Math.max(allowanceBefore.latestMs, nowMs + waitMs * jitterMax),
      sinceMs: nowMs < allowanceBefore.earliestMs ? allowanceBefore.sinceMs : nowMs,
      unansweredMax: 1,
      refusals,
      isDown: isDown || allowanceBefore.isDown,
      evidence,
    })
  }
}

/** Returns the time for which a `Retry-After` must be honored, in milliseconds. */
export function clampRetryAfter(retryAfterMs: number): number {
  return Math.min(retryAfterMsMax, Math.max(retryAfterMsMin, retryAfterMs))
}

export function describeResponse(response: ScriptedResponse | ProbeResult): string {
  switch (response.kind) {
    case 'ok':
    case 'works':
    case 'fails':
    case 'unsupported':
      return response.kind
    case 'error':
      return String(response.status)
    case 'throttled':
      return response.retryAfterMs === null ? '429' : `429 with Retry-After ${response.retryAfterMs / 1000} s`
    case 'lost':
      return response.isStarted ? 'a lost response (job started)' : 'a lost response (no job)'
    case 'unreachable':
      return 'a connection failure'
    case 'unsuitable':
      return '422'
    default:
      return response satisfies never
  }
}
