import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { ParameterName } from '../upstream/requested-parameters.ts'
import { refuseBeyondLimits, type ModelLimits } from '../upstream/model-limits.ts'
import { withoutRenamed } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { videoModels, type VideoRequestKind } from './models.ts'

const imageParameters: readonly ParameterName[] = ['prompt', 'aspect_ratio', 'resolution', 'reference_images', 'seed']
const videoParameters: readonly ParameterName[] = [
  ...imageParameters,
  'seconds',
  'first_frame',
  'last_frame',
  'audio',
  'watermark',
]
const referenceImagesMax = 7
/**
 * Limits of the model that accepts reference videos: one of up to 8 seconds, or two of up to 5
 * seconds.
 */
const referenceVideoLimits: Partial<ModelLimits> = {
  parameters: [...videoParameters, 'reference_videos'],
  referenceVideosMax: 2,
  dataUriKinds: ['video'],
  inputs: {
    video: {
      types: ['video/mp4', 'video/quicktime'],
      bytesMax: 100 * 1024 * 1024,
      secondsMax: 8,
      secondsTotalMax: 10,
      sideMin: 128,
    },
  },
}
const aspectRatios = ['16:9', '9:16', '1:1']
const newerAspectRatios = [...aspectRatios, '3:4', '4:3']

export function refuseVidu(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const requestToCheck = withoutRenamed(request, target)
  if (requestToCheck.parameters.seed === 0) return { parameter: 'seed', message: 'seed must be at least 1 for this model' }
  return request.object === 'image' ? refuseImage(requestToCheck, target) : refuseVideo(requestToCheck, target)
}

export function videoRequestKindOf({
  reference_images = [],
  reference_videos = [],
  first_frame,
  last_frame,
}: GenerationParameters): VideoRequestKind {
  if (reference_images.length + reference_videos.length > 0) return 'reference2video'
  if (first_frame === undefined) return 'text2video'
  return last_frame === undefined ? 'img2video' : 'start-end2video'
}

/**
 * Whether the upstream accepts a ratio in requests of this kind. In requests of other kinds, the
 * first frame determines the ratio.
 */
export function acceptsRatio(kind: VideoRequestKind): boolean {
  return kind === 'text2video' || kind === 'reference2video'
}

function refuseImage(requestToCheck: UpstreamRequest, { model }: UpstreamTarget): ParameterRefusal | null {
  return refuseBeyondLimits(requestToCheck, {
    parameters: imageParameters,
    referenceImagesMax,
    ...(model === 'viduq1' && { requiresOneOf: ['reference_images'] }),
  })
}

function refuseVideo(requestToCheck: UpstreamRequest, { model }: UpstreamTarget): ParameterRefusal | null {
  const { parameters, inputs = [] } = requestToCheck
  if (parameters.last_frame !== undefined && parameters.first_frame === undefined) {
    return { parameter: 'last_frame', message: 'last_frame requires first_frame' }
  }
  const kind = videoRequestKindOf(parameters)
  const capabilities = videoModels.get(model)
  if (capabilities !== undefined && capabilities[kind] === undefined) return refuseKind(kind, 'img2video' in capabilities)
  const isKnown = capabilities !== undefined
  const hasVideos = (parameters.reference_videos ?? []).length > 0
  const longVideo = inputs.find(({ facts }) => facts.kind === 'video' && (facts.seconds ?? 0) > 5.1)
  if (longVideo !== undefined && (parameters.reference_videos ?? []).length > 1) {
    return {
      parameter: 'reference_videos',
      message: 'reference_videos must be one video of at most 8 seconds, or two videos of at most 5 seconds, for this model',
    }
  }
  return refuseBeyondLimits(requestToCheck, {
    parameters: videoParameters,
    referenceImagesMax,
    isReferenceExclusive: true,
    ...capabilities?.[kind],
    ...(model === 'viduq2-pro' && { ...referenceVideoLimits, ...(hasVideos && { referenceImagesMax: 4 }) }),
    ...(isKnown && acceptsRatio(kind) && { aspectRatios: /^viduq[23]/.test(model) ? newerAspectRatios : aspectRatios }),
  })
}

function refuseKind(kind: VideoRequestKind, acceptsFrames: boolean): ParameterRefusal {
  if (kind === 'text2video') {
    const parameter = acceptsFrames ? 'first_frame' : 'reference_images'
    return { parameter, message: `${parameter} is required for this model` }
  }
  const parameter = ({ img2video: 'first_frame', 'start-end2video': 'last_frame', reference2video: 'reference_images' } as const)[
    kind
  ]
  return { parameter, message: `${parameter} is not supported for this model; leave it out` }
}
