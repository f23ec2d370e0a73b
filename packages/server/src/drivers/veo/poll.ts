import type { DriverOutput, GenerationRequest, Operation, PollOutcome } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { failedOutcome } from '../upstream/classify-error.ts'
import { listIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import { isVertex, modelUrl, policyPattern, type VeoConnection } from './connection.ts'

/**
 * Maximum response size in bytes, for a 4K video as base64: Vertex AI returns the result inline.
 */
const responseBytesMax = 256 * 1024 * 1024
const responseMs = 5 * 60_000
const invalidArgument = 3

/**
 * Polls an operation. It has no status field, but `done`, and then an error or a response.
 */
export async function pollVideo(
  connection: VeoConnection,
  operation: Operation,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const polledOperation = await requestOperation(connection, textIn(operation['name']), signal)
  if (polledOperation.status !== 200 || polledOperation.json === undefined)
    throw new Error(`the poll returned HTTP ${polledOperation.status}`)
  const { done, error, response } = objectIn(polledOperation.json)
  if (done !== true) return { state: 'running' }
  if (error !== undefined) {
    const { code, message } = objectIn(error)
    const detail = `${textIn(code)}: ${textIn(message).slice(0, 500)}`
    if (policyPattern.test(detail)) return failedOutcome('content_policy', detail)
    return failedOutcome(code === invalidArgument ? 'invalid_input' : 'upstream_failed', detail)
  }
  const result = objectIn(objectIn(response)['generateVideoResponse'] ?? response)
  const samples = [...listIn(result['generatedSamples']), ...listIn(result['videos'])].map(objectIn)
  let storedCount = 0
  const outputs = await Promise.all(samples.map((sample) => outputOf(connection, request, sample, () => storedCount++)))
  const succeeded = succeededWith(outputs.filter((output) => output !== null))
  if (succeeded !== null) return succeeded
  const reasons = listIn(result['raiMediaFilteredReasons']).map(textIn)
  if (reasons.length > 0 || Number(result['raiMediaFilteredCount'] ?? 0) > 0) {
    return failedOutcome('content_policy', `filtered: ${reasons.join('; ').slice(0, 500)}`)
  }
  return failedOutcome('upstream_failed', 'it succeeded without a video')
}

function requestOperation(
  { target, tools, headers }: VeoConnection,
  name: string,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const bounds = { signal, timeoutMs: responseMs, bytesMax: responseBytesMax, headers: headers() }
  if (isVertex(target)) {
    const url = `${modelUrl(target)}:fetchPredictOperation`
    return tools.call({ method: 'POST', url, json: { operationName: name }, isRead: true, ...bounds })
  }
  return tools.call({ method: 'GET', url: `${target.baseUrl}/${name.split('/').map(encodeURIComponent).join('/')}`, ...bounds })
}

async function outputOf(
  { target, tools }: VeoConnection,
  { attemptId }: GenerationRequest,
  sample: JsonObject,
  nextPosition: () => number,
): Promise<DriverOutput | null> {
  const video = objectIn(sample['video'] ?? sample)
  const contentType = textIn(video['mimeType']) || textIn(video['encoding']) || 'video/mp4'
  const encodedVideo = textIn(video['bytesBase64Encoded']) || textIn(video['encodedVideo'])
  if (encodedVideo !== '') {
    return { contentType, location: await tools.results.store(attemptId, nextPosition(), Buffer.from(encodedVideo, 'base64')) }
  }
  const uri = textIn(video['uri'])
  if (!/^https?:/.test(uri)) return null
  const isOwn = uri.startsWith(`${target.baseUrl}/`)
  return { contentType, location: (isOwn ? { path: uri.slice(target.baseUrl.length) } : { url: uri }) satisfies ResultLocation }
}
