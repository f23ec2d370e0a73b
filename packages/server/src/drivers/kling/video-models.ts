import type { ParameterName } from '../upstream/requested-parameters.ts'
import type { InputLimits } from '../../lib/input-limits.ts'
import type { ModelLimits } from '../upstream/model-limits.ts'

/**
 * A video model. Its name determines the generation of the API: `kling-v3` is in the first,
 * `kling-3.0` in the second.
 */
export interface VideoModel extends ModelLimits {
  /** Whether a request can enable or disable audio. */
  hasOptionalAudio: boolean
  /** Whether the model accepts frames and references together, at a separate path. */
  isOmni?: boolean
  /** Whether the model divides the video into several shots unless a parameter disables it. */
  cutsIntoShots?: boolean
  /** Parameters that require 1080p. */
  only1080p?: readonly ParameterName[]
}

const commonParameters: readonly ParameterName[] = ['prompt', 'aspect_ratio', 'resolution', 'seconds', 'watermark']
const frames: readonly ParameterName[] = ['first_frame', 'last_frame']

const common = {
  parameters: [...commonParameters, ...frames],
  resolutions: ['720p', '1080p'],
  aspectRatios: ['16:9', '9:16', '1:1'],
  isRatioOfFirstFrame: true,
  hasOptionalAudio: false,
} satisfies VideoModel

const omni: VideoModel = {
  ...common,
  parameters: [
    ...commonParameters,
    ...frames,
    'audio',
    'reference_images',
    'reference_videos',
    'input_video',
    'task',
    'keep_audio',
  ],
  referenceImagesMax: 7,
  referenceVideosMax: 1,
  tasks: ['reference', 'edit'],
  hasOptionalAudio: true,
  isOmni: true,
}
const upTo15 = { from: 3, to: 15 }
const upTo10 = { from: 3, to: 10 }
const withAudio: VideoModel = { ...common, parameters: [...commonParameters, ...frames, 'audio'], hasOptionalAudio: true }

function videoOf(secondsMin: number, secondsMax: number, sideMin: number, sideMax: number): InputLimits {
  const types = ['video/mp4', 'video/quicktime']
  return { video: { types, bytesMax: 200 * 1024 * 1024, secondsMin, secondsMax, sideMin, sideMax, fpsMin: 24, fpsMax: 60 } }
}

type NamedModel = readonly [name: RegExp, model: VideoModel]

const firstGeneration: readonly NamedModel[] = [
  [/^kling-v3-omni/, { ...omni, seconds: upTo15, inputs: videoOf(3, 10, 720, 2160) }],
  [/^kling-video-o1/, { ...omni, seconds: upTo10, inputs: videoOf(3, 10, 720, 2160) }],
  [/omni/, omni],
  [/^kling-v3/, { ...withAudio, seconds: upTo15 }],
  [/^kling-v2-6/, { ...withAudio, seconds: [5, 10], only1080p: ['audio', 'last_frame'] }],
  [/^kling-v2-5/, { ...common, seconds: [5, 10], only1080p: ['last_frame'] }],
  [
    /^kling-v1-6/,
    {
      ...common,
      parameters: [...common.parameters, 'reference_images'],
      seconds: [5, 10],
      referenceImagesMax: 4,
      isReferenceExclusive: true,
    },
  ],
  [/^kling-v[12]/, { ...common, seconds: [5, 10] }],
  [/^/, { ...withAudio, parameters: [...withAudio.parameters, 'reference_images'], isReferenceExclusive: true }],
]

const secondGeneration: readonly NamedModel[] = [
  [/^kling-3\.0-omni/, { ...omni, seconds: upTo15, cutsIntoShots: true, inputs: videoOf(3, 15.5, 700, 4553) }],
  [/^kling-o1/, { ...omni, seconds: upTo10, inputs: videoOf(3, 15.5, 700, 4553) }],
  [/omni/, { ...omni, cutsIntoShots: true }],
  // This model always generates audio.
  [
    /^kling-3\.0-turbo/,
    { ...common, parameters: [...commonParameters, 'first_frame', 'audio'], seconds: upTo15, cutsIntoShots: true },
  ],
  [/^kling-3/, { ...withAudio, seconds: upTo15, cutsIntoShots: true }],
  [/^kling-2\.6/, { ...withAudio, seconds: [5, 10], only1080p: ['last_frame'] }],
  [/^kling-2\.5/, { ...common, seconds: [5, 10], only1080p: ['last_frame'] }],
  [/^/, withAudio],
]

export function isSecondGeneration(name: string): boolean {
  return /^kling-(\d|o1)/.test(name)
}

export function videoModelOf(name: string): VideoModel {
  const models = isSecondGeneration(name) ? secondGeneration : firstGeneration
  return models.find(([pattern]) => pattern.test(name))?.[1] ?? common
}
