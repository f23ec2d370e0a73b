import type { Readable } from 'node:stream'
import type { DriverOutput, GenerationRequest, Operation, PollOutcome, StartContext } from '../driver.ts'
import { downloadErrorOf, fetchResult, throwUnavailable } from '../upstream/fetch-result.ts'
import { completedWithoutResult, formatErrorDetail, failedOutcome } from '../upstream/classify-error.ts'
import { refuseBeyondLimits } from '../upstream/model-limits.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { urlOrDataUri } from '../upstream/upstream-files.ts'
import { getJson, submitTask, type MinimaxConnection } from './connection.ts'
import { hailuoModelOf } from './hailuo-models.ts'
import { failureCodeOf, readError } from './read-error.ts'

// Hailuo and older models use the first generation of the API. It has flat bodies and HTTP status
// 200 for errors too, and a completed task has the id of its file.

export function refuseHailuo(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  const requestToCheck = withoutRenamed(request, target)
  const limitRefusal = refuseBeyondLimits(requestToCheck, hailuoModelOf(target.model))
  const { seconds, resolution } = requestToCheck.parameters
  if (limitRefusal !== null || resolution !== '1080p' || seconds !== 10) return limitRefusal
  return { parameter: 'seconds', message: 'seconds must be 6 at 1080p for this model' }
}

export async function startHailuo(
  connection: MinimaxConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  return submitTask(connection, '/v1/video_generation', await bodyOf(connection, request, context.signal), context)
}

async function bodyOf({ target, tools }: MinimaxConnection, request: GenerationRequest, signal: AbortSignal): Promise<Body> {
  const { parameters } = withoutRenamed(request, target)
  const { prompt, seconds, resolution, first_frame, last_frame, reference_images = [], watermark } = parameters
  const { hasFixedFormat } = hailuoModelOf(target.model)
  const callback = tools.callbackUrl(request.attemptId)
  const [reference] = reference_images
  const fieldOf = (image: string, position: string) => urlOrDataUri(tools.files, image, position, signal)
  const body: Body = {
    model: target.model,
    ...(prompt !== undefined && { prompt }),
    prompt_optimizer: false,
    ...(seconds !== undefined && !hasFixedFormat && { duration: seconds }),
    ...(resolution !== undefined && !hasFixedFormat && { resolution: resolution.toUpperCase() }),
    ...(first_frame !== undefined && { first_frame_image: await fieldOf(first_frame, 'first_frame') }),
    ...(last_frame !== undefined && { last_frame_image: await fieldOf(last_frame, 'last_frame') }),
    ...(reference !== undefined && {
      subject_reference: [{ type: 'character', image: [await fieldOf(reference, 'reference_images/0')] }],
    }),
    ...(watermark === true && { aigc_watermark: true }),
    ...(callback !== null && { callback_url: callback }),
  }
  return applyOperatorOverrides(body, target, request, tools.files, signal)
}

/**
 * The statuses are `Preparing`, `Queueing`, `Processing`, `Success` and `Fail`. Any other status
 * counts as running.
 */
export async function pollHailuo(connection: MinimaxConnection, { id }: Operation, signal: AbortSignal): Promise<PollOutcome> {
  const task = await getJson(connection, `/v1/query/video_generation?task_id=${encodeURIComponent(textIn(id))}`, signal)
  const upstreamError = readError(task)
  switch (textIn(task['status']).toLowerCase()) {
    case 'preparing':
    case 'queueing':
      return { state: 'queued' }
    case 'success': {
      const fileId = textIn(task['file_id'])
      if (fileId === '') return completedWithoutResult('the job succeeded without a file')
      return { state: 'succeeded', outputs: [{ contentType: 'video/mp4', location: { file: fileId } }] }
    }
    case 'fail':
      return failedOutcome(failureCodeOf(upstreamError), formatErrorDetail(200, upstreamError))
    case '':
      // A content refusal fails the task. Any other error only fails this poll.
      if (upstreamError.isPolicyViolation) return failedOutcome('content_policy', formatErrorDetail(200, upstreamError))
      throw new Error(`the poll returned no status (${formatErrorDetail(200, upstreamError)})`)
    default:
      return { state: 'running' }
  }
}

/** Downloads a file. Each download requests a new URL, because a URL is valid for an hour only. */
export async function fetchHailuo(
  connection: MinimaxConnection,
  { location }: DriverOutput,
  signal: AbortSignal,
): Promise<Readable> {
  const { target, tools } = connection
  const path = `/v1/files/retrieve?file_id=${encodeURIComponent(textIn(objectIn(location)['file']))}`
  const call = { method: 'GET', url: target.baseUrl + path, headers: connection.headers, signal } as const
  const { status, json } = await tools.call(call).catch(throwUnavailable(signal))
  const url = status === 200 ? textIn(objectIn(objectIn(json)['file'])['download_url']) : ''
  if (url === '')
    throw downloadErrorOf(status, `the file query returned no download_url (${formatErrorDetail(status, readError(json))})`)
  return fetchResult({ url }, { baseUrl: target.baseUrl, headers: {} }, tools, signal)
}
