import type { Readable } from 'node:stream'
import type { FailureCode, PixelSize, Simulation } from '@framegate/contract'

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
  start(job: Job, signal: AbortSignal): Promise<Operation>
  poll(operation: Operation, job: Job, signal: AbortSignal): Promise<PollOutcome>
  fetchOutput(output: DriverOutput, signal: AbortSignal): Promise<Readable>
  /** Tells the driver that nobody waits for the operation any longer. Never throws; safe to call twice. */
  cancel?(operation: Operation, job: Job): Promise<void>
  /** Called once the output is stored, so that the driver may drop its own copy. */
  forget?(operation: Operation, job: Job): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
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
}

/** The one vocabulary of model parameters, with defaults filled in (contract: models whose parameters are not shown). */
export interface GenerationParameters {
  prompt?: string
  negative_prompt?: string
  aspect_ratio?: string
  resolution?: string
  seconds?: number
  /** URLs or data URIs. */
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
}

export type PollOutcome =
  | { state: 'queued' }
  /** progress: 0 to 99. */
  | { state: 'running'; progress?: number }
  | { state: 'succeeded'; outputs: [DriverOutput, ...DriverOutput[]] }
  | { state: 'failed'; code: FailureCode; reason: string; retryable: boolean }

/** Says that something has changed for this attempt, so that its next poll is made now instead of on schedule. */
export type OperationChanged = (attemptId: string) => void

/** `start` refuses in this way when the input itself is wrong: the task fails with this code and sentence. */
export class DriverRefusal extends Error {
  override readonly name = 'DriverRefusal'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
