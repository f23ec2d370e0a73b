import { refuseBeyondLimits } from '../upstream/model-limits.ts'
import { withoutRenamed } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { videoModelOf } from './video-models.ts'

/** Options within the text of the prompt. Older models prefer them to the fields of the body. */
const optionsInPrompt =
  /(^|\s)--(resolution|rs|ratio|rt|duration|dur|frames|framespersecond|fps|seed|camerafixed|cf|watermark|wm)\b/i

export function refuseVideo(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const requestToCheck = withoutRenamed(request, target)
  const model = videoModelOf(target.model)
  const limitRefusal = refuseBeyondLimits(requestToCheck, model)
  if (limitRefusal !== null) return limitRefusal
  const { reference_images = [], reference_videos = [], reference_audios = [] } = requestToCheck.parameters
  const isAudioAlone = reference_audios.length > 0 && reference_images.length + reference_videos.length === 0
  if (model.requiresVisualReference === true && isAudioAlone) {
    const message = 'reference_audios requires reference_images or reference_videos for this model'
    return { parameter: 'reference_audios', message }
  }
  const option = optionsInPrompt.exec(requestToCheck.parameters.prompt ?? '')
  if (option === null) return null
  return { parameter: 'prompt', message: `prompt must not contain the option ${option[0].trim()}; use the parameters instead` }
}
