import type { MediaKind } from '../lib/media-type.ts'

/**
 * The shared vocabulary of model parameters. A parameter with a file has a URL, a data URI or
 * `asset:ID`.
 */
export interface SharedParameters {
  prompt?: string
  negative_prompt?: string
  aspect_ratio?: string
  resolution?: string
  seconds?: number
  reference_images?: string[]
  first_frame?: string
  last_frame?: string
  /** Videos and sound that guide the generation. */
  reference_videos?: string[]
  reference_audios?: string[]
  /** The video that the model changes or continues. */
  input_video?: string
  /** The sound that the speech or motion of the result follows. */
  input_audio?: string
  /** A mask: only the parts of the input image under its white areas are changed. */
  mask?: string
  /** The image that the generated text describes. */
  image?: string
  /** The operation on the inputs, for a model that offers several. */
  task?: string
  /** Whether the result keeps the sound of `input_video`. */
  keep_audio?: boolean
  seed?: number
  watermark?: boolean
  audio?: boolean
  /** Number of results. A model that always makes one result does not have this parameter. */
  n?: number
}

export type ParameterName = keyof SharedParameters

/**
 * The complete list of shared names. Published parameters have this order. A name that is not in
 * the list, and that the model does not define, is unknown. A name in the list that the model does
 * not have is a parameter of other models.
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
 * The parameters of a request, with defaults filled in. A model may have parameters of its own
 * beyond the shared vocabulary. Upstreams receive them under the same names, unless a route renames
 * them.
 */
export interface GenerationParameters extends SharedParameters {
  [ownName: string]: unknown
}

/** Whether a name belongs to the shared vocabulary. Any other name is a model's own parameter. */
export function isSharedName(name: string): name is ParameterName {
  return sharedNames.has(name)
}

const sharedNames: ReadonlySet<string> = new Set(parameterNames)

/**
 * The parameters that name files, each with the kind of its files. The order must not change,
 * because stored JSON depends on it.
 */
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

/** The facts about a request's files that a price may depend on. */
export interface PricedInputs {
  /** Total length of all input videos, measured by a probe. */
  seconds: number
  /** Number of input images, including frames and masks. */
  images: number
}
