import type { Readable } from 'node:stream'
import type { FailureCode, PixelSize, Simulation, TaskObject } from '@framegate/contract'
import type { WatermarkDesign } from '../watermark/watermark-design.ts'
import type { ForwardRequest, ForwardResponse } from './forwarding.ts'
import type { GenerationParameters } from '../catalogue/generation-parameters.ts'

/**
 * Produces media. `embedded` renders on this machine, and an upstream driver calls a provider.
 *
 *   start -> operation          the attempt is committed as `starting` before the call, and the
 *                               operation is stored right after it
 *   poll(operation)             called until the operation has succeeded or failed; a running
 *                               operation is an outcome and not an error
 *   fetchOutput(output)         a stream; the media store limits its size and never holds a whole
 *                               file in memory
 *
 * An operation is plain JSON. It is stored with the attempt, so that any process may continue it
 * after a restart.
 */
export interface Driver {
  readonly name: string
  /**
   * True if starting the same attempt a second time costs nothing and has the same result. If the
   * operation of an attempt was never stored, the dispatcher then starts the attempt again. With
   * any other driver, an attempt is started only once.
   */
  readonly isStartIdempotent: boolean
  /**
   * Throws `DriverRefusal` if the upstream refused the job itself, and `NotAccepted` if it
   * certainly did not accept the job. After any other error it is unknown whether the job was
   * accepted. The dispatcher then calls `find` and never starts the job again.
   */
  start(request: GenerationRequest, context: StartContext): Promise<Operation>
  /**
   * Throws if the state of the operation is unknown. The error does not end the operation, which is
   * polled again.
   */
  poll(operation: Operation, request: GenerationRequest, signal: AbortSignal): Promise<PollOutcome>
  fetchOutput(output: DriverOutput, signal: AbortSignal): Promise<Readable>
  /**
   * Returns the path of an output that is a file on this machine. The file is whole and unchanged
   * until `discard` or `cancel`. Undefined if the output is fetched.
   */
  outputFile?(output: DriverOutput): string | undefined
  /**
   * Finds the operation of an attempt whose start got no response, by the attempt id in its submit.
   * Null: the upstream certainly did not accept the job. Throws if this cannot be determined now.
   * Undefined if the upstream has no such function.
   */
  find?(request: GenerationRequest, signal: AbortSignal): Promise<Operation | null>
  /**
   * Set if `find` sends the submit again. The dispatcher then calls `find` neither for an ended
   * task nor while submits are paused. `find` throws `NotAccepted` if the upstream throttles it.
   */
  readonly findsBySubmitting?: true
  /**
   * Tells the driver that the operation is no longer needed. Never throws. It is safe to call
   * twice.
   */
  cancel?(operation: Operation, request: GenerationRequest): Promise<void>
  /** Called when the output is stored, so that the driver may remove its own copy. */
  discard?(operation: Operation, request: GenerationRequest): Promise<void>
  /**
   * Checks whether a callback is genuine. Throws if this cannot be checked now. Undefined if the
   * upstream sends no callbacks.
   */
  readCallback?(callback: Callback): Promise<CallbackReading>
  /**
   * Sends a request for a token model, and returns the response as soon as its head has arrived.
   * Throws `ForwardRefusal` and `NotAccepted`. Undefined if the upstream has no such models.
   */
  forward?(request: ForwardRequest): Promise<ForwardResponse>
  [Symbol.asyncDispose](): Promise<void>
}

/** Arguments that the dispatcher passes to `start`. */
export interface StartContext {
  signal: AbortSignal
  /**
   * The driver must await it exactly once, right before it sends the request that may start a job.
   * At this time all inputs are uploaded and a connection slot is acquired. It commits that the
   * request may have been sent. It rejects if the attempt must no longer be sent, because its task
   * was cancelled or the route is paused. The driver then sends nothing, and `start` rejects with
   * the same error. A driver with `isStartIdempotent` does not have to call it.
   */
  beforeSubmit(): Promise<void>
}

/** The immutable input of one attempt of a task. It has everything that a driver needs. */
export interface GenerationRequest {
  /** Sent as the idempotency key to each provider that accepts one. It is safe as a file name. */
  attemptId: string
  model: string
  object: TaskObject
  /**
   * Exact pixels of the result, as documented for the ratio and resolution in the parameters. A text
   * has a size of 0.
   */
  size: PixelSize
  parameters: GenerationParameters
  /** A request with a simulation is never sent to a provider (`simulation/`). */
  simulate: Simulation | null
  /**
   * Design of the service's own watermark, if the parameters request a watermark. Default: the
   * product's design.
   */
  watermarkDesign?: WatermarkDesign
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Operation = { [key: string]: Json }

/**
 * Location of one produced file, as plain JSON. Only the driver that created it reads its fields.
 */
export interface DriverOutput {
  /**
   * Content type that the driver declares. The type in the database comes from the probe of the
   * collected file.
   */
  contentType: string
  location: Json
  /** Seed of the result, if the driver chose the seed itself. */
  seed?: number
  /**
   * Set if the client wants a watermark and the file has none. The service then draws it when it
   * collects the file.
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
  /** Sentence for the client. It does not name the upstream. */
  reason: string
  /** Message of the upstream, for the operator. */
  detail?: string
  retryable: boolean
  usage?: Usage
}

/**
 * The charge for the operation that the upstream reports, in its own unit: `usd`, `credits`,
 * `tokens`.
 */
export interface Usage {
  amount: number
  unit: string
}

/** A request to an attempt's callback address, as received. */
export interface Callback {
  method: string
  /** Address as the service gave it to the upstream, with the query that the upstream added. */
  url: string
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * Result of the check of a callback. A genuine callback makes the service poll now, and its content
 * has no other effect. A `forged` callback is refused and has no effect.
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
 * The job itself is refused, by the service or by the upstream. Any other route would refuse it
 * too, so the task fails with this code and sentence.
 */
export class DriverRefusal extends Error {
  override readonly name = 'DriverRefusal'
  readonly code: FailureCode
  /** Message of the upstream, for the operator. */
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
 *   throttled     the upstream asks the service to retry later: too many requests, no capacity
 *   unavailable   the upstream cannot be used in its present state
 *   unsuitable    this route cannot serve the request, but other routes may: its model lacks a
 *                 parameter, or its price is above a limit
 */
export type NotAcceptedReason = 'throttled' | 'unavailable' | 'unsuitable'

/**
 * The scope of a refusal.
 *
 *   route        this model: it is unknown, not enabled, not permitted or out of order; also every
 *                throttled and every unsuitable request
 *   credential   all models of the credential: a wrong or expired key, insufficient balance, an
 *                overdue account
 *   upstream     the whole upstream: no connection could be made
 */
export type RefusalScope = 'route' | 'credential' | 'upstream'

/**
 * The upstream has certainly not accepted the job and charges nothing, so another route may be
 * tried.
 */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted'
  readonly reason: NotAcceptedReason
  readonly scope: RefusalScope
  /** The delay that the upstream requested. Null if it requested none. */
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
  /** Scope of an unavailable upstream. Default: `route`. Throttling always concerns the route. */
  scope?: RefusalScope
}
