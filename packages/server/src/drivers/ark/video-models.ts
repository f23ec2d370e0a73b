import type { ModelLimits } from '../upstream/model-limits.ts'
import type { ParameterName } from '../upstream/requested-parameters.ts'

/** Limits of a generation of Seedance. The names differ by region in the part before `seedance`. */
export interface VideoModel extends ModelLimits {
  hasAudio: boolean
}

const words: readonly ParameterName[] = ['prompt', 'aspect_ratio', 'resolution', 'seconds', 'seed', 'watermark']
const frames: readonly ParameterName[] = ['first_frame', 'last_frame']
const aspectRatios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
const upTo1080p = ['480p', '720p', '1080p']

/** An endpoint id, or a later model: all parameters that the upstream may know are passed on. */
const unknownVideoModel: VideoModel = {
  parameters: [...words, ...frames, 'audio', 'reference_images'],
  hasAudio: true,
  referencesStandAlone: true,
}

const generation2: VideoModel = {
  ...unknownVideoModel,
  aspectRatios,
  seconds: { from: 4, to: 15 },
  resolutions: upTo1080p,
  referenceImagesMax: 9,
}
const generation1: VideoModel = {
  ...unknownVideoModel,
  parameters: [...words, ...frames],
  hasAudio: false,
  aspectRatios,
  seconds: { from: 2, to: 12 },
  resolutions: upTo1080p,
}

const videoModels: readonly (readonly [name: RegExp, model: VideoModel])[] = [
  [/seedance-2-5/, { ...generation2, seconds: { from: 4, to: 30 }, referenceImagesMax: 30, framesDecideRatio: true }],
  [/seedance-2-0-(fast|mini)/, { ...generation2, resolutions: ['480p', '720p'] }],
  [/seedance-2-0/, generation2],
  [
    /seedance-1-5-pro/,
    { ...generation1, parameters: [...words, ...frames, 'audio'], hasAudio: true, seconds: { from: 4, to: 12 } },
  ],
  [/seedance-1-0-pro-fast/, { ...generation1, parameters: [...words, 'first_frame'] }],
  [/seedance-1-0-pro/, generation1],
  [/seedance-1-0-lite-t2v/, { ...generation1, parameters: words }],
  [
    /seedance-1-0-lite-i2v/,
    {
      ...generation1,
      parameters: [...words, ...frames, 'reference_images'],
      // With references it makes no 1080p; the upstream itself refuses that.
      referenceImagesMax: 4,
      needsOneOf: ['first_frame', 'reference_images'],
    },
  ],
]

export function videoModelOf(name: string): VideoModel {
  return videoModels.find(([pattern]) => pattern.test(name))?.[1] ?? unknownVideoModel
}
