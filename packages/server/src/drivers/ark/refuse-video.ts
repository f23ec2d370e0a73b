import { refuseBeyond } from '../upstream/model-limits.ts'
import { withoutRenamed } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { videoModelOf } from './video-models.ts'

/**
 * The older models follow options at the end of the prompt, even against the fields of the body.
 */
const optionsInPrompt =
  /(^|\s)--(resolution|rs|ratio|rt|duration|dur|frames|framespersecond|fps|seed|camerafixed|cf|watermark|wm)\b/i

export function refuseVideo(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const asked = withoutRenamed(request, target)
  const beyond = refuseBeyond(asked, videoModelOf(target.model))
  if (beyond !== null) return beyond
  const option = optionsInPrompt.exec(asked.parameters.prompt ?? '')
  if (option === null) return null
  return { parameter: 'prompt', message: `prompt must not contain the option ${option[0].trim()}; use the parameters instead` }
}
