import type { ParameterName } from '../upstream/requested-parameters.ts'
import type { ModelLimits } from '../upstream/model-limits.ts'

/**
 * Inputs of the endpoints of well-known models, from their published schemas. The name and format
 * of a parameter differ by endpoint, and endpoints silently ignore unknown fields.
 */
export interface EndpointFamily extends Omit<ModelLimits, 'parameters'> {
  endpoints: RegExp
  /**
   * The endpoint's field for each parameter. A field for `size` receives width and height in
   * pixels. It replaces ratio and resolution.
   */
  fields: Partial<Record<ParameterName | 'size', string>>
  /** The resolution of the endpoints with `/pro/` in their name, and that of all others. */
  tiers?: { standard: string; pro: string }
  /**
   * Set if the input or reference video determines the length, ratio and resolution of the result.
   * The driver then accepts these parameters and does not send them.
   */
  isShapedByVideo?: true
  /** Format in which seconds are sent: `5` or `"5s"`. Default: `"5"`. */
  secondsFormat?: 'number' | 'with unit'
  /**
   * Default fields, which the model's own parameters and the operator's `extra` can override. Most
   * of them disable prompt rewriting.
   */
  defaults?: Readonly<Record<string, string | boolean>>
}

const commonFields = { prompt: 'prompt', aspect_ratio: 'aspect_ratio', seconds: 'duration' } as const
const commonFieldsWithResolution = { ...commonFields, resolution: 'resolution' } as const
const frameFields = { first_frame: 'image_url', last_frame: 'end_image_url' } as const
const startFrameFields = { ...frameFields, first_frame: 'start_image_url' } as const
const negativePromptField = { negative_prompt: 'negative_prompt' } as const
const seedField = { seed: 'seed' } as const
const audioField = { audio: 'generate_audio' } as const
const countField = { n: 'num_images' } as const
const referenceFields = {
  reference_images: 'image_urls',
  reference_videos: 'video_urls',
  reference_audios: 'audio_urls',
} as const
const videoTypes = ['video/mp4', 'video/quicktime'] as const
const mebibyte = 1024 * 1024
const sizedImageFields = { prompt: 'prompt', size: 'image_size', reference_images: 'image_urls' } as const

const threeRatios = ['16:9', '9:16', '1:1']
const fiveRatios = [...threeRatios, '4:3', '3:4']
const sixRatios = [...fiveRatios, '21:9']
const sevenRatios = [...fiveRatios, '3:2', '2:3']
const [small, medium, large] = ['480p', '720p', '1080p']
const hdTiers = { standard: medium, pro: large }

export const videoFamilies: readonly EndpointFamily[] = [
  {
    endpoints: /^fal-ai\/bytedance\/seedance\/v1\.5\/pro\/(text|image)-to-video$/,
    fields: { ...commonFieldsWithResolution, ...frameFields, ...audioField, ...seedField },
    seconds: { from: 4, to: 12 },
    resolutions: [small, medium, large],
    aspectRatios: sixRatios,
  },
  {
    endpoints: /^fal-ai\/bytedance\/seedance\/v1\/pro\/fast\/(text|image)-to-video$/,
    fields: { ...commonFieldsWithResolution, first_frame: 'image_url', ...seedField },
    seconds: { from: 2, to: 12 },
    resolutions: [small, medium, large],
    aspectRatios: sixRatios,
  },
  {
    endpoints: /^fal-ai\/bytedance\/seedance\/v1\/(pro|lite)\/(text|image)-to-video$/,
    fields: { ...commonFieldsWithResolution, ...frameFields, ...seedField },
    seconds: { from: 2, to: 12 },
    resolutions: [small, medium, large],
    aspectRatios: sixRatios,
  },
  {
    endpoints: /^fal-ai\/bytedance\/seedance\/v1\/lite\/reference-to-video$/,
    fields: { ...commonFieldsWithResolution, reference_images: 'reference_image_urls', ...seedField },
    seconds: { from: 2, to: 12 },
    resolutions: [small, medium],
    aspectRatios: sixRatios,
  },
  {
    endpoints: /^bytedance\/seedance-2\.0\/(fast\/)?(text|image)-to-video$/,
    fields: { ...commonFieldsWithResolution, ...frameFields, ...audioField, ...seedField },
    seconds: { from: 4, to: 15 },
    resolutions: [small, medium],
    aspectRatios: sixRatios,
  },
  {
    endpoints: /^bytedance\/seedance-2\.0\/(fast\/)?reference-to-video$/,
    fields: { ...commonFieldsWithResolution, ...referenceFields, ...audioField, ...seedField },
    referenceImagesMax: 9,
    referenceVideosMax: 3,
    referenceAudiosMax: 3,
    requiresOneOf: ['reference_images', 'reference_videos'],
    inputs: {
      video: { types: videoTypes, bytesTotalMax: 50 * mebibyte, secondsMin: 2, secondsTotalMax: 15 },
      audio: { types: ['audio/mpeg', 'audio/wav'], bytesMax: 15 * mebibyte, secondsTotalMax: 15 },
      filesMax: 12,
    },
    seconds: { from: 4, to: 15 },
    resolutions: [small, medium],
    aspectRatios: sixRatios,
  },
  {
    endpoints: /^fal-ai\/kling-video\/v3\/(standard|pro)\/text-to-video$/,
    fields: { ...commonFields, ...negativePromptField, ...audioField },
    seconds: { from: 3, to: 15 },
    aspectRatios: threeRatios,
    tiers: hdTiers,
  },
  {
    endpoints: /^fal-ai\/kling-video\/v3\/(standard|pro)\/image-to-video$/,
    fields: { prompt: 'prompt', seconds: 'duration', ...negativePromptField, ...audioField, ...startFrameFields },
    seconds: { from: 3, to: 15 },
    tiers: hdTiers,
  },
  {
    endpoints: /^fal-ai\/kling-video\/o3\/(standard|pro)\/text-to-video$/,
    fields: { ...commonFields, ...audioField },
    seconds: { from: 3, to: 15 },
    aspectRatios: threeRatios,
    tiers: hdTiers,
  },
  {
    endpoints: /^fal-ai\/kling-video\/o3\/(standard|pro)\/image-to-video$/,
    fields: { prompt: 'prompt', seconds: 'duration', ...audioField, ...frameFields },
    seconds: { from: 3, to: 15 },
    tiers: hdTiers,
  },
  {
    endpoints: /^fal-ai\/kling-video\/o3\/(standard|pro)\/reference-to-video$/,
    fields: { ...commonFields, ...audioField, ...startFrameFields, reference_images: 'image_urls' },
    seconds: { from: 3, to: 15 },
    aspectRatios: threeRatios,
    tiers: hdTiers,
  },
  {
    endpoints: /^fal-ai\/kling-video\/(o1|o3\/(standard|pro))\/video-to-video\/(reference|edit)$/,
    // A reference video and a video to edit share one field. The endpoint decides whether to keep
    // the audio of the video.
    fields: {
      prompt: 'prompt',
      reference_images: 'image_urls',
      reference_videos: 'video_url',
      input_video: 'video_url',
      keep_audio: 'keep_audio',
    },
    isShapedByVideo: true,
    referenceImagesMax: 4,
    referenceVideosMax: 1,
    tasks: ['reference', 'edit'],
    inputs: {
      video: {
        types: videoTypes,
        bytesMax: 200 * mebibyte,
        secondsMin: 3,
        secondsMax: 10,
        sideMin: 720,
        sideMax: 2160,
        fpsMin: 24,
        fpsMax: 60,
      },
    },
  },
  {
    endpoints: /^fal-ai\/kling-video\/v2\.6\/pro\/text-to-video$/,
    fields: { ...commonFields, ...negativePromptField, ...audioField },
    seconds: [5, 10],
    aspectRatios: threeRatios,
    resolutions: [large],
  },
  {
    endpoints: /^fal-ai\/kling-video\/v2\.6\/pro\/image-to-video$/,
    fields: { prompt: 'prompt', seconds: 'duration', ...negativePromptField, ...audioField, ...startFrameFields },
    seconds: [5, 10],
    resolutions: [large],
  },
  {
    endpoints: /^fal-ai\/kling-video\/v2\.5-turbo\/pro\/text-to-video$/,
    fields: { ...commonFields, ...negativePromptField },
    seconds: [5, 10],
    aspectRatios: threeRatios,
    resolutions: [large],
  },
  {
    endpoints: /^fal-ai\/kling-video\/v2\.5-turbo\/pro\/image-to-video$/,
    fields: {
      prompt: 'prompt',
      seconds: 'duration',
      ...negativePromptField,
      first_frame: 'image_url',
      last_frame: 'tail_image_url',
    },
    seconds: [5, 10],
    resolutions: [large],
  },
  {
    endpoints: /^(fal-ai\/wan\/v2\.7|fal-ai\/wan-25-preview)\/text-to-video$/,
    fields: { ...commonFieldsWithResolution, ...negativePromptField, ...seedField },
    seconds: { from: 2, to: 15 },
    resolutions: [medium, large],
    aspectRatios: fiveRatios,
    defaults: { enable_prompt_expansion: false },
  },
  {
    endpoints: /^fal-ai\/wan\/v2\.7\/image-to-video$/,
    fields: {
      prompt: 'prompt',
      seconds: 'duration',
      resolution: 'resolution',
      ...negativePromptField,
      ...frameFields,
      ...seedField,
    },
    seconds: { from: 2, to: 15 },
    resolutions: [medium, large],
    defaults: { enable_prompt_expansion: false },
  },
  {
    endpoints: /^fal-ai\/wan\/v2\.7\/reference-to-video$/,
    fields: { ...commonFieldsWithResolution, ...negativePromptField, reference_images: 'reference_image_urls', ...seedField },
    seconds: { from: 2, to: 10 },
    resolutions: [medium, large],
    aspectRatios: fiveRatios,
  },
  {
    endpoints: /^fal-ai\/wan-25-preview\/image-to-video$/,
    fields: {
      prompt: 'prompt',
      seconds: 'duration',
      resolution: 'resolution',
      ...negativePromptField,
      first_frame: 'image_url',
      ...seedField,
    },
    seconds: [5, 10],
    resolutions: [small, medium, large],
    defaults: { enable_prompt_expansion: false },
  },
  {
    endpoints: /^wan\/v2\.6\/text-to-video$/,
    fields: { ...commonFieldsWithResolution, ...negativePromptField, ...seedField },
    seconds: [5, 10, 15],
    resolutions: [medium, large],
    aspectRatios: fiveRatios,
    defaults: { enable_prompt_expansion: false },
  },
  {
    endpoints: /^wan\/v2\.6\/image-to-video$/,
    fields: {
      prompt: 'prompt',
      seconds: 'duration',
      resolution: 'resolution',
      ...negativePromptField,
      first_frame: 'image_url',
      ...seedField,
    },
    seconds: [5, 10, 15],
    resolutions: [medium, large],
    defaults: { enable_prompt_expansion: false },
  },
  {
    endpoints: /^fal-ai\/veo3\.1(\/fast|\/lite)?(\/image-to-video)?$/,
    fields: { ...commonFieldsWithResolution, ...negativePromptField, ...audioField, first_frame: 'image_url', ...seedField },
    seconds: [4, 6, 8],
    resolutions: [medium, large],
    aspectRatios: ['16:9', '9:16'],
    secondsFormat: 'with unit',
    defaults: { auto_fix: false },
  },
  {
    endpoints: /^fal-ai\/veo3\.1(\/fast|\/lite)?\/first-last-frame-to-video$/,
    fields: {
      ...commonFieldsWithResolution,
      ...negativePromptField,
      ...audioField,
      first_frame: 'first_frame_url',
      last_frame: 'last_frame_url',
      ...seedField,
    },
    seconds: [4, 6, 8],
    resolutions: [medium, large],
    aspectRatios: ['16:9', '9:16'],
    secondsFormat: 'with unit',
    defaults: { auto_fix: false },
  },
  {
    endpoints: /^fal-ai\/veo3\.1\/reference-to-video$/,
    fields: { ...commonFieldsWithResolution, ...audioField, reference_images: 'image_urls' },
    seconds: [8],
    resolutions: [medium, large],
    aspectRatios: ['16:9', '9:16'],
    secondsFormat: 'with unit',
    defaults: { auto_fix: false },
  },
  {
    endpoints: /^fal-ai\/minimax\/hailuo-2\.3(-fast)?\/standard\/(text|image)-to-video$/,
    fields: { prompt: 'prompt', seconds: 'duration', first_frame: 'image_url' },
    seconds: [6, 10],
    resolutions: ['768p'],
    aspectRatios: ['16:9'],
    defaults: { prompt_optimizer: false },
  },
  {
    endpoints: /^fal-ai\/minimax\/hailuo-2\.3(-fast)?\/pro\/(text|image)-to-video$/,
    fields: { prompt: 'prompt', first_frame: 'image_url' },
    seconds: [6],
    resolutions: [large],
    aspectRatios: ['16:9'],
    defaults: { prompt_optimizer: false },
  },
  {
    endpoints: /^fal-ai\/vidu\/q3\/text-to-video(\/turbo)?$/,
    fields: { ...commonFieldsWithResolution, audio: 'audio', ...seedField },
    seconds: { from: 1, to: 16 },
    resolutions: ['540p', medium, large],
    aspectRatios: fiveRatios,
    secondsFormat: 'number',
  },
  {
    endpoints: /^fal-ai\/vidu\/q3\/image-to-video(\/turbo)?$/,
    fields: { prompt: 'prompt', seconds: 'duration', resolution: 'resolution', audio: 'audio', ...frameFields, ...seedField },
    seconds: { from: 1, to: 16 },
    resolutions: ['540p', medium, large],
    secondsFormat: 'number',
  },
  {
    endpoints: /^xai\/grok-imagine-video\/(text|image)-to-video$/,
    fields: { ...commonFieldsWithResolution, first_frame: 'image_url' },
    seconds: { from: 1, to: 15 },
    resolutions: [small, medium],
    aspectRatios: sevenRatios,
    secondsFormat: 'number',
  },
  {
    endpoints: /^xai\/grok-imagine-video\/reference-to-video$/,
    fields: { ...commonFieldsWithResolution, reference_images: 'reference_image_urls' },
    seconds: { from: 1, to: 15 },
    resolutions: [small, medium],
    aspectRatios: sevenRatios,
    secondsFormat: 'number',
  },
]

export const imageFamilies: readonly EndpointFamily[] = [
  {
    endpoints: /^fal-ai\/bytedance\/seedream\/v4\.5\/(text-to-image|edit)$/,
    fields: { ...sizedImageFields, ...seedField, ...countField },
    resolutions: ['2K'],
    resultsMax: 6,
  },
  {
    endpoints: /^fal-ai\/bytedance\/seedream\/v5\/lite\/(text-to-image|edit)$/,
    fields: { ...sizedImageFields, ...countField },
    resolutions: ['2K'],
    resultsMax: 6,
  },
  {
    endpoints: /^fal-ai\/flux-2-pro(\/edit)?$/,
    fields: { ...sizedImageFields, ...seedField },
    defaults: { output_format: 'png' },
  },
  {
    endpoints: /^fal-ai\/flux\/dev$/,
    fields: { ...sizedImageFields, ...seedField, ...countField },
    resultsMax: 4,
    defaults: { output_format: 'png' },
  },
  {
    endpoints: /^fal-ai\/flux-pro\/v1\.1-ultra$/,
    fields: { prompt: 'prompt', aspect_ratio: 'aspect_ratio', ...seedField },
    resolutions: ['2K'],
    defaults: { output_format: 'png' },
  },
  {
    endpoints: /^fal-ai\/nano-banana-(pro|2)(\/edit)?$/,
    fields: {
      prompt: 'prompt',
      aspect_ratio: 'aspect_ratio',
      resolution: 'resolution',
      reference_images: 'image_urls',
      ...seedField,
      ...countField,
    },
    resultsMax: 4,
  },
]
