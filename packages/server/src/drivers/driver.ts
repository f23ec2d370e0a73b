import type { Readable } from 'node:stream'
import type { FailureCode, PixelSize, Simulation, TaskObject } from '@framegate/contract'
import type { StoredMedia } from '../media/media-store.ts'
import type { WatermarkDesign } from '../watermark/watermark-design.ts'
import type { ForwardRequest, ForwardResponse } from './forwarding.ts'
import type { GenerationParameters } from '../catalogue/generation-parameters.ts'

/**
 * Generates media and texts: the driver `embedded` on this machine, an upstream driver by calls to
 * a provider. Each attempt of a task runs on one route, which assigns a model to an upstream.
 *
 *   start -> operation          uploads the inputs and sends the submit. The attempt is committed
 *                               as `starting` right before the submit, and the operation is stored
 *                               right after `start`
 *   poll(operation)             called until the operation has succeeded or failed; a running
 *                               operation is an outcome and not an error
 *   fetchOutput(output)         returns the file as a stream, because it may be large
 *
 * An operation is the driver's record of a job, in plain JSON. It is stored with the attempt, so
 * that any process can continue the job after a restart.
 */
export interface Driver {
  readonly name: string
  /**
   * True if starting the same attempt a second time costs nothing and has the same result. The
   * dispatcher then restarts an attempt whose operation was never stored. Otherwise it starts an
   * attempt only once.
   */
  readonly isStartIdempotent: boolean
  /**
   * Starts the job of an attempt. Throws `DriverRefusal` if every route would refuse the job, and
   * `NotAccepted` if this upstream certainly did not accept it. If any other error follows
   * `beforeSubmit`, it is unknown whether the job was accepted. The dispatcher then calls `find`.
   * It calls `start` again only for a driver with `isStartIdempotent`.
   */
  start(request: GenerationRequest, context: StartContext): Promise<Operation>
  /**
   * Returns the state of the operation. If it throws, the state is unknown, and the dispatcher
   * polls again later.
   */
  poll(operation: Operation, request: GenerationRequest, signal: AbortSignal): Promise<PollOutcome>
  /** Throws `OutputUnavailable` if the server of the output is temporarily unavailable. */
  fetchOutput(output: DriverOutput, signal: AbortSignal): Promise<Readable>
  /**
   * Returns the file of an output that is already on this machine. Undefined: the output must be
   * fetched with `fetchOutput`.
   */
  outputFile?(output: DriverOutput): LocalFile | undefined
  /**
   * Looks up the job of an attempt whose submit received no response, and returns its operation.
   * Null: the upstream certainly did not accept the job. Throws if this cannot be determined now.
   * Omitted if the upstream has no such look-up.
   */
  find?(request: GenerationRequest, signal: AbortSignal): Promise<Operation | null>
  /**
   * Set if `find` sends the submit again. The dispatcher then does not call `find` for ended tasks
   * or while submits are paused. `find` throws `NotAccepted` if the upstream throttles the submit.
   */
  readonly findsBySubmitting?: true
  /**
   * Cancels an operation whose result is no longer needed. Never throws. Idempotent.
   */
  cancel?(operation: Operation, request: GenerationRequest): Promise<void>
  /** Called after all outputs have been stored, so that the driver may remove its own copies. */
  discard?(operation: Operation, request: GenerationRequest): Promise<void>
  /**
   * Verifies that a callback is genuine. Throws if it cannot be verified now. Omitted if the
   * upstream sends no callbacks.
   */
  verifyCallback?(callback: Callback): Promise<CallbackVerification>
  /**
   * Sends a request for a token model, and returns the response as soon as its headers have
   * arrived. Throws `ForwardRefusal` and `NotAccepted`. Omitted if the upstream has no such models.
   */
  forward?(request: ForwardRequest): Promise<ForwardResponse>
  [Symbol.asyncDispose](): Promise<void>
}

/** Arguments that the dispatcher passes to `start`. */
export interface StartContext {
  signal: AbortSignal
  /**
   * Durably records that the submit may have been sent. The driver must await this call exactly
   * once, right before it sends the submit. By then, it must have uploaded all inputs and acquired
   * a connection slot. The call rejects if the submit must not be sent, for example because the
   * task was cancelled or the route was paused. The driver then sends nothing, and `start` rejects
   * with the same error. A driver with `isStartIdempotent` does not have to call it.
   */
  beforeSubmit(): Promise<void>
}

/** Maximum size of an input file that a driver reads into memory. */
export const fileBytesMax = 50 * 1024 * 1024

/** Immutable input of one attempt of a task: everything that a driver needs. */
export interface GenerationRequest {
  /**
   * Id of the attempt, which is also the idempotency key for providers that accept one. Safe to use
   * as a file name.
   */
  attemptId: string
  model: string
  object: TaskObject
  /**
   * Exact size of the result in pixels, as documented for the ratio and resolution in the
   * parameters. 0 x 0 for a text.
   */
  size: PixelSize
  parameters: GenerationParameters
  /** If set, the result is simulated and nothing is sent to a provider (`simulation/`). */
  simulate: Simulation | null
  /**
   * Design of the service's own watermark, if the parameters request a watermark. Default: the
   * product's design.
   */
  watermarkDesign?: WatermarkDesign
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Operation = { [key: string]: Json }

/** One generated file. */
export interface DriverOutput {
  /**
   * Content type as declared by the driver. The service stores the type that it detects in the
   * collected file instead.
   */
  contentType: string
  /** Plain JSON that only the driver that created it interprets. */
  location: Json
  /** Seed of the result, if the driver knows it. */
  seed?: number
  /**
   * Set if the client requested a watermark that the file lacks. The service then draws it when it
   * collects the file.
   */
  lacksWatermark?: true
  /**
   * A frame from the beginning of a video, for the thumbnail: a local file with packed RGB pixels,
   * which the driver keeps as long as the output. Undefined if the driver has written no such file.
   */
  earlyFrame?: PixelSize & { path: string }
  /** Set for a text that the embedded driver wrote without a language model. */
  engine?: 'embedded'
}

/**
 * A complete file on this machine. Its contents never change. `Driver.discard` or `Driver.cancel`
 * removes it.
 */
export interface LocalFile {
  path: string
  /** Set for a file that the service has made itself. All other files are untrusted. */
  isOwn?: true
  /** Set if the contents have been synced to disk. */
  isSynced?: true
  /** Size and SHA-256, if they are known. */
  knownMedia?: StoredMedia | undefined
}

export type PollOutcome =
  | { state: 'queued' }
  /** `progress` is 0 to 99. */
  | { state: 'running'; progress?: number }
  | { state: 'succeeded'; outputs: [DriverOutput, ...DriverOutput[]]; cost?: ProviderCost }
  | FailedOutcome

export interface FailedOutcome {
  state: 'failed'
  code: FailureCode
  /** Error message for the client. It does not name the upstream. */
  reason: string
  /** Message of the upstream, for the operator. */
  detail?: string
  retryable: boolean
  cost?: ProviderCost
  /**
   * Set if the upstream reports the job as completed, and so charges for it, but returns no result.
   * Also set if the upstream no longer has the job, and may have charged for it.
   */
  isCompletedUpstream?: true
}

/**
 * Cost of an operation as reported by the upstream, in the upstream's unit, such as `usd`, `tokens`
 * or `images`.
 */
export interface ProviderCost {
  amount: number
  unit: string
}

/** A request that an upstream has sent to the callback URL of an attempt. */
export interface Callback {
  method: string
  /** The callback URL, with the query that the upstream added. */
  url: string
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * Result of verifying a callback. A `forged` callback is rejected. After any other callback, the
 * service polls the attempt immediately. It never uses the content of a callback.
 */
export interface CallbackVerification {
  trust: 'signed' | 'unsigned' | 'forged'
  /** The reply that the upstream expects. Default: an empty object. */
  reply?: Json
}

/**
 * Reports a change of an attempt's operation, so that the service polls the operation immediately
 * instead of at the next scheduled time.
 */
export type OperationChanged = (attemptId: string) => void

/**
 * The service or the upstream refuses the job because of its content or parameters. Any other route
 * would refuse it too, so the task fails with this code and message.
 */
export class DriverRefusal extends Error {
  override readonly name = 'DriverRefusal'
  readonly code: FailureCode
  /** Message of the upstream, for the operator. */
  readonly detail: string | null
  /** The cost that the upstream reports although it delivers no result. Null: it reports none. */
  readonly cost: ProviderCost | null

  constructor(code: FailureCode, message: string, options?: ErrorOptions & { detail?: string; cost?: ProviderCost | null }) {
    super(message, options)
    this.code = code
    this.detail = options?.detail ?? null
    this.cost = options?.cost ?? null
  }
}

/** Error for an output whose server is temporarily unavailable. A later download may succeed. */
export class OutputUnavailable extends Error {
  override readonly name = 'OutputUnavailable'
}

/**
 * Reason why an upstream has not accepted a job.
 *
 *   throttled     the upstream asks the service to retry later: too many requests, no capacity
 *   unavailable   the upstream cannot be used in its current state
 *   unsuitable    this route cannot serve the request, but other routes may: its model lacks a
 *                 parameter, or its price is above a limit
 */
export type NotAcceptedReason = 'throttled' | 'unavailable' | 'unsuitable'

/**
 * The routes that a `NotAccepted` error affects.
 *
 *   route        only this route: its model is unknown, not enabled, not permitted or unavailable.
 *                The reasons `throttled` and `unsuitable` always have this scope
 *   credential   all models of the credential: a wrong or expired key, insufficient balance, an
 *                overdue account
 *   upstream     the whole upstream: no connection could be established
 */
export type RefusalScope = 'route' | 'credential' | 'upstream'

/**
 * The upstream has certainly not accepted the job and charges nothing. Another route may be tried.
 */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted'
  readonly reason: NotAcceptedReason
  readonly scope: RefusalScope
  /** The delay that the upstream requested. Null if it requested none. */
  readonly retryAfterMs: number | null
  /** Whether the content of the request may have caused the error, such as HTTP 500. */
  readonly mayConcernRequest: boolean

  constructor(reason: NotAcceptedReason, message: string, options: NotAcceptedOptions = {}) {
    super(message, options)
    this.reason = reason
    this.scope = reason === 'unavailable' ? (options.scope ?? 'route') : 'route'
    this.retryAfterMs = options.retryAfterMs ?? null
    this.mayConcernRequest = options.mayConcernRequest ?? false
  }
}

export interface NotAcceptedOptions extends ErrorOptions {
  retryAfterMs?: number | null
  /** Default: false. */
  mayConcernRequest?: boolean
  /**
   * Scope of an `unavailable` error. Default: `route`. Any other error always has the scope
   * `route`.
   */
  scope?: RefusalScope
}
