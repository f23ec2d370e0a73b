import type { Readable } from 'node:stream'
import type { FailureCode, PixelSize, Simulation } from '@framegate/contract'
import type { WatermarkDesign } from '../watermark/watermark-design.ts'

/**
 * What makes media: `embedded` renders on this machine, an upstream driver calls a provider.
 *
 *   start -> operation          the attempt is committed as `starting` before, the operation right after
 *   poll(operation)             until it has succeeded or failed; still running is an answer, not an error
 *   fetchOutput(output)         a stream; the media store bounds it, nobody holds a whole file
 *
 * An operation is plain JSON. It is stored with the attempt, so that any process may go on with it after a restart.
 */
export interface Driver {
  readonly name: string
  /**
   * True when starting the same attempt a second time costs nothing and has the same result. The dispatcher then simply
   * starts an attempt again whose operation was never stored; every other driver is never asked to start twice.
   */
  readonly startsAgainFreely: boolean
  /**
   * Throws `DriverRefusal` when the job itself is refused and `NotAccepted` when it surely was not taken on. After any other error
   * nobody knows whether it was: `find` is asked, and it is never started again.
   */
  start(job: Job, context: StartContext): Promise<Operation>
  /** Throws when it could not learn how the operation is doing: that says nothing about the operation, and it is asked again. */
  poll(operation: Operation, job: Job, signal: AbortSignal): Promise<PollOutcome>
  fetchOutput(output: DriverOutput, signal: AbortSignal): Promise<Readable>
  /** Where an output lies as a file of this machine, whole and unchanged until `forget` or `cancel`. Left out where outputs are fetched. */
  outputFile?(output: DriverOutput): string
  /**
   * The operation of an attempt whose start was not answered, by the attempt id that went upstream with it. Null: it surely was
   * not taken on. Throws when the upstream cannot tell now. Left out where it never can.
   */
  find?(job: Job, signal: AbortSignal): Promise<Operation | null>
  /**
   * Set where `find` sends the submit again. It is then not called for a task that has ended or while submits are paused, and throws
   * `NotAccepted` when it is throttled.
   */
  readonly findsBySubmitting?: true
  /** Tells the driver that nobody waits for the operation any longer. Never throws; safe to call twice. */
  cancel?(operation: Operation, job: Job): Promise<void>
  /** Called once the output is stored, so that the driver may drop its own copy. */
  forget?(operation: Operation, job: Job): Promise<void>
  /** What a call of the upstream to our callback address is worth; throws when that cannot be told now. Left out where it never calls. */
  readCallback?(callback: Callback): Promise<CallbackReading>
  [Symbol.asyncDispose](): Promise<void>
}

/** What the dispatcher gives to the start of an attempt. */
export interface StartContext {
  signal: AbortSignal
  /**
   * Must be awaited exactly once, right before the request that may start a job is sent: after
   * inputs were uploaded and a connection slot was acquired. Commits that the request may have been
   * sent. Rejects when the attempt must not be sent any more (its task was cancelled, the route is
   * paused); then nothing is sent, and `start` rejects with the same error. A driver that
   * `startsAgainFreely` need not call it.
   */
  beforeSubmit(): Promise<void>
}

/** One attempt at one task, frozen: what a driver needs to know and nothing else. */
export interface Job {
  /** Goes upstream as the idempotency key wherever a provider takes one. File-name safe. */
  attemptId: string
  model: string
  object: 'image' | 'video'
  /** Exact pixels of the result, as documented for the ratio and resolution of the parameters. */
  size: PixelSize
  parameters: GenerationParameters
  /** Such a job never reaches a provider (`simulation/`). */
  simulate: Simulation | null
  /** How a watermark of our own looks, where the parameters ask for one; the product's unless given. */
  watermarkDesign?: WatermarkDesign
}

/** The one vocabulary of model parameters, with defaults filled in (contract: models whose parameters are not shown). */
export interface GenerationParameters {
  prompt?: string
  negative_prompt?: string
  aspect_ratio?: string
  resolution?: string
  seconds?: number
  /** URLs, data URIs or `asset:ID`. */
  reference_images?: string[]
  first_frame?: string
  last_frame?: string
  seed?: number
  watermark?: boolean
  audio?: boolean
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Operation = { [key: string]: Json }

/** Where one produced file is: plain JSON, opaque to everyone but the driver that made it. */
export interface DriverOutput {
  /** As the driver declares it; the probe of the collected file has the last word. */
  contentType: string
  location: Json
  /** The seed that was used, when the driver chose one itself. */
  seed?: number
  /** The client wants a watermark, and the upstream has none: it is drawn when the file is collected. */
  lacksWatermark?: true
}

export type PollOutcome =
  | { state: 'queued' }
  /** progress: 0 to 99. */
  | { state: 'running'; progress?: number }
  | { state: 'succeeded'; outputs: [DriverOutput, ...DriverOutput[]]; usage?: Usage }
  | FailedOutcome

export interface FailedOutcome {
  state: 'failed'
  code: FailureCode
  /** For the client: names no upstream. */
  reason: string
  /** For the operator: what the upstream said. */
  detail?: string
  retryable: boolean
  usage?: Usage
}

/** What the upstream says that it charges for the operation, in its own unit: `usd`, `credits`, `tokens`. */
export interface Usage {
  amount: number
  unit: string
}

/** A request to an attempt's callback address, as it came. */
export interface Callback {
  method: string
  /** As the upstream was given it, with the query that it added. */
  url: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** Whatever it says, it only makes the next poll come now. `forged` is refused and has no effect. */
export interface CallbackReading {
  trust: 'signed' | 'unsigned' | 'forged'
  /** What the upstream wants to be answered; an empty object unless given. */
  reply?: Json
}

/** Says that something has changed for this attempt, so that its next poll is made now instead of on schedule. */
export type OperationChanged = (attemptId: string) => void

/** The job itself is refused, here or upstream, and any other route would do the same: the task fails with this code and sentence. */
export class DriverRefusal extends Error {
  override readonly name = 'DriverRefusal'
  readonly code: FailureCode
  /** For the operator: what the upstream said. */
  readonly detail: string | null

  constructor(code: FailureCode, message: string, options?: ErrorOptions & { detail?: string }) {
    super(message, options)
    this.code = code
    this.detail = options?.detail ?? null
  }
}

/**
 * Why an upstream has not taken a job on.
 *
 *   throttled     the upstream asks to come back later: too many requests, no capacity
 *   unavailable   the upstream cannot be used as it is
 *   unsuitable    the route cannot serve this request, others may: a parameter that its model does not have, a price above its bound
 */
export type NotAcceptedReason = 'throttled' | 'unavailable' | 'unsuitable'

/**
 * What a refusal is evidence against.
 *
 *   route        this model: unknown, not enabled, not permitted, out of order; every throttling, every unsuitable request
 *   credential   all its models: a wrong or expired key, insufficient balance, an overdue account
 *   upstream     the whole upstream: no connection could be made
 */
export type RefusalScope = 'route' | 'credential' | 'upstream'

/** The upstream surely has not taken the job on, and nothing was paid: another route may be tried. */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted'
  readonly reason: NotAcceptedReason
  readonly scope: RefusalScope
  /** As the upstream said; null when it did not. */
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
  /** Of an unavailable upstream; `route` unless given. Throttling is about the route. */
  scope?: RefusalScope
}
