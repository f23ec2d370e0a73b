import type { GenerationRequest, Operation, PollOutcome, StartContext } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import { describeUnusable } from '../upstream/describe-unusable.ts'
import {
  AcceptanceUnknown,
  formatErrorDetail,
  classifyError,
  sendSubmit,
  unavailableError,
  type SubmitCall,
} from '../upstream/classify-error.ts'
import { jobIdIn, objectIn, textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'
import { bodyOf } from './endpoint-input.ts'
import { failedWith, readResult, readError } from './read-result.ts'

/**
 * Connection to the queue. A submit adds a request, and the service polls the request's status
 * until it is `COMPLETED`. A completed request may have failed: the HTTP status of its result shows
 * whether the model succeeded.
 */
export interface FalConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  headers: Readonly<Record<string, string>>
}

/**
 * Makes the upstream delete result files after three days. The service normally collects them
 * within minutes.
 */
const lifecyclePreference = JSON.stringify({ expiration_duration_seconds: 3 * 24 * 3600 })

export async function submit(
  { target, tools, headers }: FalConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const callbackUrl = tools.callbackUrl(request.attemptId)
  const query = callbackUrl === null ? '' : `?fal_webhook=${encodeURIComponent(callbackUrl)}`
  const submitCall: SubmitCall = {
    method: 'POST',
    url: `${target.baseUrl}/${target.model}${query}`,
    headers: { ...headers, 'x-fal-object-lifecycle-preference': lifecyclePreference },
    json: await bodyOf(request, target, tools.files, context.signal),
  }
  const response = await sendSubmit(tools.call, submitCall, context)
  if (response.status >= 300) throw submitErrorOf(response)
  const acceptedJob = objectIn(response.json)
  const id = jobIdIn(acceptedJob['request_id'])
  if (id === '') throw new AcceptanceUnknown(`HTTP ${response.status} without a request_id`)
  const path = `/${applicationOf(target.model)}/requests/${encodeURIComponent(id)}`
  return {
    id,
    status: pathBelowBase(acceptedJob['status_url'], target) ?? `${path}/status`,
    result: pathBelowBase(acceptedJob['response_url'], target) ?? path,
    cancel: pathBelowBase(acceptedJob['cancel_url'], target) ?? `${path}/cancel`,
  }
}

function submitErrorOf(response: UpstreamResponse): Error {
  const upstreamError = readError(response)
  // HTTP 403 means missing permissions, or an account that is locked because its balance is empty.
  if (response.status === 403 && /user is locked|exhausted balance/i.test(upstreamError.message)) {
    return unavailableError(response, formatErrorDetail(403, upstreamError), 'credential')
  }
  return classifyError(response, upstreamError)
}

export async function poll(connection: FalConnection, operation: Operation, signal: AbortSignal): Promise<PollOutcome> {
  const response = await get(connection, textIn(operation['status']), signal)
  if (response.status >= 300 || response.json === undefined)
    throw new Error(`the poll returned ${describeUnusable(response, 'a status')}`)
  const status = objectIn(response.json)
  if (status['status'] === 'IN_QUEUE') return { state: 'queued' }
  if (status['status'] !== 'COMPLETED') return { state: 'running' }
  const result = await get(connection, textIn(operation['result']), signal)
  const errorType = textIn(status['error_type']) || textIn(status['error'])
  return errorType === '' ? readResult(result) : failedWith(result, { type: errorType, message: textIn(status['error']) })
}

export async function cancel({ target, tools, headers }: FalConnection, operation: Operation): Promise<void> {
  const url = target.baseUrl + textIn(operation['cancel'])
  await tools.call({ method: 'PUT', url, headers, signal: AbortSignal.timeout(cancelTimeoutMs) }).catch(() => {})
}

const cancelTimeoutMs = 20_000

/** Looks up a request that does not exist. This is free and shows whether the key is valid. */
export async function probe({ target, tools, headers }: FalConnection, signal: AbortSignal): Promise<void> {
  const path = `/${applicationOf(target.model)}/requests/00000000-0000-0000-0000-000000000000/status`
  const { status } = await tools.call({ method: 'GET', url: target.baseUrl + path, headers, signal })
  if (status === 401 || status === 403) throw new Error(`the key was refused with HTTP ${status}`)
  if (status >= 500) throw new Error(`the look-up returned HTTP ${status}`)
}

function get({ target, tools, headers }: FalConnection, path: string, signal: AbortSignal): Promise<UpstreamResponse> {
  return tools.call({ method: 'GET', url: target.baseUrl + path, headers, signal })
}

/**
 * Returns the owner and application of an endpoint: the first two segments of its name, or three in
 * the namespaces `workflows` and `comfy`. Polls and cancels use only these. A submit uses the full
 * name.
 */
function applicationOf(model: string): string {
  const segments = model.split('/')
  return segments.slice(0, segments[0] === 'workflows' || segments[0] === 'comfy' ? 3 : 2).join('/')
}

/**
 * Returns the path of a URL below the base URL. Returns undefined for any other URL, because the
 * key must not be sent to another host.
 */
function pathBelowBase(url: unknown, { baseUrl }: ConnectedTarget): string | undefined {
  const text = textIn(url)
  return text.startsWith(`${baseUrl}/`) ? text.slice(baseUrl.length) : undefined
}
