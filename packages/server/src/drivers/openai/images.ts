import { FormData } from 'undici'
import { NotAccepted, type Job, type Json, type Operation, type PollOutcome } from '../driver.ts'
import { refuseOthers } from '../upstream/asked-parameters.ts'
import type { UpstreamAnswer } from '../upstream/call-upstream.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { detailOf, judgeRefusal, refusedBy, submitCall } from '../upstream/judge-refusal.ts'
import { listIn, objectIn, textIn } from '../upstream/read-json.ts'
import type { ParameterRefusal, UpstreamRequest } from '../upstream/upstream-driver.ts'
import { saidBy, type OpenaiConnection } from './connection.ts'

const takenParameters = ['prompt', 'aspect_ratio', 'resolution', 'reference_images']
/** The answer is the result, and drawing it takes minutes. */
const answerMs = 10 * 60_000
/** A picture of 4K as base64. */
const answerBytesMax = 96 * 1024 * 1024

export function refuseImage(request: UpstreamRequest): ParameterRefusal | null {
  return refuseOthers(request, takenParameters)
}

export async function startImage(connection: OpenaiConnection, job: Job, signal: AbortSignal): Promise<Operation> {
  const { tools } = connection
  const answer = await submitCall(tools.call, {
    ...(await submitOf(connection, job, signal)),
    method: 'POST',
    headers: connection.headers,
    signal,
    timeoutMs: answerMs,
    bytesMax: answerBytesMax,
  })
  if (answer.status >= 300) throw refusalOf(answer)
  const [image] = listIn(objectIn(answer.json)['data']).map(objectIn)
  const encoded = textIn(image?.['b64_json'])
  if (encoded !== '') return { result: { kept: await tools.results.keep(job.attemptId, 0, Buffer.from(encoded, 'base64')) } }
  const url = textIn(image?.['url'])
  if (url === '') throw refusedBy('content_policy', 'the answer holds no picture')
  return { result: { url } satisfies ResultLocation }
}

export function pollImage({ result }: Operation): PollOutcome {
  return { state: 'succeeded', outputs: [{ contentType: 'image/png', location: result ?? null }] }
}

async function submitOf({ target, tools }: OpenaiConnection, { parameters, size }: Job, signal: AbortSignal) {
  const fields: { [name: string]: Json } = {
    model: target.model,
    prompt: parameters.prompt ?? '',
    size: `${size.width}x${size.height}`,
    n: 1,
    ...target.extra,
  }
  const references = parameters.reference_images ?? []
  if (references.length === 0) return { url: `${target.baseUrl}/images/generations`, json: fields }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  for (const [index, picture] of references.entries()) {
    const { bytes, contentType } = await tools.pictures.bytes(picture, `reference_images/${index}`, signal)
    form.append(
      'image[]',
      new Blob([new Uint8Array(bytes)], { type: contentType }),
      `${index}.${contentType.slice('image/'.length)}`,
    )
  }
  return { url: `${target.baseUrl}/images/edits`, form }
}

function refusalOf(answer: UpstreamAnswer): Error {
  const said = saidBy(answer)
  return answer.status === 503 ? new NotAccepted('busy', detailOf(503, said)) : judgeRefusal(answer, said)
}
