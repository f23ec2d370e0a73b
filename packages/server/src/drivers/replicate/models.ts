import type { Json } from '../driver.ts'
import type { ParameterName } from '../upstream/requested-parameters.ts'
import type { ModelLimits } from '../upstream/model-limits.ts'

/**
 * A model's input names for the shared parameters, which Framegate's models have in common, and its
 * limits. Neither applies if the operator has set `input`. A shared parameter that is neither in
 * `inputNames` nor mapped by the operator's `parameters` is refused. Only `aspect_ratio` is then
 * accepted without being sent.
 */
export interface ReplicateModel extends Omit<ModelLimits, 'parameters' | 'resolutions'> {
  inputNames: Readonly<Partial<Record<ParameterName, string>>>
  /** The model's value for each resolution. */
  resolutions?: Readonly<Record<string, string>>

  /** Default fields, which parameters and the operator's `extra` can override. */
  defaults?: Readonly<Record<string, Json>>
}

const commonFields = { prompt: 'prompt', aspect_ratio: 'aspect_ratio' } as const
const videoFields = { ...commonFields, resolution: 'resolution', seconds: 'duration' } as const
const startAndEndFrameFields = { first_frame: 'start_image', last_frame: 'end_image' } as const
const imageAndLastFrameFields = { first_frame: 'image', last_frame: 'last_frame_image' } as const

const knownModels: readonly (readonly [RegExp, ReplicateModel])[] = [
  [
    /^bytedance\/seedance-2/,
    {
      inputNames: {
        ...videoFields,
        ...imageAndLastFrameFields,
        reference_images: 'reference_images',
        reference_videos: 'reference_videos',
        reference_audios: 'reference_audios',
        audio: 'generate_audio',
        seed: 'seed',
      },
      seconds: { from: 1, to: 15 },
      referenceImagesMax: 9,
      referenceVideosMax: 3,
      referenceAudiosMax: 3,
      inputs: { video: { secondsMin: 2, secondsTotalMax: 15 }, audio: { secondsTotalMax: 15 } },
    },
  ],
  [
    /^bytedance\/seedance-1\.5/,
    {
      inputNames: { ...videoFields, ...imageAndLastFrameFields, audio: 'generate_audio', seed: 'seed' },
      seconds: { from: 2, to: 12 },
    },
  ],
  [
    /^bytedance\/seedance-1-lite/,
    {
      inputNames: { ...videoFields, ...imageAndLastFrameFields, reference_images: 'reference_images', seed: 'seed' },
      seconds: { from: 2, to: 12 },
      referenceImagesMax: 4,
    },
  ],
  [
    /^bytedance\/seedance-1-pro/,
    { inputNames: { ...videoFields, ...imageAndLastFrameFields, seed: 'seed' }, seconds: { from: 2, to: 12 } },
  ],
  [
    /^kwaivgi\/kling-v3-video$/,
    {
      inputNames: {
        ...videoFields,
        ...startAndEndFrameFields,
        resolution: 'mode',
        audio: 'generate_audio',
        negative_prompt: 'negative_prompt',
      },
      seconds: { from: 3, to: 15 },
      resolutions: { '720p': 'standard', '1080p': 'pro' },
      aspectRatios: ['16:9', '9:16', '1:1'],
      firstFrameSetsRatio: true,
    },
  ],
  [
    /^wan-video\/wan-2\.7-i2v/,
    {
      inputNames: {
        prompt: 'prompt',
        negative_prompt: 'negative_prompt',
        first_frame: 'first_frame',
        last_frame: 'last_frame',
        resolution: 'resolution',
        seconds: 'duration',
        seed: 'seed',
      },
      seconds: { from: 2, to: 15 },
      requiresOneOf: ['first_frame'],
      defaults: { enable_prompt_expansion: false },
    },
  ],
  [
    /^google\/veo-3/,
    {
      inputNames: {
        ...videoFields,
        first_frame: 'image',
        last_frame: 'last_frame',
        reference_images: 'reference_images',
        audio: 'generate_audio',
        negative_prompt: 'negative_prompt',
        seed: 'seed',
      },
      seconds: [4, 6, 8],
      resolutions: { '720p': '720p', '1080p': '1080p' },
      aspectRatios: ['16:9', '9:16'],
    },
  ],
  [
    /^minimax\/hailuo-2\.3/,
    {
      inputNames: { prompt: 'prompt', first_frame: 'first_frame_image', resolution: 'resolution', seconds: 'duration' },
      seconds: [6, 10],
      resolutions: { '768p': '768p', '1080p': '1080p' },
      aspectRatios: ['16:9'],
      firstFrameSetsRatio: true,
      defaults: { prompt_optimizer: false },
    },
  ],
  [
    /^vidu\/q3/,
    {
      inputNames: { ...videoFields, ...startAndEndFrameFields, audio: 'audio', seed: 'seed' },
      seconds: { from: 1, to: 16 },
    },
  ],
  [
    /^bytedance\/seedream-4\.5/,
    {
      inputNames: { ...commonFields, resolution: 'size', reference_images: 'image_input' },
      resolutions: { '2K': '2K' },
      referenceImagesMax: 14,
    },
  ],
  [
    /^black-forest-labs\/flux-2-pro/,
    {
      inputNames: { ...commonFields, resolution: 'resolution', reference_images: 'input_images', seed: 'seed' },
      resolutions: { '1K': '1 MP', '2K': '4 MP' },
      referenceImagesMax: 8,
      defaults: { output_format: 'png' },
    },
  ],
  [
    /^black-forest-labs\/flux-(dev|schnell)$/,
    {
      inputNames: { ...commonFields, resolution: 'megapixels', seed: 'seed', n: 'num_outputs' },
      resultsMax: 4,
      resolutions: { '1K': '1' },
      defaults: { output_format: 'png' },
    },
  ],
  [
    /^google\/nano-banana-pro/,
    {
      inputNames: { ...commonFields, resolution: 'resolution', reference_images: 'image_input' },
      resolutions: { '1K': '1K', '2K': '2K' },
      defaults: { output_format: 'png' },
    },
  ],
]

/**
 * Input names for models that are not in the table: the most common name of each parameter. Names
 * for images and audio differ by model.
 */
const unknownModel: ReplicateModel = {
  inputNames: { ...videoFields, negative_prompt: 'negative_prompt', seed: 'seed', n: 'num_outputs' },
}

/**
 * Finds a model by the `upstream_model` of a route. All versions of a model have the same entry.
 * `ModelInputs` checks the names that the version itself has.
 */
export function modelNamed(upstreamModel: string): ReplicateModel {
  const [name = ''] = upstreamModel.split(':')
  return knownModels.find(([pattern]) => pattern.test(name))?.[1] ?? unknownModel
}
