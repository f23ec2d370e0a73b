import type { RenderPlan } from '../render-plan.ts'

export type EncoderName = 'webcodecs' | 'ffmpeg'

/**
 * What the service thread and the film worker of a slot say to one another. One order at a time:
 *
 *   order -> progress ... -> ended        `ended` frees the slot, however the order ended
 *   stop                                  asks for an early `ended`; the number lets a late one miss its order
 */
export type ToFilmWorker = { kind: 'order'; order: RenderOrder } | { kind: 'stop'; number: number }

export type FromFilmWorker =
  | { kind: 'progress'; number: number; percent: number }
  | { kind: 'ended'; number: number; end: OrderEnd }

export type OrderEnd =
  | { how: 'done' }
  | { how: 'stopped' }
  /** `isOfStorage`: its file could not be written. The same order may succeed later. */
  | { how: 'failed'; fault: string; isOfStorage?: boolean }

export interface RenderOrder {
  /** From 1 upwards, never twice in one slot. */
  number: number
  object: 'image' | 'video'
  plan: RenderPlan
  isReversed: boolean
  hasSound: boolean
  /** The file to write. */
  path: string
}

/** Given to a film worker when it starts. */
export interface FilmWorkerOptions {
  encoder: EncoderName
  control: Int32Array<SharedArrayBuffer>
}
