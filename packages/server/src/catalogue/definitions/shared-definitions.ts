import { imageResolutions, resultsMax, videoResolutions } from '@framegate/contract'
import { mediaParameterNames, type ParameterName } from '../generation-parameters.ts'
import type { ParameterSchema, ParameterSchemas } from '../model.ts'
import {
  aspect_ratio,
  audio,
  first_frame,
  imageAspectRatio,
  last_frame,
  negative_prompt,
  prompt,
  referenceImages,
  resolutionSchema,
  resultsSchema,
  secondsBetween,
  input_audio,
  input_video,
  inputTask,
  inputTasks,
  keep_audio,
  mask,
  referenceAudios,
  referenceVideos,
  seed,
  watermark,
} from '../shared-parameters.ts'

/**
 * Shared definitions of the parameters that images and videos have in common. The keywords of a
 * model's definition replace the keywords of a shared definition.
 */
const commonParameters = {
  prompt,
  negative_prompt,
  reference_images: referenceImages(0, 10),
  mask,
  n: resultsSchema(),
  seed,
  watermark,
}

const imageParameters: ParameterSchemas = {
  ...commonParameters,
  aspect_ratio: imageAspectRatio,
  resolution: resolutionSchema(...imageResolutions),
}

const videoParameters: ParameterSchemas = {
  ...commonParameters,
  first_frame,
  last_frame,
  reference_videos: referenceVideos(10, '10 minutes each'),
  reference_audios: referenceAudios(10, '10 minutes each'),
  input_video,
  input_audio,
  task: inputTask(...inputTasks),
  keep_audio,
  aspect_ratio,
  resolution: resolutionSchema('720p', ...videoResolutions.filter((name) => name !== '720p')),
  seconds: secondsBetween(1, 15, 5),
  audio,
}

/**
 * Returns the shared definition of a parameter. Undefined if a model of this kind cannot have the
 * parameter.
 */
export function sharedDefinition(object: 'image' | 'video', name: ParameterName): ParameterSchema | undefined {
  return (object === 'image' ? imageParameters : videoParameters)[name]
}

/**
 * The keywords that a definition may set to narrow each shared parameter, in addition to the
 * keywords of `commonKeywords`.
 */
const narrowingKeywordsByName: Partial<Record<ParameterName, readonly (keyof ParameterSchema)[]>> = {
  prompt: ['minLength', 'maxLength'],
  negative_prompt: ['minLength', 'maxLength'],
  reference_images: ['minItems', 'maxItems'],
  reference_videos: ['minItems', 'maxItems'],
  reference_audios: ['minItems', 'maxItems'],
  task: ['enum', 'const'],
  aspect_ratio: ['enum', 'const'],
  resolution: ['enum', 'const'],
  seconds: ['enum', 'const', 'minimum', 'maximum', 'multipleOf'],
  n: ['enum', 'const', 'minimum', 'maximum'],
  seed: ['minimum', 'maximum'],
}

const commonKeywords: readonly (keyof ParameterSchema)[] = ['type', 'title', 'description', 'default', 'examples', 'x-advanced']
/**
 * Parameters that name files. They have no default, because a default would send a file that the
 * client did not choose.
 */
const namesWithoutDefault: ReadonlySet<ParameterName> = new Set(mediaParameterNames)

export function narrowingKeywords(name: ParameterName): readonly (keyof ParameterSchema)[] {
  const allowedKeywords = namesWithoutDefault.has(name)
    ? commonKeywords.filter((keyword) => keyword !== 'default')
    : commonKeywords
  return [...allowedKeywords, ...(narrowingKeywordsByName[name] ?? [])]
}

/**
 * The widest bounds that a definition may set. Only parameters whose bounds the service relies on
 * are listed.
 */
export const widestBounds: Partial<Record<ParameterName, ParameterSchema>> = {
  prompt: { type: 'string', maxLength: 50_000 },
  negative_prompt: { type: 'string', maxLength: 50_000 },
  reference_images: { type: 'array', maxItems: 50 },
  reference_videos: { type: 'array', maxItems: 20 },
  reference_audios: { type: 'array', maxItems: 20 },
  seconds: { type: 'integer', minimum: 1, maximum: 3_600 },
  n: { type: 'integer', minimum: 1, maximum: resultsMax },
  seed: { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 },
}
