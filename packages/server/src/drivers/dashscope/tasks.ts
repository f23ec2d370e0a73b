import { resultsMax } from '@framegate/contract'
import { isObject } from '../../lib/is-object.ts'
import type { GenerationRequest, Operation, PollOutcome, StartContext, ProviderCost } from '../driver.ts'
import {
  completedWithoutResult,
  AcceptanceUnknown,
  formatErrorDetail,
  failedOutcome,
  sendSubmit,
  type SubmitCall,
} from '../upstream/classify-error.ts'
import { describeUnusable } from '../upstream/describe-unusable.ts'
import { jobIdIn, listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import type { DashscopeConnection } from './connection.ts'
import { imageBody, imagePath, isSynchronous } from './images.ts'
import { failureCodeOf, submitErrorOf, readError } from './read-error.ts'
import { videoBody, videoPath } from './videos.ts'

/**
 * Timeout of a synchronous response. The upstream responds only when the image is complete, which
 * may take minutes.
 */
const responseTimeoutMs = 10 * 60_000
/**
 * Time after a submit during which a task with the status `UNKNOWN` counts as running, because the
 * upstream may not know a new task yet.
 */
const unknownGraceMs = 5 * 60_000

export async function startTask(
  connection: DashscopeConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const { target, tools, headers } = connection
  const isVideo = request.object === 'video'
  const isSynchronousSubmit = !isVideo && isSynchronous(target)
  const { signal } = context
  const submit: SubmitCall = {
    method: 'POST',
    url: target.baseUrl + (isVideo ? videoPath(target) : imagePath(target, request)),
    // The upstream requires this header for tasks, and rejects it for synchronous requests.
    headers: isSynchronousSubmit ? headers : { ...headers, 'x-dashscope-async': 'enable' },
    json: isVideo ? await videoBody(connection, request, signal) : await imageBody(connection, request, signal),
    ...(isSynchronousSubmit && { timeoutMs: responseTimeoutMs }),
  }
  const response = await sendSubmit(tools.call, submit, context)
  if (response.status !== 200) throw submitErrorOf(response)
  const body = objectIn(response.json)
  const output = objectIn(body['output'])
  const id = jobIdIn(output['task_id'])
  if (id !== '') return { id, startedAt: tools.clock() }
  const upstreamError = readError(body)
  if (!isSynchronousSubmit || upstreamError.code !== '' || !isObject(body['output']))
    throw new AcceptanceUnknown(`${formatErrorDetail(200, upstreamError)}, without a task_id`)
  const urls = urlsIn(output)
  const cost = costOf(body)
  return { urls, ...(cost !== undefined && { images: cost.amount }) }
}

/**
 * Polls a task. The response is HTTP 200 in every state of the task. The status in the body is
 * `PENDING`, `RUNNING`, `SUSPENDED`, `SUCCEEDED`, `FAILED`, `CANCELED`, or `UNKNOWN` for a task
 * that does not exist or is older than a day. Any other status counts as running.
 */
export async function pollTask(
  { target, tools, headers }: DashscopeConnection,
  operation: Operation,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<PollOutcome> {
  // The operation of a synchronous request has the URLs of the results, and needs no poll. An
  // earlier version of the service stored a single URL as `url`.
  const storedUrls = typeof operation['url'] === 'string' ? [operation['url']] : listIn(operation['urls']).map(textIn)
  if (operation['id'] === undefined) {
    const imageCount = numberIn(operation['images'])
    const cost = imageCount === undefined ? undefined : { amount: imageCount, unit: 'images' }
    return succeededOutcome(storedUrls, request, cost)
  }
  const url = `${target.baseUrl}/tasks/${encodeURIComponent(textIn(operation['id']))}`
  const response = await tools.call({ method: 'GET', url, headers, signal })
  const body = objectIn(response.json)
  const output = objectIn(body['output'])
  const status = textIn(output['task_status'])
  if (response.status !== 200 || status === '')
    throw new Error(`the poll returned ${describeUnusable(response, 'a task_status')}`)
  switch (status) {
    case 'PENDING':
      return { state: 'queued' }
    case 'SUCCEEDED': {
      const urls = urlsIn(output)
      const cost = costOf(body)
      const firstResult = listIn(output['results'])[0] ?? output
      const hasFailed = urls.length === 0 && readError(firstResult).code !== ''
      return hasFailed ? failedOutcomeOf(firstResult, cost) : succeededOutcome(urls, request, cost)
    }
    case 'FAILED':
      return failedOutcomeOf(output)
    case 'CANCELED':
    case 'CANCELLED':
      return failedOutcome('upstream_failed', 'the task was cancelled')
    case 'UNKNOWN': {
      const isNew = tools.clock() - (numberIn(operation['startedAt']) ?? 0) < unknownGraceMs
      return isNew ? { state: 'running' } : completedWithoutResult('the task no longer exists, and may have been charged')
    }
    default:
      return { state: 'running' }
  }
}

function succeededOutcome(urls: readonly string[], { object }: GenerationRequest, cost: ProviderCost | undefined): PollOutcome {
  const contentType = object === 'video' ? 'video/mp4' : 'image/png'
  const outputs = urls.map((url) => ({ contentType, location: { url } }))
  return succeededWith(outputs, cost) ?? completedWithoutResult('the task has no file', cost)
}

function failedOutcomeOf(holder: unknown, cost?: ProviderCost): PollOutcome {
  const upstreamError = readError(holder)
  return failedOutcome(failureCodeOf(upstreamError), formatErrorDetail(200, upstreamError), cost)
}

/**
 * Returns the URLs of the results. The field that contains them depends on the model. An image that
 * the upstream could not generate has no URL.
 */
function urlsIn(output: JsonObject): string[] {
  const results = listIn(output['results']).map(objectIn)
  const contents = listIn(output['choices']).flatMap((choice) => listIn(objectIn(objectIn(choice)['message'])['content']))
  const urlLists = [
    [output['video_url']],
    [objectIn(output['results'])['video_url']],
    results.map(({ url }) => url),
    contents.map((part) => objectIn(part)['image']),
  ].map((values) => values.map(textIn).filter((url) => url !== ''))
  return urlLists.find((urls) => urls.length > 0)?.slice(0, resultsMax) ?? []
}

/** Returns the charged seconds of video or number of images. */
function costOf({ usage }: JsonObject): ProviderCost | undefined {
  const { duration, video_duration, image_count, output_image_count } = objectIn(usage)
  const seconds = numberIn(duration) ?? numberIn(video_duration)
  if (seconds !== undefined) return { amount: seconds, unit: 'seconds' }
  const imageCount = numberIn(image_count) ?? numberIn(output_image_count)
  return imageCount === undefined ? undefined : { amount: imageCount, unit: 'images' }
}
