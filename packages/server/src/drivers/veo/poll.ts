import type { DriverOutput, GenerationRequest, Operation, PollOutcome } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import { describeUnusable } from '../upstream/describe-unusable.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { completedWithoutResult, failedOutcome } from '../upstream/classify-error.ts'
import { listIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import { isVertex, modelUrl, policyPattern, type VeoConnection } from './connection.ts'

/**
 * Maximum response size in bytes. Vertex AI returns the videos as base64, up to 4K.
 */
const responseBytesMax = 256 * 1024 * 1024
const responseTimeoutMs = 5 * 60_000
/** gRPC code of `INVALID_ARGUMENT`. */
const invalidArgumentCode = 3

/**
 * Polls an operation. It has no status. When `done` is true, it has an error or a response.
 */
export async function pollVideo(
  connection: VeoConnection,
  operation: Operation,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const pollResponse = await requestOperation(connection, textIn(operation['name']), signal)
  if (pollResponse.status !== 200 || pollResponse.json === undefined)
    throw new Error(`the poll returned ${describeUnusable(pollResponse, 'an operation')}`)
  const { done, error, response } = objectIn(pollResponse.json)
  if (done !== true) return { state: 'running' }
  if (error !== undefined && error !== null) {
    const { code, message } = objectIn(error)
    const detail = `${textIn(code)}: ${textIn(message).slice(0, 500)}`
    if (policyPattern.test(detail)) return failedOutcome('content_policy', detail)
    return failedOutcome(code === invalidArgumentCode ? 'invalid_input' : 'upstream_failed', detail)
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
  return completedWithoutResult('the job succeeded without a video')
}

function requestOperation(
  { target, tools, headers }: VeoConnection,
  name: string,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const callOptions = { signal, timeoutMs: responseTimeoutMs, bytesMax: responseBytesMax, headers: headers() }
  if (isVertex(target)) {
    const url = `${modelUrl(target)}:fetchPredictOperation`
    return tools.call({ method: 'POST', url, json: { operationName: name }, isRead: true, ...callOptions })
  }
  return tools.call({
    method: 'GET',
    url: `${target.baseUrl}/${name.split('/').map(encodeURIComponent).join('/')}`,
    ...callOptions,
  })
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
  const isBelowBase = uri.startsWith(`${target.baseUrl}/`)
  return {
    contentType,
    location: (isBelowBase ? { path: uri.slice(target.baseUrl.length) } : { url: uri }) satisfies ResultLocation,
  }
}
