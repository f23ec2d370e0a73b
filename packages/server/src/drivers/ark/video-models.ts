import type { InputLimits } from '../../lib/input-limits.ts'
import type { ModelLimits } from '../upstream/model-limits.ts'
import type { ParameterName } from '../upstream/requested-parameters.ts'

/**
 * Limits of Seedance models whose names match a pattern. The part of a model name before `seedance`
 * differs by region.
 */
export interface VideoModel extends ModelLimits {
  hasAudio: boolean
  /** Set if the upstream accepts reference audio only together with an image or a video. */
  requiresVisualReference?: boolean
}

const commonParameters: readonly ParameterName[] = ['prompt', 'aspect_ratio', 'resolution', 'seconds', 'seed', 'watermark']
const frameParameters: readonly ParameterName[] = ['first_frame', 'last_frame']
const referenceParameters: readonly ParameterName[] = ['reference_images', 'reference_videos', 'reference_audios']
const aspectRatios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
const resolutionsTo1080p = ['480p', '720p', '1080p']

/**
 * Limits for an endpoint id or an unknown model. Every parameter that the upstream may support is
 * passed on.
 */
const unknownVideoModel: VideoModel = {
  parameters: [...commonParameters, ...frameParameters, 'audio', ...referenceParameters],
  hasAudio: true,
  isReferenceExclusive: true,
  dataUriKinds: ['audio'],
}

const mebibyte = 1024 * 1024

/**
 * Returns the limits of video and audio files. `secondsMax` is the maximum length of each file, and
 * of all files of the same kind together.
 */
function inputLimitsOf(secondsMax: number): InputLimits {
  const lengths = { secondsMin: 2, secondsMax, secondsTotalMax: secondsMax }
  const video = { types: ['video/mp4', 'video/quicktime'], bytesMax: 200 * mebibyte, sideMin: 300, sideMax: 6000 }
  return {
    video: { ...video, ...lengths, fpsMin: 24, fpsMax: 60 },
    audio: { ...lengths, types: ['audio/wav', 'audio/mpeg'], bytesMax: 15 * mebibyte },
  }
}

const referenceLimits25 = {
  referenceImagesMax: 30,
  referenceVideosMax: 10,
  referenceAudiosMax: 10,
  inputs: inputLimitsOf(30),
  requiresVisualReference: false,
} satisfies Partial<VideoModel>

const generation2: VideoModel = {
  ...unknownVideoModel,
  aspectRatios,
  seconds: { from: 4, to: 15 },
  resolutions: resolutionsTo1080p,
  referenceImagesMax: 9,
  referenceVideosMax: 3,
  referenceAudiosMax: 3,
  inputs: inputLimitsOf(15),
  requiresVisualReference: true,
}
const generation1: VideoModel = {
  ...unknownVideoModel,
  parameters: [...commonParameters, ...frameParameters],
  hasAudio: false,
  aspectRatios,
  seconds: { from: 2, to: 12 },
  resolutions: resolutionsTo1080p,
}

const videoModels: readonly (readonly [name: RegExp, model: VideoModel])[] = [
  [/seedance-2-5/, { ...generation2, seconds: { from: 4, to: 30 }, ...referenceLimits25, firstFrameSetsRatio: true }],
  [/seedance-2-0-(fast|mini)/, { ...generation2, resolutions: ['480p', '720p'] }],
  [/seedance-2-0/, generation2],
  [
    /seedance-1-5-pro/,
    {
      ...generation1,
      parameters: [...commonParameters, ...frameParameters, 'audio'],
      hasAudio: true,
      seconds: { from: 4, to: 12 },
    },
  ],
  [/seedance-1-0-pro-fast/, { ...generation1, parameters: [...commonParameters, 'first_frame'] }],
  [/seedance-1-0-pro/, generation1],
  [/seedance-1-0-lite-t2v/, { ...generation1, parameters: commonParameters }],
  [
    /seedance-1-0-lite-i2v/,
    {
      ...generation1,
      parameters: [...commonParameters, ...frameParameters, 'reference_images'],
      // This model generates no 1080p videos from reference images. The driver leaves it to the
      // upstream to refuse such a request.
      referenceImagesMax: 4,
      requiresOneOf: ['first_frame', 'reference_images'],
    },
  ],
]

export function videoModelOf(name: string): VideoModel {
  return videoModels.find(([pattern]) => pattern.test(name))?.[1] ?? unknownVideoModel
}
