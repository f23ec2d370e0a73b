import type { MediaFacts } from './media-type.ts'

/** A probed input file of a request. */
export interface ProbedInput {
  /** Name of the parameter, such as `reference_videos`. */
  parameter: string
  /** Name of the field in messages, such as `reference_videos[0]`. */
  fieldName: string
  /** JSON Pointer of the field. */
  pointer: string
  facts: MediaFacts
}

/**
 * Limits for files of one kind: for each file, and for all of them in a request. A missing field
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
  /** Minimum number of pixels: width times height. */
  pixelsMin?: number
  pixelsMax?: number
  fpsMin?: number
  fpsMax?: number
}

/** Limits for the input files of a request. */
export interface InputLimits {
  video?: KindLimits
  audio?: KindLimits
  /** Maximum number of files, including images. */
  filesMax?: number
}
