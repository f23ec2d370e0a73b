import { aspectRatios, resultsMax, type ImageResolution, type VideoResolution } from '@framegate/contract'
import { audioNames, videoNames, type MediaKind } from '../lib/media-type.ts'
import type { ParameterSchema } from './model.ts'

/**
 * The shared vocabulary of parameters. A family narrows the parameters that it supports, so that
 * the same parameter works alike in all models.
 */

/**
 * Maximum length of a prompt in Unicode code points, as JSON Schema counts. Framegate chose this
 * limit.
 */
const promptCharactersMax = 5_000
/** Maximum length of a URL. Many servers refuse longer URLs. */
export const urlCharactersMax = 2_048
/** Maximum length of all data URIs of one request together, enough for about 9 MB of files. */
export const dataUriCharactersMax = 12 * 1024 * 1024
const seedMax = 2 ** 32 - 1

const urlForm = String.raw`(?=\S{1,${urlCharactersMax}}$)https?:\/\/\S+$`
const assetForm = 'asset:asset_[0-9a-f]{32}$'
export const publicImagePattern = `^(${urlForm}|${assetForm})`
const imageTypes = ['png', 'jpeg', 'webp', 'avif', 'gif'] as const
/**
 * The pattern matches only the start of a data URI. `findReferenceViolations` checks its characters
 * and its length.
 */
export const imageOrDataUriPattern = String.raw`^(${urlForm}|${assetForm}|data:image\/(${imageTypes.join('|')});base64,)`

/**
 * Types that a data URI may declare. The declared type has no effect, because the service detects
 * the type from the contents.
 */
export const declaredTypes = {
  image: imageTypes.map((type) => `image/${type}`),
  video: ['video/mp4', 'video/quicktime', 'video/webm'],
  audio: ['audio/mpeg', 'audio/mp3', 'audio/wav', 'audio/x-wav', 'audio/mp4', 'audio/x-m4a', 'audio/flac', 'audio/ogg'],
} as const satisfies Record<MediaKind, readonly string[]>

export const videoPattern = patternOf('video')
export const audioPattern = patternOf('audio')

function patternOf(kind: 'video' | 'audio'): string {
  const types = declaredTypes[kind].map((type) => type.slice(kind.length + 1))
  return String.raw`^(${urlForm}|${assetForm}|data:${kind}\/(${types.join('|')});base64,)`
}

/** The image formats, as text for descriptions and messages. */
export const imageNames = 'PNG, JPEG, WebP, AVIF or GIF'

const imageForms =
  `An http or https URL of at most ${urlCharactersMax} characters, \`asset:\` followed by the id of an asset, or a data ` +
  `URI of a ${imageNames} image in padded base64 without line breaks. The data URIs of a request together may have at ` +
  'most 12 MiB.'

export const prompt: ParameterSchema = {
  type: 'string',
  minLength: 1,
  maxLength: promptCharactersMax,
  description: 'Description of the result.',
}

export const negative_prompt: ParameterSchema = {
  type: 'string',
  maxLength: promptCharactersMax,
  description: 'Description of content that must not appear.',
}

export const aspect_ratio: ParameterSchema = {
  type: 'string',
  enum: aspectRatios,
  default: '16:9',
  description: 'Ratio of width to height of the result.',
}

export const imageAspectRatio: ParameterSchema = { ...aspect_ratio, default: '1:1' }

export const seed: ParameterSchema = {
  type: 'integer',
  minimum: 0,
  maximum: seedMax,
  description:
    'Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs.',
}

export const watermark: ParameterSchema = {
  type: 'boolean',
  default: false,
  description: 'Adds a watermark of the provider or the platform if true.',
}

export const audio: ParameterSchema = {
  type: 'boolean',
  default: false,
  description: 'Adds a sound track if true.',
}

/** The parameter `n`: the number of results of a task, up to `maximum`. */
export function resultsSchema(maximum: number = resultsMax): ParameterSchema {
  return {
    type: 'integer',
    minimum: 1,
    maximum,
    default: 1,
    description: 'Number of results. The task lists each in `results`, and only delivered results are charged.',
  }
}

export const first_frame: ParameterSchema = {
  type: 'string',
  pattern: imageOrDataUriPattern,
  description: `The image that the video starts with. ${imageForms}`,
}

export const last_frame: ParameterSchema = {
  type: 'string',
  pattern: imageOrDataUriPattern,
  description: `The image that the video ends with. Requires first_frame. ${imageForms}`,
}

const videoForms = mediaForms(`a small ${videoNames} video`)
const audioForms = mediaForms(`a small ${audioNames} file`)

function mediaForms(noun: string): string {
  return (
    `An http or https URL of at most ${urlCharactersMax} characters, \`asset:\` followed by the id of an asset, or a data ` +
    `URI of ${noun} in padded base64. The service reads the file when the task is submitted.`
  )
}

export const input_video: ParameterSchema = {
  type: 'string',
  pattern: videoPattern,
  description: `The video to edit or to extend. ${videoForms}`,
}

export const input_audio: ParameterSchema = {
  type: 'string',
  pattern: audioPattern,
  description: `The sound that the video follows, such as speech or music. ${audioForms}`,
}

export const mask: ParameterSchema = {
  type: 'string',
  pattern: imageOrDataUriPattern,
  description: `An image of the region to edit: white areas are edited, black areas are kept. ${imageForms}`,
}

export const image: ParameterSchema = {
  type: 'string',
  pattern: imageOrDataUriPattern,
  description: `The image to describe. ${imageForms}`,
}

export const keep_audio: ParameterSchema = {
  type: 'boolean',
  description: 'Keeps the sound of input_video. Default: depends on the model.',
}

export const inputTasks = ['reference', 'edit', 'extend', 'motion', 'lip_sync'] as const

/** The parameter `task`, with these operations as its choices. */
export function inputTask(...names: [(typeof inputTasks)[number], ...(typeof inputTasks)[number][]]): ParameterSchema {
  return { type: 'string', enum: names, description: 'What to do with the inputs. Default: depends on the inputs.' }
}

/**
 * The parameter `reference_videos`. Its description ends with `limits`, such as
 * `30 seconds together`.
 */
export function referenceVideos(maxItems: number, limits: string): ParameterSchema {
  return {
    type: 'array',
    items: { type: 'string', pattern: videoPattern, description: videoForms },
    maxItems,
    description: `Reference videos, 0 to ${maxItems}, at most ${limits}. In a prompt they are Video 1, Video 2 and so on.`,
  }
}

export function referenceAudios(maxItems: number, limits: string): ParameterSchema {
  return {
    type: 'array',
    items: { type: 'string', pattern: audioPattern, description: audioForms },
    maxItems,
    description: `Reference sound files, 0 to ${maxItems}, at most ${limits}. In a prompt they are Audio 1, Audio 2 and so on.`,
  }
}

export function referenceImages(minItems: number, maxItems: number): ParameterSchema {
  return {
    type: 'array',
    items: { type: 'string', pattern: imageOrDataUriPattern, description: imageForms },
    ...(minItems > 0 && { minItems }),
    maxItems,
    description: `Images of subjects that must appear in the result, ${minItems} to ${maxItems}.`,
  }
}

/**
 * Returns a copy of a list's schema for other lengths. Replaces the lengths in its description too.
 */
export function withItemRange(schema: ParameterSchema, minItems: number, maxItems: number): ParameterSchema {
  const { minItems: previousMin = 0, maxItems: previousMax = Infinity, description } = schema
  const newDescription = description?.replace(`${previousMin} to ${previousMax}`, `${minItems} to ${maxItems}`)
  return {
    ...schema,
    ...(minItems > 0 && { minItems }),
    maxItems,
    ...(newDescription !== undefined && { description: newDescription }),
  }
}

/**
 * The parameter `reference_images` for upstreams that need public URLs. Assets are accepted too,
 * because the service creates a public URL for an asset.
 */
export function publicReferenceImages(maxItems: number): ParameterSchema {
  return {
    ...referenceImages(0, maxItems),
    items: {
      type: 'string',
      pattern: publicImagePattern,
      description:
        `A publicly accessible http or https URL of at most ${urlCharactersMax} characters, or \`asset:\` followed by the id ` +
        'of an asset.',
    },
  }
}

/** The parameter `resolution` with these choices. The first choice is the default. */
export function resolutionSchema<Name extends ImageResolution | VideoResolution>(...names: [Name, ...Name[]]): ParameterSchema {
  return {
    type: 'string',
    enum: [...names].sort(bySize),
    default: names[0],
    description: 'Size of the result.',
  }
}

/**
 * The parameter `resolution` of a model whose ID fixes the resolution. Clients may send this one
 * value, price quotes show it, and any other value is refused.
 */
export function onlyResolution(name: VideoResolution): ParameterSchema {
  return { type: 'string', const: name, default: name, description: `Always ${name}, as in the Model ID.` }
}

export function secondsBetween(minimum: number, maximum: number, defaultValue: number): ParameterSchema {
  return { type: 'integer', minimum, maximum, default: defaultValue, description: 'Length of the video in whole seconds.' }
}

/** The parameter `seconds` with these choices. The first choice is the default. */
export function secondsOneOf(...lengths: [number, ...number[]]): ParameterSchema {
  return { type: 'integer', enum: lengths, default: lengths[0], description: 'Length of the video in whole seconds.' }
}

export function onlySeconds(length: number): ParameterSchema {
  return { type: 'integer', const: length, default: length, description: `Always ${length} seconds.` }
}

const resolutionsBySize = ['480p', '540p', '720p', '768p', '1080p', '1K', '2K']
function bySize(left: string, right: string): number {
  return resolutionsBySize.indexOf(left) - resolutionsBySize.indexOf(right)
}
