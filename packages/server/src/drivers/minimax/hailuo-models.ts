import type { ParameterName } from '../upstream/requested-parameters.ts'
import type { ModelLimits } from '../upstream/model-limits.ts'

export interface HailuoModel extends ModelLimits {
  /**
   * Whether the format is fixed to 6 seconds at 720p. The oldest models reject `duration` and
   * `resolution`.
   */
  hasFixedFormat: boolean
}

const commonParameters: readonly ParameterName[] = ['prompt', 'aspect_ratio', 'resolution', 'seconds', 'watermark']

const commonModel = {
  // The API has no field for the ratio. A video from text is 16:9, and a video from an image has
  // the ratio of the image.
  aspectRatios: ['16:9'],
  firstFrameSetsRatio: true,
  seconds: [6, 10],
  resolutions: ['768p', '1080p'],
  hasFixedFormat: false,
} satisfies Partial<HailuoModel>
const oldestModel = { ...commonModel, seconds: [6], resolutions: ['720p'], hasFixedFormat: true } satisfies Partial<HailuoModel>

const models: readonly (readonly [name: RegExp, model: HailuoModel])[] = [
  [
    /^MiniMax-Hailuo-2\.3-Fast/,
    { ...commonModel, parameters: [...commonParameters, 'first_frame'], requiresOneOf: ['first_frame'] },
  ],
  [/^MiniMax-Hailuo-2\.3/, { ...commonModel, parameters: [...commonParameters, 'first_frame'] }],
  [/^MiniMax-Hailuo-02/, { ...commonModel, parameters: [...commonParameters, 'first_frame', 'last_frame'] }],
  [/^T2V-01/, { ...oldestModel, parameters: commonParameters }],
  [/^I2V-01/, { ...oldestModel, parameters: [...commonParameters, 'first_frame'], requiresOneOf: ['first_frame'] }],
  [
    /^S2V-01/,
    {
      ...oldestModel,
      parameters: [...commonParameters, 'reference_images'],
      requiresOneOf: ['reference_images'],
      referenceImagesMax: 1,
    },
  ],
]

const unknownModel: HailuoModel = {
  parameters: [...commonParameters, 'first_frame', 'last_frame', 'reference_images'],
  referenceImagesMax: 1,
  aspectRatios: commonModel.aspectRatios,
  firstFrameSetsRatio: true,
  hasFixedFormat: false,
}

export function hailuoModelOf(name: string): HailuoModel {
  return models.find(([pattern]) => pattern.test(name))?.[1] ?? unknownModel
}
