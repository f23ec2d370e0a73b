import type { MediaFacts } from './media-type.ts'

/** One file of a request, with its facts. */
export interface ProbedInput {
  /** Name of the parameter, such as `reference_videos`. */
  parameter: string
  /** The field in messages, such as `reference_videos[0]`. `pointer` is its JSON Pointer. */
  fieldName: string
  pointer: string
  facts: MediaFacts
}

/**
 * Limits of each file of one kind, and of all files of this kind in a request. A missing field
 * means no limit.
 */
export interface KindLimits {
  types?: readonly string[]
  bytesMax?: number
  bytesTotalMax?: number
  secondsMin?: number
  secondsMax?: number
  secondsTotalMax?: number
  sideMin?: number
  sideMax?: number
  /** Minimum of width times height. */
  pixelsMin?: number
  pixelsMax?: number
  fpsMin?: number
  fpsMax?: number
}

/**
 * Limits of the videos and the sound of a request. They apply to each file, to all files of a kind,
 * and to all files together.
 */
export interface InputLimits {
  video?: KindLimits
  audio?: KindLimits
  /** Maximum number of files, including images. */
  filesMax?: number
}
