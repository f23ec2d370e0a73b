import type { ParameterName } from '../upstream/requested-parameters.ts'
import { refuseBeyondLimits, type ModelLimits } from '../upstream/model-limits.ts'
import { withoutRenamed } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'

const imageParameters: readonly ParameterName[] = ['prompt', 'aspect_ratio', 'resolution', 'reference_images']
const videoParameters: readonly ParameterName[] = [...imageParameters, 'seconds', 'first_frame', 'audio']

const videoLimits: ModelLimits = {
  parameters: videoParameters,
  seconds: { from: 1, to: 15 },
  resolutions: ['480p', '720p'],
  aspectRatios: ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'],
  referenceImagesMax: 7,
  isReferenceExclusive: true,
  requiresOneOf: ['prompt'],
}
const newerVideoLimits: ModelLimits = {
  ...videoLimits,
  parameters: [...videoParameters, 'last_frame'],
  resolutions: ['480p', '720p', '1080p'],
}

export function refuseXai(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const requestToCheck = withoutRenamed(request, target)
  if (request.object === 'image') {
    return refuseBeyondLimits(requestToCheck, {
      parameters: [...imageParameters, 'n'],
      resultsMax: 10,
      resolutions: ['1K', '2K'],
      referenceImagesMax: 5,
      requiresOneOf: ['prompt'],
    })
  }
  const { first_frame, last_frame, reference_images = [] } = requestToCheck.parameters
  if (last_frame !== undefined && first_frame === undefined) {
    return { parameter: 'last_frame', message: 'last_frame requires first_frame' }
  }
  if (requestToCheck.parameters.input_video !== undefined) return refuseEditOrExtension(requestToCheck, target)
  const limits = limitsOf(target.model)
  if (limits === null)
    return refuseBeyondLimits(requestToCheck, { parameters: newerVideoLimits.parameters, isReferenceExclusive: true })
  if (reference_images.length > 0) {
    return refuseBeyondLimits(requestToCheck, {
      ...limits,
      seconds: { from: 1, to: 10 },
      resolutions: videoLimits.resolutions ?? [],
    })
  }
  if (first_frame === undefined) return refuseBeyondLimits(requestToCheck, limits)
  // The first frame determines the ratio.
  const { aspectRatios: _ratios, ...limitsWithoutRatio } = limits
  return refuseBeyondLimits(requestToCheck, limitsWithoutRatio)
}

/**
 * Refuses requests to edit or extend a video that exceed the limits. `grok-imagine-video-1.5` can
 * neither edit nor extend, so every such request is refused. Models that the driver does not know
 * are checked like `grok-imagine-video`. `aspect_ratio` has no effect, because the result has the
 * ratio of the input video.
 */
function refuseEditOrExtension(requestToCheck: UpstreamRequest, { model }: UpstreamTarget): ParameterRefusal | null {
  if (limitsOf(model) === newerVideoLimits) {
    return { parameter: 'input_video', message: 'input_video is not supported for this model; leave it out' }
  }
  const isExtension = requestToCheck.parameters.task === 'extend'
  const video = { types: ['video/mp4'], secondsMin: isExtension ? 2 : 0, secondsMax: isExtension ? 15 : 8.7 }
  return refuseBeyondLimits(requestToCheck, {
    parameters: ['prompt', 'input_video', 'task', 'seconds', 'aspect_ratio', 'resolution'],
    requiresOneOf: ['prompt'],
    tasks: ['edit', 'extend'],
    dataUriKinds: ['video'],
    inputs: { video },
    ...(isExtension && { seconds: { from: 2, to: 10 } }),
  })
}

function limitsOf(model: string): ModelLimits | null {
  if (model.startsWith('grok-imagine-video-1.5')) return newerVideoLimits
  return model === 'grok-imagine-video' ? videoLimits : null
}
