import type { GenerationRequest, Json, PollOutcome, ProviderCost } from '../driver.ts'
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { withInputNames } from '../upstream/named-inputs.ts'
import { mediaUrl } from '../upstream/upstream-files.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import type { KlingConnection } from './envelope.ts'
import { outcomeOf } from './outcome.ts'
import { referencesFor, urlOrBase64 } from './images.ts'
import { videoModelOf } from './video-models.ts'

// The first generation of the API has flat bodies and paths under `/v1`. A job is polled at the
// path that started it.

const modeByResolution: Readonly<Record<string, string>> = { '720p': 'std', '1080p': 'pro' }

export function isOmniImageModel(model: string): boolean {
  return model.includes('omni') || model.includes('image-o1')
}

export function pathOf({ target }: KlingConnection, request: GenerationRequest): string {
  if (request.object === 'image') return isOmniImageModel(target.model) ? '/v1/images/omni-image' : '/v1/images/generations'
  const { first_frame, last_frame, reference_images = [] } = withoutRenamed(request, target).parameters
  if (videoModelOf(target.model).isOmni === true) return '/v1/videos/omni-video'
  if (reference_images.length > 0) return '/v1/videos/multi-image2video'
  return (first_frame ?? last_frame) === undefined ? '/v1/videos/text2video' : '/v1/videos/image2video'
}

export async function bodyOf(connection: KlingConnection, request: GenerationRequest, signal: AbortSignal): Promise<Body> {
  const { target, tools } = connection
  const { parameters } = withoutRenamed(request, target)
  const callback = tools.callbackUrl(request.attemptId)
  const { negative_prompt } = parameters
  const isOmni = videoModelOf(target.model).isOmni === true
  const prompt = isOmni
    ? withInputNames(parameters, (noun, number) => `<<<${noun.toLowerCase()}_${number}>>>`)
    : parameters.prompt
  const body: Body = {
    // Older documentation names the field `model`. The upstream would ignore that field, and run
    // and charge its default model.
    model_name: target.model,
    ...(prompt !== undefined && { prompt }),
    ...(negative_prompt !== undefined && negative_prompt !== '' && { negative_prompt }),
    ...(request.object === 'video'
      ? await videoFields(connection, parameters, signal)
      : await imageFields(connection, parameters, signal)),
    ...(parameters.watermark !== undefined && { watermark_info: { enabled: parameters.watermark } }),
    ...(callback !== null && { callback_url: callback }),
  }
  return { ...(await applyOperatorOverrides(body, target, request, tools.files, signal)), external_task_id: request.attemptId }
}

async function videoFields(
  { target, tools }: KlingConnection,
  parameters: GenerationRequest['parameters'],
  signal: AbortSignal,
): Promise<Body> {
  const { resolution, seconds, aspect_ratio, first_frame, last_frame, reference_images = [], input_video } = parameters
  const model = videoModelOf(target.model)
  const videos = await videosOf(tools, parameters)
  const fieldOf = (image: string | undefined, position: string): Promise<string> | undefined =>
    image === undefined ? undefined : urlOrBase64(tools.files, image, position, signal)
  const firstFrame = await fieldOf(first_frame, 'first_frame')
  const lastFrame = await fieldOf(last_frame, 'last_frame')
  const references = await referencesFor(tools.files, reference_images, signal)
  const images =
    model.isOmni === true ? omniImages(firstFrame, lastFrame, references) : plainImages(firstFrame, lastFrame, references)
  const mode = modeByResolution[resolution ?? '']
  return {
    ...(mode !== undefined && { mode }),
    // An edited video keeps its length and aspect ratio.
    ...(seconds !== undefined && input_video === undefined && { duration: String(seconds) }),
    ...(aspect_ratio !== undefined && first_frame === undefined && input_video === undefined && { aspect_ratio }),
    ...(model.hasOptionalAudio && !('audio' in target.parameters) && { sound: parameters.audio === true ? 'on' : 'off' }),
    ...images,
    ...(videos.length > 0 && { video_list: videos }),
  }
}

async function videosOf(
  { files }: KlingConnection['tools'],
  { reference_videos = [], input_video, keep_audio }: GenerationRequest['parameters'],
): Promise<Json[]> {
  const references = [
    ...reference_videos.map((video, index) => ({ video, position: `reference_videos/${index}`, type: 'feature' })),
    ...(input_video === undefined ? [] : [{ video: input_video, position: 'input_video', type: 'base' }]),
  ]
  return Promise.all(
    references.map(async ({ video, position, type }) => {
      const video_url = await mediaUrl(files, video, position)
      if (keep_audio === undefined) return { video_url, refer_type: type }
      return { video_url, refer_type: type, keep_original_sound: keep_audio ? 'yes' : 'no' }
    }),
  )
}

function omniImages(firstFrame: string | undefined, lastFrame: string | undefined, references: string[]): Body {
  const list = [
    ...(firstFrame === undefined ? [] : [{ image_url: firstFrame, type: 'first_frame' }]),
    ...(lastFrame === undefined ? [] : [{ image_url: lastFrame, type: 'end_frame' }]),
    ...references.map((image_url) => ({ image_url })),
  ]
  return list.length === 0 ? {} : { image_list: list }
}

function plainImages(firstFrame: string | undefined, lastFrame: string | undefined, references: string[]): Body {
  return {
    ...(firstFrame !== undefined && { image: firstFrame }),
    ...(lastFrame !== undefined && { image_tail: lastFrame }),
    ...(references.length > 0 && { image_list: references.map((image) => ({ image })) }),
  }
}

async function imageFields(
  { target, tools }: KlingConnection,
  parameters: GenerationRequest['parameters'],
  signal: AbortSignal,
): Promise<Body> {
  const { resolution, aspect_ratio, reference_images = [], n = 1 } = parameters
  const references = await referencesFor(tools.files, reference_images, signal)
  const [firstReference] = references
  return {
    n,
    ...(resolution !== undefined && { resolution: resolution.toLowerCase() }),
    ...(aspect_ratio !== undefined && { aspect_ratio }),
    ...(firstReference !== undefined &&
      (isOmniImageModel(target.model) ? { image_list: references.map((image) => ({ image })) } : { image: firstReference })),
  }
}

export function outcomeOfFirstGeneration(data: JsonObject, request: GenerationRequest): PollOutcome {
  const result = objectIn(data['task_result'])
  const files = [...listIn(result['videos']), ...listIn(result['images'])].map(objectIn)
  const units = numberIn(data['final_unit_deduction'])
  const cost: ProviderCost | undefined = units === undefined || units === 0 ? undefined : { amount: units, unit: 'units' }
  return outcomeOf({ status: textIn(data['task_status']), message: textIn(data['task_status_msg']), files, cost }, request)
}
