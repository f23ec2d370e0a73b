import type { GenerationRequest, Operation, StartContext } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import {
  AcceptanceUnknown,
  formatErrorDetail,
  classifyError,
  refusalError,
  sendSubmit,
  unavailableError,
  type SubmitCall,
} from '../upstream/classify-error.ts'
import { jobIdIn, listIn, objectIn } from '../upstream/read-json.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import { storeImages } from '../upstream/succeeded-with.ts'
import { mediaUrlOrData, urlOrDataUri } from '../upstream/upstream-files.ts'
import { readError, costIn, type XaiConnection } from './connection.ts'

/**
 * Response timeout. A server that does not defer images responds only when they are complete.
 */
const responseTimeoutMs = 5 * 60_000
const responseBytesMax = 64 * 1024 * 1024

export async function start(connection: XaiConnection, request: GenerationRequest, context: StartContext): Promise<Operation> {
  const { target, tools, headers } = connection
  const { signal } = context
  const handledRequest = withoutRenamed(request, target)
  const { path, body } =
    request.object === 'video'
      ? await videoSubmitOf(connection, handledRequest, signal)
      : await imageSubmitOf(connection, handledRequest, signal)
  const json = await applyOperatorOverrides({ model: target.model, ...body }, target, request, tools.files, signal)
  const url = target.baseUrl + path
  const submit: SubmitCall = { method: 'POST', url, headers, json, timeoutMs: responseTimeoutMs, bytesMax: responseBytesMax }
  const response = await sendSubmit(tools.call, submit, context)
  if (response.status >= 300) throw submitErrorOf(response)
  const id = jobIdIn(objectIn(response.json)['request_id'])
  if (id !== '') return { id }
  return request.object === 'image' ? operationOfResult(connection, request, response, signal) : throwAcceptanceUnknown(response)
}

async function videoSubmitOf(
  { tools }: XaiConnection,
  { parameters }: GenerationRequest,
  signal: AbortSignal,
): Promise<{ path: string; body: Body }> {
  const { prompt, aspect_ratio, resolution, seconds, first_frame, last_frame, reference_images = [], input_video } = parameters
  if (input_video !== undefined) {
    // An edited video keeps its length. Edited and extended videos keep their aspect ratio.
    const isExtension = parameters.task === 'extend'
    const video = { url: await mediaUrlOrData(tools.files, input_video, 'input_video', signal) }
    return {
      path: isExtension ? '/videos/extensions' : '/videos/edits',
      body: {
        ...(prompt !== undefined && { prompt }),
        video,
        ...(isExtension && seconds !== undefined && { duration: seconds }),
      },
    }
  }
  const references = await imagesOf(tools, reference_images, signal)
  const fieldOf = async (image: string, position: string) => ({
    url: await urlOrDataUri(tools.files, image, position, signal),
  })
  return {
    path: '/videos/generations',
    body: {
      ...(prompt !== undefined && { prompt }),
      ...(seconds !== undefined && { duration: seconds }),
      ...(resolution !== undefined && { resolution }),
      ...(aspect_ratio !== undefined && first_frame === undefined && { aspect_ratio }),
      ...(first_frame !== undefined && { image: await fieldOf(first_frame, 'first_frame') }),
      ...(last_frame !== undefined && { last_frame: await fieldOf(last_frame, 'last_frame') }),
      ...(references.length > 0 && { reference_images: references }),
    },
  }
}

/**
 * Returns the submit of deferred images, which can be polled. A server that does not defer images
 * returns them in the response to the submit.
 */
async function imageSubmitOf(
  { tools }: XaiConnection,
  { parameters }: GenerationRequest,
  signal: AbortSignal,
): Promise<{ path: string; body: Body }> {
  const { prompt, aspect_ratio, resolution, reference_images = [], n = 1 } = parameters
  const references = await imagesOf(tools, reference_images, signal)
  const [firstReference] = references
  const images = references.length > 1 ? { images: references } : firstReference === undefined ? {} : { image: firstReference }
  return {
    path: firstReference === undefined ? '/images/generations' : '/images/edits',
    body: {
      ...(prompt !== undefined && { prompt }),
      ...(aspect_ratio !== undefined && { aspect_ratio }),
      ...(resolution !== undefined && { resolution: resolution.toLowerCase() }),
      ...images,
      n,
      response_format: 'url',
      deferred: true,
    },
  }
}

function imagesOf(
  { files }: XaiConnection['tools'],
  sources: readonly string[],
  signal: AbortSignal,
): Promise<{ url: string }[]> {
  return Promise.all(
    sources.map(async (image, index) => ({ url: await urlOrDataUri(files, image, `reference_images/${index}`, signal) })),
  )
}

async function operationOfResult(
  { tools }: XaiConnection,
  { attemptId }: GenerationRequest,
  response: UpstreamResponse,
  signal: AbortSignal,
): Promise<Operation> {
  const images = listIn(objectIn(response.json)['data']).map(objectIn)
  const allowedImages = images.filter((image) => image['respect_moderation'] !== false)
  if (images.length > 0 && allowedImages.length === 0) throw refusalError('content_policy', 'the image was blocked by moderation')
  const results = await storeImages(allowedImages, { attemptId, signal }, tools.results)
  if (results.length === 0) return throwAcceptanceUnknown(response)
  const { cost } = costIn(response.json)
  return { results, ...(cost !== undefined && { usage: { ...cost } }) }
}

/**
 * Throws the error for a response without an id. The upstream sometimes returns errors with HTTP
 * 200, so its error is read although the status is a success.
 */
function throwAcceptanceUnknown(response: UpstreamResponse): never {
  throw new AcceptanceUnknown(`${formatErrorDetail(response.status, readError(response))}, without a request_id`)
}

function submitErrorOf(response: UpstreamResponse): Error {
  const upstreamError = readError(response)
  if (response.status !== 400) return classifyError(response, upstreamError)
  // The upstream also responds with 400 to a wrong key, and to video requests of a team with zero
  // data retention.
  if (/api key/i.test(upstreamError.message))
    return unavailableError(response, formatErrorDetail(400, upstreamError), 'credential')
  if (/zero data retention/i.test(upstreamError.message)) return unavailableError(response, formatErrorDetail(400, upstreamError))
  return classifyError(response, upstreamError)
}
