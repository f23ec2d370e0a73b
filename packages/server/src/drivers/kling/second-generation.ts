import type { GenerationRequest, Json, PollOutcome, Usage } from '../driver.ts'
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import type { KlingConnection } from './envelope.ts'
import { outcomeOf } from './outcome.ts'
import { urlOrBase64 } from './images.ts'
import { videoModelOf } from './video-models.ts'

/**
 * The second generation: the model is in the path, the body has `contents`, `settings` and
 * `options`, and all jobs are polled at `/tasks`.
 */
export function secondPathOf({ target }: KlingConnection, request: GenerationRequest): string {
  const { first_frame, last_frame } = withoutRenamed(request, target).parameters
  if (videoModelOf(target.model).isOmni === true) return `/omni-video/${target.model}`
  return `/${(first_frame ?? last_frame) === undefined ? 'text' : 'image'}-to-video/${target.model}`
}

export async function secondBodyOf(
  { target, tools }: KlingConnection,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<Body> {
  const { parameters } = withoutRenamed(request, target)
  const { resolution, seconds, aspect_ratio, first_frame, watermark, audio } = parameters
  const model = videoModelOf(target.model)
  const callback = tools.callbackUrl(request.attemptId)
  const body: Body = {
    contents: await contentsOf(parameters, tools, signal),
    settings: {
      ...(resolution !== undefined && { resolution }),
      ...(seconds !== undefined && { duration: seconds }),
      ...(aspect_ratio !== undefined && first_frame === undefined && { aspect_ratio }),
      ...(model.hasSoundSwitch && !('audio' in target.parameters) && { audio: audio === true ? 'native' : 'off' }),
      ...(model.cutsIntoShots === true && { multi_shot: false }),
    },
    options: {
      ...(watermark !== undefined && { watermark_info: { enabled: watermark } }),
      ...(callback !== null && { callback_url: callback }),
    },
  }
  const spoken = await applyOperatorOverrides(body, target, request, tools.images, signal)
  return { ...spoken, options: { ...objectIn(spoken['options']), external_task_id: request.attemptId } as Json }
}

async function contentsOf(
  { prompt, first_frame, last_frame, reference_images = [] }: GenerationRequest['parameters'],
  { images }: KlingConnection['tools'],
  signal: AbortSignal,
): Promise<Json> {
  const named = [
    ...(first_frame === undefined ? [] : [{ image: first_frame, position: 'first_frame', type: 'first_frame' }]),
    ...(last_frame === undefined ? [] : [{ image: last_frame, position: 'last_frame', type: 'last_frame' }]),
    ...reference_images.map((image, index) => ({ image, position: `reference_images/${index}`, type: 'refer_image' })),
  ]
  const contents = await Promise.all(
    named.map(async ({ image, position, type }) => ({ type, url: await urlOrBase64(images, image, position, signal) })),
  )
  return [...(prompt === undefined ? [] : [{ type: 'prompt', text: prompt }]), ...contents]
}

export function outcomeOfSecond(data: JsonObject, request: GenerationRequest): PollOutcome {
  const files = listIn(data['outputs']).map(objectIn)
  const usage = usageOf(listIn(data['billing']).map(objectIn))
  return outcomeOf({ status: textIn(data['status']), message: textIn(data['message']), files, usage }, request)
}

/** Units of a package, or money in one currency. */
function usageOf(billing: readonly JsonObject[]): Usage | undefined {
  const [first] = billing
  if (first === undefined) return undefined
  const unit = textIn(first['currency']).toLowerCase() || 'units'
  return { amount: billing.reduce((sum, entry) => sum + (numberIn(entry['amount']) ?? 0), 0), unit }
}
