import type { Readable } from 'node:stream'
import type { FailureCode, PixelSize, Simulation, TaskObject } from '@framegate/contract'
import type { WatermarkDesign } from '../watermark/watermark-design.ts'
import type { ForwardRequest, ForwardResponse } from './forwarding.ts'
import type { GenerationParameters } from '../catalogue/generation-parameters.ts'

/**
 * Produces media: `embedded` renders on this machine, an upstream driver calls a provider.
 *
 *   start -> operation          the attempt is committed as `starting` before, the operation right
 *                               after
 *   poll(operation)             until it has succeeded or failed; still running is an outcome, not
 *                               an error
 *   fetchOutput(output)         a stream; the media store bounds it and never holds a whole file
 *
 * An operation is plain JSON. It is stored with the attempt, so that any process may continue it
 * after a restart.
 */
export interface Driver {
  readonly name: string
  /**
   * True if starting the same attempt a second time costs nothing and has the same result. The
   * dispatcher then simply restarts an attempt whose operation was never stored. No other driver is
   * ever asked to start twice.
   */
  readonly isStartIdempotent: boolean
  /**
   * Throws `DriverRefusal` if the job itself is refused, and `NotAccepted` if it was certainly not
   * accepted. After any other error it is unknown whether the job was accepted: `find` is called,
   * and the job is never started again.
   */
  start(request: GenerationRequest, context: StartContext): Promise<Operation>
  /**
   * Throws if the state of the operation could not be learned. That says nothing about the
   * operation, and it is polled again.
   */
  poll(operation: Operation, request: GenerationRequest, signal: AbortSignal): Promise<PollOutcome>
  fetchOutput(output: DriverOutput, signal: AbortSignal): Promise<Readable>
  /**
   * Path of an output that is a file of this machine, whole and unchanged until `forget` or
   * `cancel`. Undefined or left out if the output is fetched.
   */
  outputFile?(output: DriverOutput): string | undefined
  /**
   * The operation of an attempt whose start got no response, by the attempt id that went upstream
   * with it. Null: it was certainly not accepted. Throws if the upstream cannot tell now. Left out
   * if it never can.
   */
  find?(request: GenerationRequest, signal: AbortSignal): Promise<Operation | null>
  /**
   * Set if `find` sends the submit again. It is then not called for a task that has ended or while
   * submits are paused, and throws `NotAccepted` if it is throttled.
   */
  readonly findsBySubmitting?: true
  /** Tells the driver that the operation is no longer needed. Never throws; safe to call twice. */
  cancel?(operation: Operation, request: GenerationRequest): Promise<void>
  /** Called once the output is stored, so that the driver may drop its own copy. */
  forget?(operation: Operation, request: GenerationRequest): Promise<void>
  /**
   * How far a callback of the upstream can be trusted; throws if that cannot be checked now. Left
   * out if the upstream never calls.
   */
  readCallback?(callback: Callback): Promise<CallbackReading>
  /**
   * Sends a request for a token model, and returns the response as soon as its head has arrived. Throws
   * `ForwardRefusal` and `NotAccepted`. Left out if the upstream has no such models.
   */
  forward?(request: ForwardRequest): Promise<ForwardResponse>
  [Symbol.asyncDispose](): Promise<void>
}

/** Passed to the start of an attempt by the dispatcher. */
export interface StartContext {
  signal: AbortSignal
  /**
   * Must be awaited exactly once, right before the request that may start a job is sent: after
   * inputs were uploaded and a connection slot was acquired. Commits that the request may have been
   * sent. Rejects if the attempt must not be sent any more (its task was cancelled, the route is
   * paused); then nothing is sent, and `start` rejects with the same error. A driver that
   * `isStartIdempotent` need not call it.
   */
  beforeSubmit(): Promise<void>
}

/** The immutable input of one attempt at one task: everything a driver needs to know. */
export interface GenerationRequest {
  /** Goes upstream as the idempotency key wherever a provider takes one. File-name safe. */
  attemptId: string
  model: string
  object: TaskObject
  /**
   * Exact pixels of the result, as documented for the ratio and resolution of the parameters; 0 for
   * a text.
   */
  size: PixelSize
  parameters: GenerationParameters
  /** Such a request never reaches a provider (`simulation/`). */
  simulate: Simulation | null
  /** Design of our own watermark, if the parameters ask for one. Default: the product's design. */
  watermarkDesign?: WatermarkDesign
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Operation = { [key: string]: Json }

/** Location of one produced file: plain JSON, opaque to all but the driver that made it. */
export interface DriverOutput {
  /** As the driver declares it; the probe of the collected file decides. */
  contentType: string
  location: Json
  /** The seed that was used, if the driver chose one itself. */
  seed?: number
  /**
   * The client wants a watermark, and the upstream has none: it is drawn when the file is
   * collected.
   */
  lacksWatermark?: true
  /**
   * An early frame of a video for its thumbnail, if the driver has written one: a file of packed RGB
   * on this machine, which lives as long as the file of the output.
   */
  earlyFrame?: PixelSize & { path: string }
  /** Set for a text that the service wrote itself. */
  engine?: 'embedded'
}

export type PollOutcome =
  | { state: 'queued' }
  /** `progress` is 0 to 99. */
  | { state: 'running'; progress?: number }
  | { state: 'succeeded'; outputs: [DriverOutput, ...DriverOutput[]]; usage?: Usage }
  | FailedOutcome

export interface FailedOutcome {
  state: 'failed'
  code: FailureCode
  /** For the client: names no upstream. */
  reason: string
  /** For the operator: the upstream's message. */
  detail?: string
  retryable: boolean
  usage?: Usage
}

/**
 * The charge that the upstream reports for the operation, in its own unit: `usd`, `credits`,
 * `tokens`.
 */
export interface Usage {
  amount: number
  unit: string
}

/** A request to an attempt's callback address, as received. */
export interface Callback {
  method: string
  /** As given to the upstream, with the query that it added. */
  url: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * Whatever a callback says, it only makes the next poll come now. `forged` is refused and has no
 * effect.
 */
export interface CallbackReading {
  trust: 'signed' | 'unsigned' | 'forged'
  /** The reply that the upstream expects. Default: an empty object. */
  reply?: Json
}

/**
 * Reports that something has changed for this attempt, so that its next poll is made now instead of
 * on schedule.
 */
export type OperationChanged = (attemptId: string) => void

/**
 * The job itself is refused, here or upstream, and any other route would refuse it too: the task
 * fails with this code and sentence.
 */
export class DriverRefusal extends Error {
  override readonly name = 'DriverRefusal'
  readonly code: FailureCode
  /** For the operator: the upstream's message. */
  readonly detail: string | null

  constructor(code: FailureCode, message: string, options?: ErrorOptions & { detail?: string }) {
    super(message, options)
    this.code = code
    this.detail = options?.detail ?? null
  }
}

/**
 * Why an upstream has not accepted a job.
 *
 *   throttled     the upstream asks to come back later: too many requests, no capacity
 *   unavailable   the upstream cannot be used as it is
 *   unsuitable    the route cannot serve this request, others may: a parameter that its model does
 *                 not have, a price above its bound
 */
export type NotAcceptedReason = 'throttled' | 'unavailable' | 'unsuitable'

/**
 * The scope of a refusal.
 *
 *   route        this model: unknown, not enabled, not permitted, out of order; every throttling,
 *                every unsuitable request
 *   credential   all its models: a wrong or expired key, insufficient balance, an overdue account
 *   upstream     the whole upstream: no connection could be made
 */
export type RefusalScope = 'route' | 'credential' | 'upstream'

/**
 * The upstream has certainly not accepted the job, and nothing was paid: another route may be
 * tried.
 */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted'
  readonly reason: NotAcceptedReason
  readonly scope: RefusalScope
  /** The time that the upstream gave; null if it gave none. */
  readonly retryAfterMs: number | null

  constructor(reason: NotAcceptedReason, message: string, options: NotAcceptedOptions = {}) {
    super(message, options)
    this.reason = reason
    this.scope = reason === 'unavailable' ? (options.scope ?? 'route') : 'route'
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

export interface NotAcceptedOptions extends ErrorOptions {
  retryAfterMs?: number | null
  /** Scope of an unavailable upstream; default: `route`. Throttling is about the route. */
  scope?: RefusalScope
}
