import { Readable } from 'node:stream'
import {
  NotAccepted,
  type Driver,
  type GenerationRequest,
  type Operation,
  type PollOutcome,
  type StartContext,
} from '../../src/drivers/driver.ts'
import { ProbeError } from '../../src/drivers/upstream/probe-error.ts'
import { UpstreamThrottled } from '../../src/drivers/upstream/retry-after.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamRequest } from '../../src/drivers/upstream/upstream-driver.ts'
import { readAttemptId } from '../../src/identity/attempt-id.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Response of an upstream or a route to submits. */
export type ScriptedResponse =
  | { kind: 'ok' }
  | { kind: 'error'; status: 401 | 402 | 403 | 404 }
  /** A response with status 429. `retryAfterMs` is null for a response without `Retry-After`. */
  | { kind: 'throttled'; retryAfterMs: number | null }
  /** A 5xx response, or no response. `isStarted`: whether a job was started. */
  | { kind: 'lost'; isStarted: boolean }
  | { kind: 'unreachable' }
  /** This route cannot serve the request, but others may. */
  | { kind: 'unsuitable' }

/**
 * Response of an upstream to probes, which are requests that cost nothing. `unsupported`: the
 * upstream has no such request. This response proves nothing about the key.
 */
export type ProbeResult = { kind: 'works' | 'fails' | 'unsupported' } | Extract<ScriptedResponse, { kind: 'throttled' }>

/** Response of an upstream to polls. */
export type PollResponse = Extract<ScriptedResponse, { kind: 'ok' | 'throttled' }>

/** Parameters that only some routes support. */
export const abilities = ['seed', 'audio', 'negative_prompt'] as const
export type Ability = (typeof abilities)[number]

export interface Features {
  find: boolean
  cancel: boolean
  probe: boolean
}

/** A provider: its configuration and its behavior. */
export interface ScriptedUpstream {
  readonly baseUrl: string
  readonly features: Features
  name: string
  key: string
  inFlightMax: number
  /** Time for uploads and a connection, before the submit is sent. */
  preparationMs: number
  /** Time from a submit to its response. */
  latencyMs: number
  /** The response on all routes of the upstream. With `ok`, the response of each route applies. */
  response: ScriptedResponse
  probeResult: ProbeResult
  pollResponse: PollResponse
}

/** Responses of a healthy upstream. */
export const healthyResponses = {
  response: { kind: 'ok' },
  probeResult: { kind: 'works' },
  pollResponse: { kind: 'ok' },
} as const satisfies Partial<ScriptedUpstream>

export interface ScriptedRoute {
  /** Name in the log of a case, and the provider's name for the model (`upstream_model`). */
  readonly id: string
  readonly model: string
  readonly upstream: ScriptedUpstream
  readonly abilities: readonly Ability[]
  weight: number
  priority: number
  inFlightMax: number
  deferMaxMs: number
  deadlineMs: number | null
  response: ScriptedResponse
  isConfigured: boolean
}

export interface ScriptedJob {
  readonly submit: Submit
  endsAtMs: number
  hasFailed: boolean
  /** Whether the service abandoned the job, because it does not know whether the job was started. */
  isAbandoned: boolean
}

/** A process that sends submits. A killed process sends nothing, and its calls do not return. */
export interface Sender {
  readonly isDead: boolean
}

export interface Submit {
  readonly attemptId: string
  readonly taskId: string
  readonly route: ScriptedRoute
  readonly credential: string
  readonly sender: Sender
  readonly atMs: number
  readonly response: ScriptedResponse
  /**
   * Whether the submit has no response yet and the process that waits for the response is alive.
   */
  isInTransit: boolean
  job: ScriptedJob | null
}

export interface UpstreamObserver {
  started(attemptId: string, route: ScriptedRoute, sender: Sender): void
  /**
   * Called when the attempt is about to be sent. From now on, other processes cannot know whether
   * it was sent.
   */
  begins(attemptId: string): void
  sent(submit: Submit): void
  responded(submit: Submit): void
  /** Called after a look-up. If it found no job, the attempt ends. */
  lookedUp(route: ScriptedRoute, isFound: boolean): void
  probed(upstream: ScriptedUpstream, sender: Sender): void
  polled(submit: Submit, credential: string, sender: Sender): void
  /** Called when a process has logged an error. */
  logged(error: string): void
}

/**
 * All providers of a test case, with the requests that they have received and the jobs that they
 * run.
 */
export class Providers {
  readonly routes: ScriptedRoute[]
  readonly submits: Submit[] = []
  /**
   * Maximum random addition to the duration of a new job, in milliseconds. A job takes at least
   * half a second.
   */
  jobMsMax = 15_000
  readonly #time: VirtualTime
  readonly observer: UpstreamObserver

  constructor(routes: ScriptedRoute[], time: VirtualTime, observer: UpstreamObserver) {
    this.routes = routes
    this.#time = time
    this.observer = observer
  }

  /** Returns the number of submits in flight and running jobs of a route or of an upstream. */
  inFlight(subject: ScriptedRoute | ScriptedUpstream): number {
    return this.submits.filter((submit) => {
      if (submit.route !== subject && submit.route.upstream !== subject) return false
      return submit.isInTransit || this.#isRunning(submit.job)
    }).length
  }

  running(): ScriptedJob[] {
    return this.submits.flatMap(({ job }) => (this.#isRunning(job) && job !== null ? [job] : []))
  }

  /** Drops the responses in flight to a killed process, and returns their submits. */
  cutOff(killed: Sender): Submit[] {
    const inTransit = this.submits.filter(({ isInTransit, sender }) => isInTransit && sender === killed)
    for (const submit of inTransit) submit.isInTransit = false
    return inTransit
  }

  /** Returns a driver for one process. */
  driver(name: string, features: Features, sender: Sender): UpstreamDriver {
    const probeTarget = async (target: ConnectedTarget): Promise<void> => {
      if (sender.isDead) return neverSettles()
      const { upstream } = this.#routeOf(target)
      this.observer.probed(upstream, sender)
      const { probeResult } = upstream
      if (probeResult.kind === 'throttled') throw new UpstreamThrottled('429', probeResult.retryAfterMs)
      if (probeResult.kind === 'unsupported') throw new ProbeError('unsupported', '404')
      if (probeResult.kind === 'fails') throw new Error('the probe failed')
    }
    return {
      name,
      defaultBaseUrl: null,
      credential: { isRequired: true, format: 'a key' },
      refuse: ({ parameters }: UpstreamRequest, target) => {
        const missing = requiredAbilitiesOf(parameters).find((ability) => !this.#routeOf(target).abilities.includes(ability))
        return missing === undefined ? null : { parameter: missing, message: `${missing} is not available` }
      },
      connect: (target) => this.#connect(name, target, features, sender),
      ...(features.probe && { probe: probeTarget }),
    }
  }

  #connect(name: string, target: ConnectedTarget, features: Features, sender: Sender): Driver {
    const route = this.#routeOf(target)
    const unlessDead = <Value>(value: Promise<Value> | Value): Promise<Value> | Value => (sender.isDead ? neverSettles() : value)
    const submitOf = (operation: Operation): Submit => {
      const submit = this.submits.find(({ attemptId, job }) => attemptId === operation['job'] && job !== null)
      if (submit === undefined) throw new Error(`there is no job ${JSON.stringify(operation)}`)
      return submit
    }
    return {
      name,
      isStartIdempotent: false,
      start: async (request, context) => unlessDead(await this.#start(request, context, route, target, sender)),
      poll: async (operation) => {
        await unlessDead(null)
        const submit = submitOf(operation)
        this.observer.polled(submit, target.credential, sender)
        const { pollResponse } = route.upstream
        if (pollResponse.kind === 'throttled') throw new UpstreamThrottled('429', pollResponse.retryAfterMs)
        return this.#outcomeOf(submit)
      },
      fetchOutput: async () => Readable.from(['video']),
      ...(features.find && {
        find: async ({ attemptId }: GenerationRequest) => {
          await unlessDead(null)
          const knownSubmit = this.submits.find((submit) => submit.attemptId === attemptId && submit.job !== null)
          this.observer.lookedUp(route, knownSubmit !== undefined)
          return knownSubmit === undefined ? null : { job: attemptId }
        },
      }),
      ...(features.cancel && {
        cancel: async (operation: Operation) => {
          await unlessDead(null)
          const { job } = submitOf(operation)
          if (job !== null && this.#isRunning(job)) Object.assign(job, { endsAtMs: this.#time.nowMs, hasFailed: true })
        },
      }),
      async [Symbol.asyncDispose]() {},
    }
  }

  async #start(
    { attemptId }: GenerationRequest,
    context: StartContext,
    route: ScriptedRoute,
    { credential }: ConnectedTarget,
    sender: Sender,
  ): Promise<Operation> {
    const { upstream } = route
    this.observer.started(attemptId, route, sender)
    // An upload may ignore an abort. `beforeSubmit` must then detect that the task was cancelled.
    if (upstream.preparationMs > 0) await this.#time.sleep(upstream.preparationMs)
    this.observer.begins(attemptId)
    await context.beforeSubmit()
    if (sender.isDead) return neverSettles()
    const response = upstream.response.kind === 'ok' ? route.response : upstream.response
    const { taskId = '' } = readAttemptId(attemptId) ?? {}
    const submit: Submit = {
      attemptId,
      taskId,
      route,
      credential,
      sender,
      atMs: this.#time.nowMs,
      response,
      isInTransit: true,
      job: null,
    }
    if (response.kind === 'ok' || (response.kind === 'lost' && response.isStarted)) {
      const endsAtMs = this.#time.nowMs + upstream.latencyMs + 500 + Math.floor(this.#time.random() * this.jobMsMax)
      submit.job = { submit, endsAtMs, hasFailed: false, isAbandoned: false }
    }
    this.submits.push(submit)
    this.observer.sent(submit)
    if (upstream.latencyMs > 0) await this.#time.sleep(upstream.latencyMs, context.signal)
    if (sender.isDead || !submit.isInTransit) return neverSettles()
    submit.isInTransit = false
    this.observer.responded(submit)
    return responseOf(submit)
  }

  #outcomeOf({ job }: Submit): PollOutcome {
    if (job === null || this.#isRunning(job)) return { state: 'running' }
    if (job.hasFailed) return { state: 'failed', code: 'upstream_failed', reason: 'The job failed.', retryable: false }
    return { state: 'succeeded', outputs: [{ contentType: 'video/mp4', location: null }] }
  }

  #isRunning(job: ScriptedJob | null): boolean {
    return job !== null && !job.isAbandoned && this.#time.nowMs < job.endsAtMs
  }

  #routeOf({ model }: { model: string }): ScriptedRoute {
    const route = this.routes.find(({ id }) => id === model)
    if (route === undefined) throw new Error(`there is no route to ${model}`)
    return route
  }
}

function requiredAbilitiesOf(parameters: object): Ability[] {
  return abilities.filter((ability) => ability in parameters)
}

export function canServe(route: ScriptedRoute, requiredAbilities: readonly Ability[]): boolean {
  return requiredAbilities.every((ability) => route.abilities.includes(ability))
}

function responseOf({ response, attemptId }: Submit): Operation {
  switch (response.kind) {
    case 'ok':
      return { job: attemptId }
    case 'throttled':
      throw new NotAccepted('throttled', '429', { retryAfterMs: response.retryAfterMs })
    case 'error':
      throw new NotAccepted('unavailable', String(response.status), { scope: response.status < 403 ? 'credential' : 'route' })
    case 'unreachable':
      throw new NotAccepted('unavailable', 'connection refused', { scope: 'upstream' })
    case 'unsuitable':
      throw new NotAccepted('unsuitable', '422')
    case 'lost':
      throw new Error('502')
    default:
      return response satisfies never
  }
}

function neverSettles(): Promise<never> {
  return new Promise(() => {})
}
