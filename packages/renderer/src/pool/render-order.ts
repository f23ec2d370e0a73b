import type { PixelSize } from '@framegate/contract'
import type { GivenVideo, RenderPlan } from '../render-plan.ts'
import type { EarlyFrameOrder } from '../video/early-frame.ts'
import type { GivenSound } from '../video/given-sound.ts'

/**
 * Messages between the service thread and the video worker of a slot, which carries out one order
 * at a time:
 *
 *   order -> progress ... -> ended   `ended` frees the slot, whatever the outcome
 *   stop                             requests an early `ended`; a late stop has the number of an
 *                                    order that has ended, and is ignored
 */
export type ToVideoWorker = { kind: 'order'; order: RenderOrder } | { kind: 'stop'; number: number }

export type FromVideoWorker =
  | { kind: 'progress'; number: number; percent: number }
  | { kind: 'ended'; number: number; end: RenderOutcome }

export type RenderOutcome =
  | { outcome: 'done' }
  | { outcome: 'stopped' }
  /**
   * `isOfStorage`: an operation of the operating system failed, such as a write to a full disk or
   * the start of a thread. A retry may succeed.
   */
  | { outcome: 'failed'; error: string; isOfStorage?: boolean }

export interface RenderOrder {
  /** Starts at 1 and is never reused in a slot. */
  number: number
  object: 'image' | 'video'
  plan: RenderPlan
  /** Whether the frames are rendered from the last to the first. */
  isReversed: boolean
  /** Whether the video has ambient sound. */
  hasAmbience: boolean
  /** A given video that comes before the rendered frames. */
  opening?: Omit<GivenVideo, keyof PixelSize>
  /**
   * A given sound. If the order also has ambience, the ambience begins at the end of this sound.
   */
  givenSound?: GivenSound
  /** Path of the file to write. */
  path: string
  /** Where to write an early frame of the video, and at which size. Default: none is written. */
  earlyFrame?: EarlyFrameOrder
}

/** Passed to a video worker when it starts. */
export interface VideoWorkerOptions {
  control: Int32Array<SharedArrayBuffer>
}
