import type { GenerationRequest, Operation, PollOutcome, StartContext } from '../driver.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { jsonOfPoll } from '../upstream/describe-unusable.ts'
import { refuseUnsupported } from '../upstream/requested-parameters.ts'
import { AcceptanceUnknown, formatErrorDetail, failedOutcome, sendSubmit } from '../upstream/classify-error.ts'
import { applyOperatorOverrides, isShapeRenamed, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import { jobIdIn, listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { bodyByRouteInput, hasRouteInput, refuseByRouteInput, type SendFile } from '../upstream/described-input.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { fileUrlOrData, urlOrDataUri } from '../upstream/upstream-files.ts'
import { submitErrorOf, readError, type OpenaiConnection } from './connection.ts'

/**
 * Parameters that OpenAI itself supports: `seconds` as a string, the size in pixels, and one image
 * as the first frame.
 */
const openaiParameters = ['prompt', 'aspect_ratio', 'resolution', 'seconds', 'first_frame']

/**
 * Refuses parameters that OpenAI lacks. If the upstream is an OpenAI-compatible gateway that
 * accepts more parameters, the operator maps them to its fields in the setting `parameters`.
 */
export function refuseVideo(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  if (hasRouteInput(target)) return refuseByRouteInput(request, target.input)
  return refuseUnsupported(withoutRenamed(request, target), openaiParameters)
}

export async function startVideo(
  connection: OpenaiConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const { target, tools, headers } = connection
  const json = await bodyOf(connection, request, context.signal)
  const response = await sendSubmit(tools.call, { method: 'POST', url: `${target.baseUrl}/videos`, headers, json }, context)
  if (response.status >= 300) throw submitErrorOf(response)
  const body = objectIn(response.json)
  const id = jobIdIn(body['id']) || jobIdIn(body['task_id'])
  if (id === '') throw new AcceptanceUnknown(`HTTP ${response.status} without an id`)
  return { id }
}

async function bodyOf({ target, tools }: OpenaiConnection, request: GenerationRequest, signal: AbortSignal): Promise<Body> {
  if (hasRouteInput(target)) {
    const sendFile: SendFile = (source, name, position) => fileUrlOrData(tools.files, source, { name, position, signal })
    return { model: target.model, ...(await bodyByRouteInput(request, target, sendFile)) }
  }
  const { parameters, size } = withoutRenamed(request, target)
  const body: Body = { model: target.model }
  if (!('prompt' in target.parameters)) body['prompt'] = parameters.prompt ?? ''
  if (parameters.seconds !== undefined) body['seconds'] = String(parameters.seconds)
  if (!isShapeRenamed(target)) body['size'] = `${size.width}x${size.height}`
  if (parameters.first_frame !== undefined) {
    body['input_reference'] = { image_url: await urlOrDataUri(tools.files, parameters.first_frame, 'first_frame', signal) }
  }
  return applyOperatorOverrides(body, target, request, tools.files, signal)
}

// Statuses of OpenAI and of OpenAI-compatible gateways, in lower case. Any other status counts as
// running.
const queuedStatuses = new Set(['queued', 'pending', 'submitted', 'not_start', 'preparing', 'created', 'starting', 'unknown'])
const succeededStatuses = new Set(['completed', 'complete', 'success', 'succeeded', 'finished'])
const failedStatuses = new Set(['failed', 'failure', 'fail', 'error', 'cancelled', 'canceled', 'expired'])

export async function pollVideo(connection: OpenaiConnection, operation: Operation, signal: AbortSignal): Promise<PollOutcome> {
  const { target, tools, headers } = connection
  const id = textIn(operation['id'])
  const path = `/videos/${encodeURIComponent(id)}`
  const response = await tools.call({ method: 'GET', url: target.baseUrl + path, headers, signal })
  const video = jsonOfPoll(response)
  const status = textIn(video['status']).toLowerCase()
  if (failedStatuses.has(status)) {
    const upstreamError = readError(response)
    return failedOutcome(
      upstreamError.isPolicyViolation ? 'content_policy' : 'upstream_failed',
      formatErrorDetail(200, upstreamError),
    )
  }
  if (succeededStatuses.has(status)) {
    return { state: 'succeeded', outputs: [{ contentType: 'video/mp4', location: locationOf(video, path, target.baseUrl) }] }
  }
  if (queuedStatuses.has(status)) return { state: 'queued' }
  const progress = numberIn(textIn(video['progress']).replace('%', ''))
  return progress === undefined ? { state: 'running' } : { state: 'running', progress: Math.min(99, Math.max(0, progress)) }
}

/**
 * Returns the location of a video. OpenAI serves it at `/videos/{id}/content`. A gateway returns a
 * URL in one of the fields below. A URL under `baseUrl` becomes a path, because the driver sends
 * the key only to paths.
 */
function locationOf(video: JsonObject, path: string, baseUrl: string): ResultLocation {
  const url = [
    video['video_url'],
    video['url'],
    objectIn(video['metadata'])['url'],
    objectIn(video['output'])['url'],
    objectIn(video['outputs'])['video_url'],
    listIn(video['unsigned_urls'])[0],
    listIn(video['urls'])[0],
  ].find((value) => typeof value === 'string' && /^https?:/.test(value))
  if (typeof url !== 'string') return { path: `${path}/content` }
  return url.startsWith(`${baseUrl}/`) ? { path: url.slice(baseUrl.length) } : { url }
}
