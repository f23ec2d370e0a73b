import type { GenerationRequest, Json, Operation, PollOutcome, StartContext } from '../driver.ts'
import {
  AcceptanceUnknown,
  formatErrorDetail,
  completedWithoutResult,
  refusalError,
  sendSubmit,
  type SubmitCall,
} from '../upstream/classify-error.ts'
import { refuseBeyondLimits, type ModelLimits } from '../upstream/model-limits.ts'
import { listIn, objectIn } from '../upstream/read-json.ts'
import { bodyByRouteInput, hasRouteInput, refuseByRouteInput, type SendFile } from '../upstream/described-input.ts'
import { ownParameters } from '../upstream/renamed-parameters.ts'
import { storeImages, storedOutputs, succeededWith } from '../upstream/succeeded-with.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { fileUrlOrData } from '../upstream/upstream-files.ts'
import { submitErrorOf, readError, type OpenaiConnection } from './connection.ts'

const imageLimits: ModelLimits = {
  parameters: ['prompt', 'aspect_ratio', 'resolution', 'reference_images', 'mask', 'n'],
  resultsMax: 10,
}
/**
 * Response timeout. The upstream responds only when the images are complete, which may take
 * minutes.
 */
const responseTimeoutMs = 10 * 60_000
/** Maximum bytes of a response with one 4K image as base64, and of each further image in it. */
const responseBytesMax = { firstImage: 96 * 1024 * 1024, furtherImage: 16 * 1024 * 1024 }

export function refuseImage(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  if (hasRouteInput(target)) return refuseByRouteInput(request, target.input)
  const { mask, reference_images = [] } = request.parameters
  if (mask !== undefined && reference_images.length === 0) {
    return {
      parameter: 'mask',
      message: 'mask requires reference_images: the first reference image changes where the mask is white',
    }
  }
  return refuseBeyondLimits(request, imageLimits)
}

export async function startImage(
  connection: OpenaiConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const { tools } = connection
  const submit: SubmitCall = {
    ...(await submitOf(connection, request, context.signal)),
    method: 'POST',
    headers: connection.headers,
    timeoutMs: responseTimeoutMs,
    bytesMax: responseBytesMax.firstImage + ((request.parameters.n ?? 1) - 1) * responseBytesMax.furtherImage,
  }
  const response = await sendSubmit(tools.call, submit, context)
  if (response.status >= 300) throw submitErrorOf(response)
  const { data } = objectIn(response.json)
  if (!Array.isArray(data)) {
    throw new AcceptanceUnknown(`${formatErrorDetail(response.status, readError(response))}, without a list of images`)
  }
  const images = listIn(data).map(objectIn)
  const results = await storeImages(images, { attemptId: request.attemptId, signal: context.signal }, tools.results)
  const isRefused = images.length === 0 || readError({ json: images[0] }).isPolicyViolation
  if (results.length === 0 && isRefused) throw refusalError('content_policy', 'the response has no image')
  return { results }
}

export function pollImage(operation: Operation): PollOutcome {
  return succeededWith(storedOutputs(operation, 'image/png')) ?? completedWithoutResult('the response has no image')
}

async function submitOf({ target, tools }: OpenaiConnection, request: GenerationRequest, signal: AbortSignal) {
  if (hasRouteInput(target)) {
    const sendFile: SendFile = (source, name, position) => fileUrlOrData(tools.files, source, { name, position, signal })
    const json = { model: target.model, ...(await bodyByRouteInput(request, target, sendFile)) }
    return { url: `${target.baseUrl}/images/generations`, json }
  }
  const { parameters, size } = request
  const fields: { [name: string]: Json } = {
    model: target.model,
    prompt: parameters.prompt ?? '',
    size: `${size.width}x${size.height}`,
    n: parameters.n ?? 1,
    ...ownParameters(request, target),
    ...target.extra,
  }
  const references = parameters.reference_images ?? []
  if (references.length === 0) return { url: `${target.baseUrl}/images/generations`, json: fields }
  const { FormData } = await import('undici')
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  for (const [index, image] of references.entries()) {
    const { bytes, contentType } = await tools.files.bytes(image, `reference_images/${index}`, signal)
    form.append(
      'image[]',
      new Blob([new Uint8Array(bytes)], { type: contentType }),
      `${index}.${contentType.slice('image/'.length)}`,
    )
  }
  const [firstReference = ''] = references
  if (parameters.mask !== undefined) {
    const mask = { source: parameters.mask, position: 'mask' }
    const image = { source: firstReference, position: 'reference_images/0' }
    const { bytes, contentType } = await tools.files.alphaMask({ mask, image, signal })
    form.append('mask', new Blob([new Uint8Array(bytes)], { type: contentType }), 'mask.png')
  }
  return { url: `${target.baseUrl}/images/edits`, form }
}
