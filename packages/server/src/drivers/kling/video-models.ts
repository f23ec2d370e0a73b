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
  /**
   * Whether the model accepts frames and references together. The jobs of such models have a submit
   * path of their own.
   */
  isOmni?: boolean
  /** Whether the model divides the video into several shots unless a parameter disables it. */
  cutsIntoShots?: boolean
  parametersRequiring1080p?: readonly ParameterName[]
}

const commonParameters: readonly ParameterName[] = ['prompt', 'aspect_ratio', 'resolution', 'seconds', 'watermark']
const frameParameters: readonly ParameterName[] = ['first_frame', 'last_frame']

const commonModel = {
  parameters: [...commonParameters, ...frameParameters],
  resolutions: ['720p', '1080p'],
  aspectRatios: ['16:9', '9:16', '1:1'],
  firstFrameSetsRatio: true,
  hasOptionalAudio: false,
} satisfies VideoModel

const omniModel: VideoModel = {
  ...commonModel,
  parameters: [
    ...commonParameters,
    ...frameParameters,
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
const secondsTo15 = { from: 3, to: 15 }
const secondsTo10 = { from: 3, to: 10 }
const audioModel: VideoModel = {
  ...commonModel,
  parameters: [...commonParameters, ...frameParameters, 'audio'],
  hasOptionalAudio: true,
}

function videoInputLimits(secondsMin: number, secondsMax: number, sideMin: number, sideMax: number): InputLimits {
  const types = ['video/mp4', 'video/quicktime']
  return { video: { types, bytesMax: 200 * 1024 * 1024, secondsMin, secondsMax, sideMin, sideMax, fpsMin: 24, fpsMax: 60 } }
}

type NamedModel = readonly [pattern: RegExp, model: VideoModel]

const firstGenerationModels: readonly NamedModel[] = [
  [/^kling-v3-omni/, { ...omniModel, seconds: secondsTo15, inputs: videoInputLimits(3, 10, 720, 2160) }],
  [/^kling-video-o1/, { ...omniModel, seconds: secondsTo10, inputs: videoInputLimits(3, 10, 720, 2160) }],
  [/omni/, omniModel],
  [/^kling-v3/, { ...audioModel, seconds: secondsTo15 }],
  [/^kling-v2-6/, { ...audioModel, seconds: [5, 10], parametersRequiring1080p: ['audio', 'last_frame'] }],
  [/^kling-v2-5/, { ...commonModel, seconds: [5, 10], parametersRequiring1080p: ['last_frame'] }],
  [
    /^kling-v1-6/,
    {
      ...commonModel,
      parameters: [...commonModel.parameters, 'reference_images'],
      seconds: [5, 10],
      referenceImagesMax: 4,
      isReferenceExclusive: true,
    },
  ],
  [/^kling-v[12]/, { ...commonModel, seconds: [5, 10] }],
  [/^/, { ...audioModel, parameters: [...audioModel.parameters, 'reference_images'], isReferenceExclusive: true }],
]

const secondGenerationModels: readonly NamedModel[] = [
  [/^kling-3\.0-omni/, { ...omniModel, seconds: secondsTo15, cutsIntoShots: true, inputs: videoInputLimits(3, 15.5, 700, 4553) }],
  [/^kling-o1/, { ...omniModel, seconds: secondsTo10, inputs: videoInputLimits(3, 15.5, 700, 4553) }],
  [/omni/, { ...omniModel, cutsIntoShots: true }],
  // This model always generates audio.
  [
    /^kling-3\.0-turbo/,
    { ...commonModel, parameters: [...commonParameters, 'first_frame', 'audio'], seconds: secondsTo15, cutsIntoShots: true },
  ],
  [/^kling-3/, { ...audioModel, seconds: secondsTo15, cutsIntoShots: true }],
  [/^kling-2\.6/, { ...audioModel, seconds: [5, 10], parametersRequiring1080p: ['last_frame'] }],
  [/^kling-2\.5/, { ...commonModel, seconds: [5, 10], parametersRequiring1080p: ['last_frame'] }],
  [/^/, audioModel],
]

export function isSecondGeneration(name: string): boolean {
  return /^kling-(\d|o1)/.test(name)
}

export function videoModelOf(name: string): VideoModel {
  const models = isSecondGeneration(name) ? secondGenerationModels : firstGenerationModels
  return models.find(([pattern]) => pattern.test(name))?.[1] ?? commonModel
}
