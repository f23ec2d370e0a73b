import type { ParameterName } from '../upstream/requested-parameters.ts'
import type { InputLimits } from '../../lib/input-limits.ts'
import type { ModelLimits } from '../upstream/model-limits.ts'

export interface VideoModel extends ModelLimits {
  /**
   * Format of the request body. Besides the prompt, it has:
   *
   *   size         the size in pixels
   *   image        `img_url` and a resolution
   *   frames       `first_frame_url`, `last_frame_url` and a resolution. Sent to a separate path
   *   references   `reference_urls` and the size in pixels
   *   media        one list of files with their roles, a resolution and, without a first frame, a
   *                ratio
   */
  format: 'size' | 'image' | 'frames' | 'references' | 'media'
  /**
   * Whether a request can enable or disable audio. Otherwise the model always generates audio, or
   * never.
   */
  hasOptionalAudio: boolean
  /** Whether the model rewrites the prompt unless a parameter disables that. */
  rewritesPrompts: boolean
}

const commonParameters: readonly ParameterName[] = [
  'prompt',
  'aspect_ratio',
  'resolution',
  'seconds',
  'seed',
  'watermark',
  'audio',
]
const parametersWithNegativePrompt: readonly ParameterName[] = [...commonParameters, 'negative_prompt']
const frameParameters: readonly ParameterName[] = ['first_frame', 'last_frame']
const withoutAudio = (parameters: readonly ParameterName[]): ParameterName[] => parameters.filter((name) => name !== 'audio')

const commonLimits = {
  seedMax: 2 ** 31 - 1,
  aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4'],
  firstFrameSetsRatio: true,
  hasOptionalAudio: false,
  rewritesPrompts: true,
} satisfies Partial<VideoModel>
const mebibyte = 1024 * 1024
const resolutionsTo1080p = ['480p', '720p', '1080p']
const hdResolutions = ['720p', '1080p']

/** Limits of HappyHorse, and of Wan from version 2.7 on. */
const mediaModel = {
  ...commonLimits,
  format: 'media',
  parameters: [...parametersWithNegativePrompt, ...frameParameters, 'reference_images'],
} satisfies VideoModel
const wan27 = { ...mediaModel, seconds: { from: 2, to: 15 }, resolutions: hdResolutions } satisfies VideoModel
const happyhorse = { ...wan27, seconds: { from: 3, to: 15 }, rewritesPrompts: false } satisfies VideoModel
const wan26 = { ...commonLimits, seconds: { from: 2, to: 15 }, resolutions: hdResolutions }
const wan25 = { ...commonLimits, seconds: [5, 10], resolutions: resolutionsTo1080p, hasOptionalAudio: true }
const wan22 = { ...commonLimits, seconds: [5] }
const imageFormat = {
  format: 'image',
  parameters: [...parametersWithNegativePrompt, 'first_frame'],
  requiresOneOf: ['first_frame'],
} as const
/**
 * Returns the limits of input files. `secondsMax` is the maximum length of each video or audio
 * file. With `areCombined`, it is also the maximum total length of the files of a kind. Otherwise a
 * request may have at most five files, images included.
 */
function inputLimitsOf(secondsMax: number, areCombined: boolean): InputLimits {
  const lengths = { secondsMin: 1, secondsMax, ...(areCombined && { secondsTotalMax: secondsMax }) }
  return {
    video: { ...lengths, types: ['video/mp4', 'video/quicktime'], bytesMax: 100 * mebibyte, sideMin: 240, sideMax: 4096 },
    audio: { ...lengths, types: ['audio/wav', 'audio/mpeg'], bytesMax: 15 * mebibyte },
    ...(!areCombined && { filesMax: 5 }),
  }
}

const referencesFormat = {
  format: 'references',
  parameters: [...parametersWithNegativePrompt, 'reference_images', 'reference_videos'],
  requiresOneOf: ['reference_images', 'reference_videos'],
  referenceImagesMax: 5,
  referenceVideosMax: 3,
  inputs: inputLimitsOf(30, false),
} as const

const videoModels: readonly (readonly [name: RegExp, model: VideoModel])[] = [
  [
    /^wan3\.0/,
    {
      ...mediaModel,
      parameters: [...commonParameters, ...frameParameters, 'reference_images', 'reference_videos', 'reference_audios'],
      seconds: { from: 2, to: 30 },
      resolutions: resolutionsTo1080p,
      referenceImagesMax: 10,
      referenceVideosMax: 5,
      referenceAudiosMax: 5,
      inputs: inputLimitsOf(15, true),
      isReferenceExclusive: true,
      hasOptionalAudio: true,
    },
  ],
  [/^wan2\.7-t2v/, { ...wan27, parameters: parametersWithNegativePrompt }],
  [
    /^wan2\.7-i2v/,
    { ...wan27, parameters: [...parametersWithNegativePrompt, ...frameParameters], requiresOneOf: ['first_frame'] },
  ],
  [
    /^wan2\.7-r2v/,
    {
      ...wan27,
      parameters: [...parametersWithNegativePrompt, 'first_frame', 'reference_images', 'reference_videos'],
      requiresOneOf: ['reference_images', 'reference_videos'],
      referenceImagesMax: 5,
      referenceVideosMax: 5,
      inputs: inputLimitsOf(30, false),
    },
  ],
  [/^happyhorse-1\.1-t2v/, { ...happyhorse, parameters: commonParameters, aspectRatios: [...commonLimits.aspectRatios, '21:9'] }],
  [/^happyhorse-1\.\d-t2v/, { ...happyhorse, parameters: commonParameters }],
  [/^happyhorse-1\.\d-i2v/, { ...happyhorse, parameters: [...commonParameters, 'first_frame'], requiresOneOf: ['first_frame'] }],
  [
    /^happyhorse-1\.\d-r2v/,
    {
      ...happyhorse,
      parameters: [...commonParameters, 'reference_images'],
      requiresOneOf: ['reference_images'],
      referenceImagesMax: 9,
    },
  ],
  [/^wan2\.6-t2v/, { ...wan26, format: 'size', parameters: parametersWithNegativePrompt }],
  [/^wan2\.6-i2v-flash/, { ...wan26, ...imageFormat, hasOptionalAudio: true }],
  [/^wan2\.6-i2v/, { ...wan26, ...imageFormat }],
  [/^wan2\.6-r2v-flash/, { ...wan26, ...referencesFormat, seconds: { from: 2, to: 10 }, hasOptionalAudio: true }],
  [/^wan2\.6-r2v/, { ...wan26, ...referencesFormat, seconds: { from: 2, to: 10 } }],
  [/^wan2\.5-t2v/, { ...wan25, format: 'size', parameters: parametersWithNegativePrompt }],
  [/^wan2\.5-i2v/, { ...wan25, ...imageFormat }],
  [
    /kf2v/,
    {
      ...wan22,
      format: 'frames',
      parameters: withoutAudio([...parametersWithNegativePrompt, ...frameParameters]),
      requiresOneOf: ['last_frame'],
    },
  ],
  [
    /^wan2\.2-t2v/,
    { ...wan22, format: 'size', parameters: withoutAudio(parametersWithNegativePrompt), resolutions: ['480p', '1080p'] },
  ],
  [
    /^wan2\.2-i2v-flash/,
    { ...wan22, ...imageFormat, parameters: withoutAudio(imageFormat.parameters), resolutions: ['480p', '720p'] },
  ],
  [
    /^wan2\.2-i2v/,
    { ...wan22, ...imageFormat, parameters: withoutAudio(imageFormat.parameters), resolutions: ['480p', '1080p'] },
  ],
  [/^wanx?2\.[1-5]-t2v/, { ...commonLimits, format: 'size', parameters: withoutAudio(parametersWithNegativePrompt) }],
  [/^wanx?2\.[1-5]-i2v/, { ...commonLimits, ...imageFormat, parameters: withoutAudio(imageFormat.parameters) }],
]

const unknownModel: VideoModel = {
  format: 'media',
  parameters: mediaModel.parameters,
  hasOptionalAudio: false,
  rewritesPrompts: true,
}

export function videoModelOf(name: string): VideoModel {
  return videoModels.find(([pattern]) => pattern.test(name))?.[1] ?? unknownModel
}

/** Sizes in pixels by resolution and ratio. Older models accept only these sizes. */
const sizesByResolution: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '480p': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
  '720p': { '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960', '4:3': '1088*832', '3:4': '832*1088' },
  '1080p': { '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440', '4:3': '1632*1248', '3:4': '1248*1632' },
}

export function sizeOf({
  resolution = '',
  aspect_ratio = '',
}: {
  resolution?: string
  aspect_ratio?: string
}): string | undefined {
  return sizesByResolution[resolution]?.[aspect_ratio]
}

/** Whether the request body has the size in pixels, in place of a resolution and a ratio. */
export function hasPixelSize({ format }: VideoModel): boolean {
  return format === 'size' || format === 'references'
}
