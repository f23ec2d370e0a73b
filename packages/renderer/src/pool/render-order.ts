import type { PixelSize } from '@framegate/contract'
import type { GivenVideo, RenderPlan } from '../render-plan.ts'
import type { GivenSound } from '../video/given-sound.ts'

/**
 * Messages between the service thread and the video worker of a slot. One order at a time:
 *
 *   order -> progress ... -> ended   `ended` frees the slot, however the order ended
 *   stop                             requests an early `ended`; a late stop has the number of an
 *                                    order that has ended, and is ignored
 */
export type ToVideoWorker = { kind: 'order'; order: RenderOrder } | { kind: 'stop'; number: number }

export type FromVideoWorker =
  | { kind: 'progress'; number: number; percent: number }
  | { kind: 'ended'; number: number; end: OrderEnd }

export type OrderEnd =
  | { how: 'done' }
  | { how: 'stopped' }
  /** `isOfStorage`: the file could not be written. The same order may succeed later. */
  | { how: 'failed'; error: string; isOfStorage?: boolean }

export interface RenderOrder {
  /** Starts at 1 and is never reused in a slot. */
  number: number
  object: 'image' | 'video'
  plan: RenderPlan
  isReversed: boolean
  hasSound: boolean
  /** A given video that comes before the rendered frames. */
  opening?: Omit<GivenVideo, keyof PixelSize>
  /** Comes before the sound of the place, or replaces it. */
  givenSound?: GivenSound
  /** Path of the file to write. */
  path: string
}

/** Passed to a video worker when it starts. */
export interface VideoWorkerOptions {
  control: Int32Array<SharedArrayBuffer>
}
