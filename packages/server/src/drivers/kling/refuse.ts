import { requestedParameters } from '../upstream/requested-parameters.ts'
import { refuseBeyondLimits, type ModelLimits } from '../upstream/model-limits.ts'
import { withoutRenamed } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { isOmniImageModel } from './first-generation.ts'
import { isSecondGeneration, videoModelOf } from './video-models.ts'

export function refuseVideo(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const requestToCheck = withoutRenamed(request, target)
  const model = videoModelOf(target.model)
  const acceptsNegativePrompt = !isSecondGeneration(target.model) && model.isOmni !== true
  const parameters = acceptsNegativePrompt ? [...model.parameters, 'negative_prompt' as const] : model.parameters
  const limitRefusal = refuseBeyondLimits(requestToCheck, { ...model, parameters })
  if (limitRefusal !== null) return limitRefusal
  const refusal = refuseVideoCombinations(requestToCheck.parameters)
  const { resolution } = requestToCheck.parameters
  if (refusal !== null || resolution === undefined || resolution === '1080p') return refusal
  const parameterFor1080p = requestedParameters(requestToCheck.parameters).find((name) =>
    model.parametersRequiring1080p?.some((parameter) => parameter === name),
  )
  return parameterFor1080p === undefined
    ? null
    : { parameter: 'resolution', message: `this model requires resolution 1080p when ${parameterFor1080p} is set` }
}

/**
 * Refuses parameters that cannot be combined with the input video or the reference videos, and
 * parameters that need such a video.
 */
function refuseVideoCombinations(requestParameters: UpstreamRequest['parameters']): ParameterRefusal | null {
  const { reference_videos = [], input_video, first_frame, task, audio, keep_audio } = requestParameters
  const videoParameter = input_video !== undefined ? 'input_video' : reference_videos.length > 0 ? 'reference_videos' : undefined
  if (videoParameter === undefined) {
    return keep_audio === undefined && task === undefined
      ? null
      : { parameter: 'input_video', message: 'task and keep_audio require a video; send input_video or reference_videos' }
  }
  const refuseParameter = (parameter: string): ParameterRefusal => ({
    parameter,
    message: `${parameter} cannot be combined with ${videoParameter} for this model`,
  })
  if (videoParameter === 'input_video' && reference_videos.length > 0) return refuseParameter('reference_videos')
  if (videoParameter === 'input_video' && first_frame !== undefined) return refuseParameter('first_frame')
  if (audio === true) return refuseParameter('audio')
  const requiredTask = videoParameter === 'input_video' ? 'edit' : 'reference'
  return task === undefined || task === requiredTask
    ? null
    : { parameter: 'task', message: `task must be ${requiredTask} with ${videoParameter} for this model` }
}

const imageParameters = ['prompt', 'aspect_ratio', 'resolution', 'watermark', 'reference_images', 'n'] as const
const resultsMax = 9
const omniImageLimits: ModelLimits = {
  parameters: imageParameters,
  resolutions: ['1K', '2K'],
  referenceImagesMax: 10,
  resultsMax,
}
const imageLimits: ModelLimits = {
  parameters: [...imageParameters, 'negative_prompt'],
  resolutions: ['1K', '2K'],
  referenceImagesMax: 1,
  resultsMax,
}

export function refuseImage(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const requestToCheck = withoutRenamed(request, target)
  const limitRefusal = refuseBeyondLimits(requestToCheck, isOmniImageModel(target.model) ? omniImageLimits : imageLimits)
  const { negative_prompt = '', reference_images = [] } = requestToCheck.parameters
  if (limitRefusal !== null || negative_prompt === '' || reference_images.length === 0) return limitRefusal
  return { parameter: 'negative_prompt', message: 'negative_prompt cannot be combined with reference_images for this model' }
}
