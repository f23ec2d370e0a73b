import { FormData } from 'undici'
import type { GenerationRequest, Json, Operation, PollOutcome, StartContext } from '../driver.ts'
import { refuseOthers } from '../upstream/requested-parameters.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { refusedBy, submitCall, type SubmitCall } from '../upstream/classify-error.ts'
import { listIn, objectIn, textIn } from '../upstream/read-json.ts'
import { ownParameters } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest } from '../upstream/upstream-driver.ts'
import { refusalOf, type OpenaiConnection } from './connection.ts'

const takenParameters = ['prompt', 'aspect_ratio', 'resolution', 'reference_images']
/** The response is the result, and generating it takes minutes. */
const responseMs = 10 * 60_000
/** A 4K image as base64. */
const responseBytesMax = 96 * 1024 * 1024

export function refuseImage(request: UpstreamRequest): ParameterRefusal | null {
  return refuseOthers(request, takenParameters)
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
    timeoutMs: responseMs,
    bytesMax: responseBytesMax,
  }
  const response = await submitCall(tools.call, submit, context)
  if (response.status >= 300) throw refusalOf(response)
  const [image] = listIn(objectIn(response.json)['data']).map(objectIn)
  const encoded = textIn(image?.['b64_json'])
  if (encoded !== '') return { result: { kept: await tools.results.keep(request.attemptId, 0, Buffer.from(encoded, 'base64')) } }
  const url = textIn(image?.['url'])
  if (url === '') throw refusedBy('content_policy', 'the response has no image')
  return { result: { url } satisfies ResultLocation }
}

export function pollImage({ result }: Operation): PollOutcome {
  return { state: 'succeeded', outputs: [{ contentType: 'image/png', location: result ?? null }] }
}

async function submitOf({ target, tools }: OpenaiConnection, request: GenerationRequest, signal: AbortSignal) {
  const { parameters, size } = request
  const fields: { [name: string]: Json } = {
    model: target.model,
    prompt: parameters.prompt ?? '',
    size: `${size.width}x${size.height}`,
    n: 1,
    ...ownParameters(request, target),
    ...target.extra,
  }
  const references = parameters.reference_images ?? []
  if (references.length === 0) return { url: `${target.baseUrl}/images/generations`, json: fields }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  for (const [index, image] of references.entries()) {
    const { bytes, contentType } = await tools.images.bytes(image, `reference_images/${index}`, signal)
    form.append(
      'image[]',
      new Blob([new Uint8Array(bytes)], { type: contentType }),
      `${index}.${contentType.slice('image/'.length)}`,
    )
  }
  return { url: `${target.baseUrl}/images/edits`, form }
}
