import { DriverRefusal, NotAccepted, type GenerationRequest, type Json, type Operation, type StartContext } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import { AcceptanceUnknown, formatErrorDetail, classifyError, sendSubmit, unavailableError } from '../upstream/classify-error.ts'
import { jobIdIn, numberIn, objectIn, textIn } from '../upstream/read-json.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import { retryAfterMsOf } from '../upstream/retry-after.ts'
import { detailIn, isVertex, modelUrl, readError, type VeoConnection } from './connection.ts'

export async function startVideo(
  connection: VeoConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const { target, tools } = connection
  const { signal } = context
  const json = await applyOperatorOverrides(await bodyOf(connection, request, signal), target, request, tools.files, signal)
  const url = `${modelUrl(target)}:predictLongRunning`
  const response = await sendSubmit(tools.call, { method: 'POST', url, headers: connection.headers(), json }, context)
  if (response.status >= 300) throw submitErrorOf(response)
  const name = jobIdIn(objectIn(response.json)['name'])
  if (name === '') throw new AcceptanceUnknown(`HTTP ${response.status} without the name of an operation`)
  return { name }
}

/** Sends only the fields of the request, because models reject fields that they do not support. */
async function bodyOf({ target, tools }: VeoConnection, request: GenerationRequest, signal: AbortSignal): Promise<Body> {
  const {
    prompt,
    negative_prompt,
    aspect_ratio,
    resolution,
    seconds,
    seed,
    audio,
    n = 1,
    ...inputs
  } = withoutRenamed(request, target).parameters
  const fieldOf = (image: string, position: string): Promise<Json> => imageOf(tools, image, position, signal)
  const { first_frame, last_frame, reference_images = [], input_video } = inputs
  const references = await Promise.all(
    reference_images.map(async (image, index) => ({
      image: await fieldOf(image, `reference_images/${index}`),
      referenceType: 'asset',
    })),
  )
  return {
    instances: [
      {
        ...(prompt !== undefined && { prompt }),
        ...(first_frame !== undefined && { image: await fieldOf(first_frame, 'first_frame') }),
        ...(last_frame !== undefined && { lastFrame: await fieldOf(last_frame, 'last_frame') }),
        ...(references.length > 0 && { referenceImages: references }),
        ...(input_video !== undefined && { video: await videoOf(tools, input_video, signal) }),
      },
    ],
    parameters: {
      sampleCount: n,
      ...(aspect_ratio !== undefined && input_video === undefined && { aspectRatio: aspect_ratio }),
      ...(resolution !== undefined && { resolution }),
      ...(seconds !== undefined && input_video === undefined && { durationSeconds: seconds }),
      ...(negative_prompt !== undefined && negative_prompt !== '' && { negativePrompt: negative_prompt }),
      ...(seed !== undefined && { seed }),
      // On the Gemini API, models always generate audio and reject this field.
      ...(isVertex(target) && !('audio' in target.parameters) && { generateAudio: audio ?? false }),
    },
  }
}

const acceptedImageTypes = new Set<string>(['image/png', 'image/jpeg', 'image/webp'])

/** Returns an image as base64, because the provider accepts no URLs. */
async function imageOf({ files }: VeoConnection['tools'], image: string, position: string, signal: AbortSignal): Promise<Json> {
  const { bytes, contentType } = await files.bytes(image, position, signal)
  if (!acceptedImageTypes.has(contentType)) {
    throw new DriverRefusal('invalid_input', `${position}: send a PNG, JPEG or WebP image with this model.`)
  }
  return { bytesBase64Encoded: bytes.toString('base64'), mimeType: contentType }
}

async function videoOf({ files }: VeoConnection['tools'], video: string, signal: AbortSignal): Promise<Json> {
  const { bytes } = await files.mediaBytes(video, 'input_video', signal)
  return { bytesBase64Encoded: bytes.toString('base64'), mimeType: 'video/mp4' }
}

function submitErrorOf(response: UpstreamResponse): Error {
  const { status } = response
  const upstreamError = readError(response)
  const detail = formatErrorDetail(status, upstreamError)
  if (status === 429) {
    const seconds = numberIn(textIn(detailIn(response, 'RetryInfo')['retryDelay']).replace(/s$/, ''))
    const retryAfterMs = retryAfterMsOf(response) ?? (seconds === undefined ? null : seconds * 1000)
    return new NotAccepted('throttled', detail, { retryAfterMs })
  }
  // These errors concern the region, the billing or the key, which belong to the credential's
  // project.
  const isCredentialError =
    upstreamError.code === 'FAILED_PRECONDITION' || detailIn(response, 'ErrorInfo')['reason'] === 'API_KEY_INVALID'
  if (status === 400 && isCredentialError) return unavailableError(response, detail, 'credential')
  return classifyError(response, { ...upstreamError, isPolicyViolation: upstreamError.isPolicyViolation && status === 400 })
}
