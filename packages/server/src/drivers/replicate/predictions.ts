import {
  NotAccepted,
  type DriverOutput,
  type GenerationRequest,
  type Operation,
  type PollOutcome,
  type StartContext,
} from '../driver.ts'
import { createdAtMsOf } from '../../identity/task-id.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import { describeUnusable, jsonOfPoll } from '../upstream/describe-unusable.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import {
  completedWithoutResult,
  AcceptanceUnknown,
  formatErrorDetail,
  failedOutcome,
  classifyError,
  sendSubmit,
  unavailableError,
  type SubmitCall,
} from '../upstream/classify-error.ts'
import { jobIdIn, listIn, listedJobId, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import { retryAfterMsOf } from '../upstream/retry-after.ts'
import { readError, submitTargetOf, type ReplicateConnection } from './connection.ts'
import { outputUrls } from './output.ts'

/**
 * Time after which the upstream cancels a job. A job that has not started by then costs nothing.
 */
const cancelAfter = '2h'

export async function startPrediction(
  { target, tools, headers }: ReplicateConnection,
  request: GenerationRequest,
  input: JsonObject,
  context: StartContext,
): Promise<Operation> {
  const { url, version } = submitTargetOf(target)
  const webhook = webhookOf(tools, request)
  const submit: SubmitCall = {
    method: 'POST',
    url,
    headers: { ...headers, 'cancel-after': cancelAfter },
    json: {
      ...(version !== undefined && { version }),
      input,
      ...(webhook !== null && { webhook, webhook_events_filter: ['completed'] }),
    },
  }
  const response = await sendSubmit(tools.call, submit, context)
  if (response.status >= 300) throw submitErrorOf(response)
  const id = jobIdIn(objectIn(response.json)['id'])
  if (id === '') throw new AcceptanceUnknown(`HTTP ${response.status} without an id`)
  return { id }
}

/**
 * Returns the webhook URL of an attempt. Null if it is not https, because the upstream only calls
 * https URLs.
 */
function webhookOf(tools: ReplicateConnection['tools'], { attemptId }: GenerationRequest): string | null {
  const url = tools.callbackUrl(attemptId)
  return url?.startsWith('https:') === true ? url : null
}

function submitErrorOf(response: UpstreamResponse): Error {
  const upstreamError = readError(response)
  if (response.status === 422 && /version/i.test(upstreamError.code))
    return unavailableError(response, formatErrorDetail(422, upstreamError))
  if (response.status !== 429) return classifyError(response, upstreamError)
  const seconds =
    numberIn(objectIn(response.json)['retry_after']) ?? numberIn(/resets in ~?(\d+)s/.exec(upstreamError.message)?.[1])
  const retryAfterMs = retryAfterMsOf(response) ?? (seconds === undefined ? null : seconds * 1000)
  return new NotAccepted('throttled', formatErrorDetail(429, upstreamError), { retryAfterMs })
}

const policyPattern = /E005|flagged|sensitive|nsfw|content policy|safety|moderat/i
const outOfMemoryPattern = /E1001|out of memory/i

export async function pollPrediction(
  { target, tools, headers }: ReplicateConnection,
  { id }: Operation,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const url = `${target.baseUrl}/predictions/${encodeURIComponent(textIn(id))}`
  const response = await tools.call({ method: 'GET', url, headers, signal, bytesMax: responseBytesMax })
  const prediction = jsonOfPoll(response)
  const seconds = numberIn(objectIn(prediction['metrics'])['predict_time'])
  const cost = seconds === undefined ? undefined : { amount: seconds, unit: 'seconds' }
  switch (prediction['status']) {
    case 'starting':
      return { state: 'queued' }
    case 'succeeded': {
      const outputs = await outputsOf({ target, tools, headers }, request, prediction)
      const reason =
        prediction['data_removed'] === true ? 'the output was removed before it was collected' : 'the prediction has no output'
      return succeededWith(outputs, cost) ?? completedWithoutResult(reason, cost)
    }
    case 'failed': {
      const error = textIn(prediction['error']).slice(0, 500)
      const code = policyPattern.test(error)
        ? 'content_policy'
        : outOfMemoryPattern.test(error)
          ? 'invalid_input'
          : 'upstream_failed'
      return failedOutcome(code, error, cost)
    }
    case 'canceled': {
      const isLate = Date.parse(textIn(prediction['completed_at'])) >= Date.parse(textIn(prediction['deadline']))
      return failedOutcome(isLate ? 'upstream_timeout' : 'cancelled', 'canceled', cost)
    }
    case 'aborted':
      return failedOutcome('upstream_timeout', 'the time limit was reached before the prediction started', cost)
    default: {
      const progress = numberIn([...textIn(prediction['logs']).matchAll(/(\d{1,3})%\|/g)].at(-1)?.[1])
      return progress === undefined ? { state: 'running' } : { state: 'running', progress: Math.min(99, progress) }
    }
  }
}

/** Maximum response size in bytes. A response may contain small outputs as data URIs. */
const responseBytesMax = 64 * 1024 * 1024

async function outputsOf(
  { target, tools }: ReplicateConnection,
  request: GenerationRequest,
  { output }: JsonObject,
): Promise<DriverOutput[]> {
  const contentType = request.object === 'video' ? 'video/mp4' : 'image/png'
  let storedCount = 0
  return Promise.all(
    outputUrls(output, request.object).map(async (url): Promise<DriverOutput> => {
      if (!url.startsWith('data:')) return { contentType, location: locationOf(url, target.baseUrl) }
      const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
      return { contentType, location: await tools.results.store(request.attemptId, storedCount++, bytes) }
    }),
  )
}

function locationOf(url: string, baseUrl: string): ResultLocation {
  return url.startsWith(`${baseUrl}/`) ? { path: url.slice(baseUrl.length) } : { url }
}

const pagesMax = 20
/** Tolerance for an upstream whose clock is behind this machine's clock. */
const clockSkewMs = 60_000

/**
 * Searches the list of predictions, newest first, for the unique webhook URL of the attempt. Throws
 * if a prediction without a webhook may belong to the attempt, because it is then unknown whether
 * the job was started.
 */
export async function findPrediction(
  { target, tools, headers }: ReplicateConnection,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<Operation | null> {
  const webhook = webhookOf(tools, request)
  const createdAfter = new Date(createdAtMsOf(request.attemptId) - clockSkewMs).toISOString()
  let url = `${target.baseUrl}/predictions?created_after=${encodeURIComponent(createdAfter)}`
  for (let page = 0; page < pagesMax; page++) {
    const response = await tools.call({ method: 'GET', url, headers, signal, bytesMax: responseBytesMax })
    const body = objectIn(response.json)
    if (response.status !== 200 || !Array.isArray(body['results']))
      throw new Error(`the list returned ${describeUnusable(response, 'results')}`)
    for (const prediction of listIn(body['results']).map(objectIn)) {
      const webhookUrl = textIn(prediction['webhook'])
      if (webhook !== null && webhookUrl === webhook) return { id: listedJobId(prediction['id']) }
      if (webhookUrl === '' && mayBelongTo(prediction, request))
        throw new Error('there is an identical prediction, but nothing shows which attempt started it')
    }
    const nextUrl = textIn(body['next'])
    if (nextUrl === '') return null
    if (!nextUrl.startsWith(`${target.baseUrl}/`)) throw new Error('the next page of the list is on another host')
    url = nextUrl
  }
  throw new Error(`the job is not among the last ${pagesMax} pages of predictions`)
}

/**
 * Whether a prediction may belong to the request's attempt: its input has the same prompt or none.
 * The upstream removes the input an hour after the end of the prediction.
 */
function mayBelongTo(prediction: JsonObject, { parameters }: GenerationRequest): boolean {
  const input = objectIn(prediction['input'])
  return !('prompt' in input) || input['prompt'] === parameters.prompt
}

/** Cancels a prediction. Never throws; the next poll shows whether it was cancelled. */
export async function cancelPrediction({ target, tools, headers }: ReplicateConnection, { id }: Operation): Promise<void> {
  const url = `${target.baseUrl}/predictions/${encodeURIComponent(textIn(id))}/cancel`
  await tools.call({ method: 'POST', url, headers, signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
}
