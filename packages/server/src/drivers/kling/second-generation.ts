import type { GenerationRequest, Json, PollOutcome, ProviderCost } from '../driver.ts'
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { withInputNames, type InputNoun } from '../upstream/named-inputs.ts'
import { mediaUrl } from '../upstream/upstream-files.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import type { KlingConnection } from './envelope.ts'
import { outcomeOf } from './outcome.ts'
import { urlOrBase64 } from './images.ts'
import { videoModelOf } from './video-models.ts'

// The second generation of the API has the model in the path, and bodies with `contents`,
// `settings` and `options`. All jobs are polled at `/tasks`.

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
  const { resolution, seconds, aspect_ratio, first_frame, watermark, input_video, reference_videos = [] } = parameters
  const model = videoModelOf(target.model)
  const callback = tools.callbackUrl(request.attemptId)
  const body: Body = {
    contents: await contentsOf(parameters, tools, signal),
    settings: {
      ...(resolution !== undefined && { resolution }),
      // An edited video keeps its length and aspect ratio.
      ...(seconds !== undefined && input_video === undefined && { duration: seconds }),
      ...(aspect_ratio !== undefined && first_frame === undefined && input_video === undefined && { aspect_ratio }),
      ...(model.hasOptionalAudio && !('audio' in target.parameters) && { audio: audioModeOf(parameters) }),
      // The upstream accepts reference videos only if multiple shots are allowed.
      ...(model.cutsIntoShots === true && { multi_shot: reference_videos.length > 0 }),
    },
    options: {
      ...(watermark !== undefined && { watermark_info: { enabled: watermark } }),
      ...(callback !== null && { callback_url: callback }),
    },
  }
  const completeBody = await applyOperatorOverrides(body, target, request, tools.files, signal)
  return { ...completeBody, options: { ...objectIn(completeBody['options']), external_task_id: request.attemptId } as Json }
}

async function contentsOf(
  parameters: GenerationRequest['parameters'],
  { files }: KlingConnection['tools'],
  signal: AbortSignal,
): Promise<Json> {
  const { first_frame, last_frame, reference_images = [], reference_videos = [], input_video } = parameters
  // In requests with a video, the inputs have ids, by which the prompt refers to them.
  const prompt =
    input_video === undefined && reference_videos.length === 0
      ? parameters.prompt
      : withInputNames(parameters, (noun, number) => `@${idOf(noun, number)}`)
  const images = [
    ...(first_frame === undefined ? [] : [{ image: first_frame, position: 'first_frame', type: 'first_frame' }]),
    ...(last_frame === undefined ? [] : [{ image: last_frame, position: 'last_frame', type: 'last_frame' }]),
    ...reference_images.map((image, index) => ({
      image,
      position: `reference_images/${index}`,
      type: 'refer_image',
      number: index + 1,
    })),
  ]
  const hasVideos = input_video !== undefined || reference_videos.length > 0
  const imageContents = await Promise.all(
    images.map(async ({ image, position, type, ...others }) => {
      const url = await urlOrBase64(files, image, position, signal)
      return hasVideos && 'number' in others ? { type, url, id: idOf('Image', others.number) } : { type, url }
    }),
  )
  const videos = [
    ...reference_videos.map((video, index) => ({ video, position: `reference_videos/${index}`, type: 'feature_video' })),
    ...(input_video === undefined ? [] : [{ video: input_video, position: 'input_video', type: 'base_video' }]),
  ]
  const videoContents = await Promise.all(
    videos.map(async ({ video, position, type }, index) => {
      return { type, url: await mediaUrl(files, video, position), id: idOf('Video', index + 1) }
    }),
  )
  return [...(prompt === undefined ? [] : [{ type: 'prompt', text: prompt }]), ...imageContents, ...videoContents]
}

function idOf(noun: InputNoun, number: number): string {
  return `${noun.toLowerCase()}_${number}`
}

function audioModeOf({ audio, keep_audio, input_video }: GenerationRequest['parameters']): string {
  if (input_video !== undefined && keep_audio === true) return 'original'
  return audio === true ? 'native' : 'off'
}

export function outcomeOfSecondGeneration(data: JsonObject, request: GenerationRequest): PollOutcome {
  const files = listIn(data['outputs']).map(objectIn)
  const cost = costOf(listIn(data['billing']).map(objectIn))
  return outcomeOf({ status: textIn(data['status']), message: textIn(data['message']), files, cost }, request)
}

/** Returns the reported cost: an amount of money, or prepaid units (entries without a currency). */
function costOf(billing: readonly JsonObject[]): ProviderCost | undefined {
  const [firstEntry] = billing
  if (firstEntry === undefined) return undefined
  const unit = textIn(firstEntry['currency']).toLowerCase() || 'units'
  return { amount: billing.reduce((sum, entry) => sum + (numberIn(entry['amount']) ?? 0), 0), unit }
}
