import type { GenerationRequest, Operation, StartContext } from '../driver.ts'
import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import {
  AcceptanceUnknown,
  formatErrorDetail,
  classifyError,
  sendSubmit,
  throttledError,
  unavailableError,
} from '../upstream/classify-error.ts'
import { jobIdIn, objectIn } from '../upstream/read-json.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import { mediaUrlOrData, urlOrDataUri } from '../upstream/upstream-files.ts'
import { readError, type ViduConnection } from './connection.ts'
import { acceptsRatio, videoRequestKindOf } from './refuse.ts'

export async function start(connection: ViduConnection, request: GenerationRequest, context: StartContext): Promise<Operation> {
  const { target, tools, headers } = connection
  const { signal } = context
  const handledRequest = withoutRenamed(request, target)
  const body =
    request.object === 'image'
      ? await imageBody(connection, handledRequest, signal)
      : await videoBody(connection, handledRequest, signal)
  const url = `${target.baseUrl}/ent/v2/${request.object === 'image' ? 'reference2image' : videoRequestKindOf(handledRequest.parameters)}`
  const json = await applyOperatorOverrides(body, target, request, tools.files, signal)
  const response = await sendSubmit(tools.call, { method: 'POST', url, headers, json }, context)
  if (response.status >= 300) throw submitErrorOf(response)
  const id = jobIdIn(objectIn(response.json)['task_id'])
  if (id === '') throw new AcceptanceUnknown(`HTTP ${response.status} without a task_id`)
  return { id }
}

async function videoBody(
  { target, tools }: ViduConnection,
  { attemptId, parameters }: GenerationRequest,
  signal: AbortSignal,
): Promise<Body> {
  const { prompt, aspect_ratio, resolution, seconds, seed, audio, watermark } = parameters
  const images = await imagesOf(tools, parameters, signal)
  const videos = await Promise.all(
    (parameters.reference_videos ?? []).map((video, index) =>
      mediaUrlOrData(tools.files, video, `reference_videos/${index}`, signal),
    ),
  )
  return {
    ...commonBody({ target, tools }, attemptId),
    ...(prompt !== undefined && { prompt }),
    ...(images.length > 0 && { images }),
    ...(videos.length > 0 && { videos }),
    ...(seconds !== undefined && { duration: seconds }),
    ...(resolution !== undefined && { resolution }),
    ...(aspect_ratio !== undefined && acceptsRatio(videoRequestKindOf(parameters)) && { aspect_ratio }),
    ...(seed !== undefined && { seed }),
    // The newest models generate audio by default.
    ...(!('audio' in target.parameters) && { audio: audio ?? false }),
    ...(watermark !== undefined && { watermark }),
  }
}

/** The upstream's names of image resolutions. Its smallest resolution is `1080p`. */
const imageResolutions: Readonly<Record<string, string>> = { '1K': '1080p' }

async function imageBody(
  { target, tools }: ViduConnection,
  { attemptId, parameters }: GenerationRequest,
  signal: AbortSignal,
): Promise<Body> {
  const { prompt, aspect_ratio, resolution, seed } = parameters
  const images = await imagesOf(tools, parameters, signal)
  return {
    ...commonBody({ target, tools }, attemptId),
    ...(prompt !== undefined && { prompt }),
    ...(images.length > 0 && { images }),
    ...(aspect_ratio !== undefined && { aspect_ratio }),
    ...(resolution !== undefined && { resolution: imageResolutions[resolution] ?? resolution }),
    ...(seed !== undefined && { seed }),
  }
}

/**
 * Returns the fields that all submits have. The upstream returns the `payload`, the attempt's id,
 * in its task list, so a job can be found by it.
 */
function commonBody({ target, tools }: Pick<ViduConnection, 'target' | 'tools'>, attemptId: string): Body {
  const callback = tools.callbackUrl(attemptId)
  return { model: target.model, payload: attemptId, ...(callback !== null && { callback_url: callback }) }
}

/** Returns the references, or the first frame followed by the last frame. */
function imagesOf({ files }: ViduConnection['tools'], parameters: GenerationParameters, signal: AbortSignal): Promise<string[]> {
  const { first_frame, last_frame, reference_images = [] } = parameters
  const sentImages = [
    ...reference_images.map((image, index) => ({ image, position: `reference_images/${index}` })),
    ...(first_frame === undefined ? [] : [{ image: first_frame, position: 'first_frame' }]),
    ...(last_frame === undefined ? [] : [{ image: last_frame, position: 'last_frame' }]),
  ]
  return Promise.all(sentImages.map(({ image, position }) => urlOrDataUri(files, image, position, signal)))
}

function submitErrorOf(response: UpstreamResponse): Error {
  const upstreamError = readError(response)
  const detail = formatErrorDetail(response.status, upstreamError)
  if (response.status === 400 && upstreamError.code === 'CreditInsufficient') {
    return unavailableError(response, detail, 'credential')
  }
  if (response.status === 400 && upstreamError.code === 'ModelUnavailable') return unavailableError(response, detail)
  if (response.status === 400 && upstreamError.code === 'OperationInProcess') {
    return throttledError(response, detail)
  }
  return classifyError(response, upstreamError)
}
