import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { ParameterName } from '../upstream/requested-parameters.ts'
import { refuseBeyond, type ModelLimits } from '../upstream/model-limits.ts'
import { withoutRenamed } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { videoModels, type Way } from './models.ts'

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
/** One model takes videos: one of up to 8 seconds, or two of up to 5. */
const withVideos: Partial<ModelLimits> = {
  parameters: [...videoParameters, 'reference_videos'],
  referenceVideosMax: 2,
  takesDataOf: ['video'],
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
const ratios = ['16:9', '9:16', '1:1']
const newRatios = [...ratios, '3:4', '4:3']

export function refuseVidu(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const asked = withoutRenamed(request, target)
  if (asked.parameters.seed === 0) return { parameter: 'seed', message: 'seed must be at least 1 with this model here' }
  return request.object === 'image' ? refuseImage(asked, target) : refuseVideo(asked, target)
}

export function wayOf({ reference_images = [], reference_videos = [], first_frame, last_frame }: GenerationParameters): Way {
  if (reference_images.length + reference_videos.length > 0) return 'reference2video'
  if (first_frame === undefined) return 'text2video'
  return last_frame === undefined ? 'img2video' : 'start-end2video'
}

/** Whether the request takes a ratio; with a first frame the image decides it. */
export function takesRatio(way: Way): boolean {
  return way === 'text2video' || way === 'reference2video'
}

function refuseImage(asked: UpstreamRequest, { model }: UpstreamTarget): ParameterRefusal | null {
  return refuseBeyond(asked, {
    parameters: imageParameters,
    referenceImagesMax,
    ...(model === 'viduq1' && { needsOneOf: ['reference_images'] }),
  })
}

function refuseVideo(asked: UpstreamRequest, { model }: UpstreamTarget): ParameterRefusal | null {
  const { parameters, inputs = [] } = asked
  if (parameters.last_frame !== undefined && parameters.first_frame === undefined) {
    return { parameter: 'last_frame', message: 'last_frame requires first_frame' }
  }
  const way = wayOf(parameters)
  const ways = videoModels.get(model)
  if (ways !== undefined && ways[way] === undefined) return refuseWay(way, 'img2video' in ways)
  const isKnown = ways !== undefined
  const hasVideos = (parameters.reference_videos ?? []).length > 0
  const long = inputs.find(({ facts }) => facts.kind === 'video' && (facts.seconds ?? 0) > 5.1)
  if (long !== undefined && (parameters.reference_videos ?? []).length > 1) {
    return {
      parameter: 'reference_videos',
      message: 'reference_videos must be one of at most 8 seconds, or two of at most 5 here',
    }
  }
  return refuseBeyond(asked, {
    parameters: videoParameters,
    referenceImagesMax,
    referencesStandAlone: true,
    ...ways?.[way],
    ...(model === 'viduq2-pro' && { ...withVideos, ...(hasVideos && { referenceImagesMax: 4 }) }),
    ...(isKnown && takesRatio(way) && { aspectRatios: /^viduq[23]/.test(model) ? newRatios : ratios }),
  })
}

function refuseWay(way: Way, takesFrames: boolean): ParameterRefusal {
  if (way === 'text2video') {
    const parameter = takesFrames ? 'first_frame' : 'reference_images'
    return { parameter, message: `${parameter} is required with this model here` }
  }
  const parameter = ({ img2video: 'first_frame', 'start-end2video': 'last_frame', reference2video: 'reference_images' } as const)[
    way
  ]
  return { parameter, message: `${parameter} cannot be used with this model here; leave it out` }
}
