import type { ParameterName } from '../upstream/requested-parameters.ts'
import { refuseBeyond, type ModelLimits } from '../upstream/model-limits.ts'
import { withoutRenamed } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'

const imageParameters: readonly ParameterName[] = ['prompt', 'aspect_ratio', 'resolution', 'reference_images']
const videoParameters: readonly ParameterName[] = [...imageParameters, 'seconds', 'first_frame', 'audio']

const video: ModelLimits = {
  parameters: videoParameters,
  seconds: { from: 1, to: 15 },
  resolutions: ['480p', '720p'],
  aspectRatios: ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'],
  referenceImagesMax: 7,
  referencesStandAlone: true,
  needsOneOf: ['prompt'],
}
const newerVideo: ModelLimits = {
  ...video,
  parameters: [...videoParameters, 'last_frame'],
  resolutions: ['480p', '720p', '1080p'],
}

export function refuseXai(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const asked = withoutRenamed(request, target)
  if (request.object === 'image') {
    return refuseBeyond(asked, {
      parameters: [...imageParameters, 'n'],
      resultsMax: 10,
      resolutions: ['1K', '2K'],
      referenceImagesMax: 5,
      needsOneOf: ['prompt'],
    })
  }
  const { first_frame, last_frame, reference_images = [] } = asked.parameters
  if (last_frame !== undefined && first_frame === undefined) {
    return { parameter: 'last_frame', message: 'last_frame requires first_frame' }
  }
  if (asked.parameters.input_video !== undefined) return refuseSource(asked, target)
  const limits = limitsOf(target.model)
  if (limits === null) return refuseBeyond(asked, { parameters: newerVideo.parameters, referencesStandAlone: true })
  if (reference_images.length > 0) {
    return refuseBeyond(asked, { ...limits, seconds: { from: 1, to: 10 }, resolutions: video.resolutions ?? [] })
  }
  if (first_frame === undefined) return refuseBeyond(asked, limits)
  // The image decides the ratio.
  const { aspectRatios: _any, ...framed } = limits
  return refuseBeyond(asked, framed)
}

/**
 * Only the first model edits and continues videos. The result has the shape of the source video.
 */
function refuseSource(asked: UpstreamRequest, { model }: UpstreamTarget): ParameterRefusal | null {
  if (limitsOf(model) === newerVideo) {
    return { parameter: 'input_video', message: 'input_video cannot be used with this model here; leave it out' }
  }
  const isExtension = asked.parameters.task === 'extend'
  const video = { types: ['video/mp4'], secondsMin: isExtension ? 2 : 0, secondsMax: isExtension ? 15 : 8.7 }
  return refuseBeyond(asked, {
    parameters: ['prompt', 'input_video', 'task', 'seconds', 'aspect_ratio', 'resolution'],
    needsOneOf: ['prompt'],
    tasks: ['edit', 'extend'],
    takesDataOf: ['video'],
    inputs: { video },
    ...(isExtension && { seconds: { from: 2, to: 10 } }),
  })
}

function limitsOf(model: string): ModelLimits | null {
  if (model.startsWith('grok-imagine-video-1.5')) return newerVideo
  return model === 'grok-imagine-video' ? video : null
}
