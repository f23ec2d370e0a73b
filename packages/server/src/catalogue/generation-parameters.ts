import type { MediaKind } from '../lib/media-type.ts'

/** The shared vocabulary of model parameters (contract: models whose parameters are not shown). */
export interface SharedParameters {
  prompt?: string
  negative_prompt?: string
  aspect_ratio?: string
  resolution?: string
  seconds?: number
  /** URLs, data URIs or `asset:ID`. */
  reference_images?: string[]
  first_frame?: string
  last_frame?: string
  /** Videos and sound as guidance. */
  reference_videos?: string[]
  reference_audios?: string[]
  /** The video to change or to continue. */
  input_video?: string
  /** The sound to speak or to move to. */
  input_audio?: string
  /** An image whose white parts may change. */
  mask?: string
  /** The image that a text is about. */
  image?: string
  /** The use of the inputs, if a model offers several. */
  task?: string
  /** Whether the result keeps the sound of `input_video`. */
  keep_audio?: boolean
  seed?: number
  watermark?: boolean
  audio?: boolean
  /** How many results to make. Left out by a model that always makes one. */
  n?: number
}

export type ParameterName = keyof SharedParameters

/**
 * The only list of all names. It determines the order of published parameters, and tells a wrong
 * name from a misplaced one.
 */
export const parameterNames = [
  'prompt',
  'negative_prompt',
  'reference_images',
  'first_frame',
  'last_frame',
  'reference_videos',
  'reference_audios',
  'input_video',
  'input_audio',
  'mask',
  'image',
  'task',
  'keep_audio',
  'aspect_ratio',
  'resolution',
  'seconds',
  'audio',
  'n',
  'seed',
  'watermark',
] as const satisfies readonly ParameterName[]

/**
 * The parameters of a request, with defaults filled in. A model that an operator defines may have
 * parameters of its own beyond the shared vocabulary. Upstreams receive those under the same name.
 */
export interface GenerationParameters extends SharedParameters {
  [ownName: string]: unknown
}

/** Whether a name belongs to the shared vocabulary; any other is a model's own. */
export function isSharedName(name: string): name is ParameterName {
  return sharedNames.has(name)
}

const sharedNames: ReadonlySet<string> = new Set(parameterNames)

/** The parameters that name files, and the kind of each. The order is that of stored texts. */
export const mediaParameters = {
  first_frame: 'image',
  last_frame: 'image',
  reference_images: 'image',
  reference_videos: 'video',
  reference_audios: 'audio',
  input_video: 'video',
  input_audio: 'audio',
  mask: 'image',
  image: 'image',
} as const satisfies Partial<Record<ParameterName, MediaKind>>

export type MediaParameter = keyof typeof mediaParameters

export const mediaParameterNames = Object.keys(mediaParameters) as MediaParameter[]

export function isMediaParameter(name: string): name is MediaParameter {
  return name in mediaParameters
}

/** The part of a request's files that a price may count. */
export interface PricedInputs {
  /** Probed length of all given videos together. */
  seconds: number
  /** Number of given images, frames included. */
  images: number
}
