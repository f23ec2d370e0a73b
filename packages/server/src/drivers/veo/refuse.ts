import type { ParameterName } from '../upstream/requested-parameters.ts'
import { refuseBeyondLimits, type ModelLimits } from '../upstream/model-limits.ts'
import { withoutRenamed } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { isVertex } from './connection.ts'

const commonParameters: readonly ParameterName[] = [
  'prompt',
  'negative_prompt',
  'aspect_ratio',
  'resolution',
  'seconds',
  'first_frame',
  'seed',
  'audio',
  'n',
]
const newestParameters: readonly ParameterName[] = [...commonParameters, 'last_frame', 'reference_images']
const commonLimits = { seconds: [4, 6, 8], aspectRatios: ['16:9', '9:16'], resultsMax: 4 } satisfies Partial<ModelLimits>

const modelLimits: readonly (readonly [RegExp, ModelLimits])[] = [
  [
    /^veo-3\.1-lite/,
    {
      ...commonLimits,
      parameters: newestParameters,
      resolutions: ['720p', '1080p'],
      referenceImagesMax: 3,
      isReferenceExclusive: true,
    },
  ],
  [
    /^veo-3\.1/,
    {
      ...commonLimits,
      parameters: newestParameters,
      resolutions: ['720p', '1080p', '4k'],
      referenceImagesMax: 3,
      isReferenceExclusive: true,
    },
  ],
  [/^veo-3\.0/, { ...commonLimits, parameters: commonParameters, resolutions: ['720p', '1080p'] }],
]

export function refuseVideo(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  if (request.object === 'image') return { parameter: 'prompt', message: 'image generation is not supported for this model' }
  const requestToCheck = withoutRenamed(request, target)
  if (requestToCheck.parameters.input_video !== undefined) return refuseExtension(requestToCheck, target)
  const limits = modelLimits.find(([pattern]) => pattern.test(target.model))?.[1]
  const refusal = refuseBeyondLimits(requestToCheck, limits ?? { parameters: newestParameters })
  if (refusal !== null || limits === undefined) return refusal
  const { first_frame, last_frame, reference_images = [], resolution, seconds } = requestToCheck.parameters
  if (last_frame !== undefined && first_frame === undefined) {
    return { parameter: 'last_frame', message: 'last_frame requires first_frame' }
  }
  const requires8Seconds = reference_images.length > 0 || (!isVertex(target) && resolution !== undefined && resolution !== '720p')
  if (!requires8Seconds || seconds === undefined || seconds === 8) return null
  const reason = reference_images.length > 0 ? 'reference_images' : `a resolution of ${resolution}`
  return { parameter: 'seconds', message: `seconds must be 8 with ${reason} for this model` }
}

/**
 * Refuses invalid video extensions. Only Vertex AI with Veo 3.1 extends uploaded videos, by seven
 * seconds. The input video determines the ratio.
 */
function refuseExtension(requestToCheck: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  if (!isVertex(target) || !target.model.startsWith('veo-3.1')) {
    return { parameter: 'input_video', message: 'input_video is not supported for this model; leave it out' }
  }
  const video = { types: ['video/mp4'], secondsMin: 1, secondsMax: 30, bytesMax: 20 * 1024 * 1024, fpsMin: 24, fpsMax: 24 }
  return refuseBeyondLimits(requestToCheck, {
    parameters: [...commonParameters.filter((name) => name !== 'first_frame'), 'input_video', 'task'],
    tasks: ['extend'],
    dataUriKinds: ['video'],
    inputs: { video },
  })
}
