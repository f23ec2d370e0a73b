import { requestedParameters } from '../upstream/requested-parameters.ts'
import { refuseBeyond, type ModelLimits } from '../upstream/model-limits.ts'
import { withoutRenamed } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { isOmniImage } from './first-generation.ts'
import { isOfSecondGeneration, videoModelOf } from './video-models.ts'

export function refuseVideo(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const asked = withoutRenamed(request, target)
  const model = videoModelOf(target.model)
  const takesNegatives = !isOfSecondGeneration(target.model) && model.isOmni !== true
  const parameters = takesNegatives ? [...model.parameters, 'negative_prompt' as const] : model.parameters
  const beyond = refuseBeyond(asked, { ...model, parameters })
  if (beyond !== null) return beyond
  const refusal = refuseVideos(asked.parameters)
  if (refusal !== null || asked.parameters.resolution === '1080p') return refusal
  const demanding = requestedParameters(asked.parameters).find((name) => model.only1080p?.some((one) => one === name))
  return demanding === undefined
    ? null
    : { parameter: 'resolution', message: `resolution must be 1080p with ${demanding} and this model here` }
}

/**
 * Refuses parameters that do not fit the given video: the input video, which is edited, or
 * reference videos.
 */
function refuseVideos(asked: UpstreamRequest['parameters']): ParameterRefusal | null {
  const { reference_videos = [], input_video, first_frame, task, audio, keep_audio } = asked
  const given = input_video !== undefined ? 'input_video' : reference_videos.length > 0 ? 'reference_videos' : undefined
  if (given === undefined) {
    return keep_audio === undefined && task === undefined
      ? null
      : { parameter: 'input_video', message: 'task and keep_audio need a video: give input_video or reference_videos' }
  }
  const wrong = (parameter: string): ParameterRefusal => ({
    parameter,
    message: `${parameter} cannot be combined with ${given} here`,
  })
  if (given === 'input_video' && reference_videos.length > 0) return wrong('reference_videos')
  if (given === 'input_video' && first_frame !== undefined) return wrong('first_frame')
  if (audio === true) return wrong('audio')
  const fitting = given === 'input_video' ? 'edit' : 'reference'
  return task === undefined || task === fitting
    ? null
    : { parameter: 'task', message: `task must be ${fitting} with ${given} here` }
}

const imageWords = ['prompt', 'aspect_ratio', 'resolution', 'watermark', 'reference_images', 'n'] as const
const imagesMax = 9
const omniImage: ModelLimits = {
  parameters: imageWords,
  resolutions: ['1K', '2K'],
  referenceImagesMax: 10,
  resultsMax: imagesMax,
}
const image: ModelLimits = {
  parameters: [...imageWords, 'negative_prompt'],
  resolutions: ['1K', '2K'],
  referenceImagesMax: 1,
  resultsMax: imagesMax,
}

export function refuseImage(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const asked = withoutRenamed(request, target)
  const beyond = refuseBeyond(asked, isOmniImage(target.model) ? omniImage : image)
  const { negative_prompt = '', reference_images = [] } = asked.parameters
  if (beyond !== null || negative_prompt === '' || reference_images.length === 0) return beyond
  return { parameter: 'negative_prompt', message: 'negative_prompt cannot be combined with reference_images here' }
}
