import type { GenerationRequest, Operation, PollOutcome, StartContext } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import {
  AcceptanceUnknown,
  formatErrorDetail,
  classifyError,
  sendSubmit,
  unavailableError,
  type SubmitCall,
} from '../upstream/classify-error.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'
import { bodyOf } from './endpoint-input.ts'
import { failedWith, readResult, readError } from './read-result.ts'

/**
 * Client of the queue. A submit adds a request, and the service polls its status until it is
 * `COMPLETED`, which only means that the request has ended. The result response then has the
 * model's HTTP status, which shows whether it succeeded.
 */
export interface FalQueue {
  target: ConnectedTarget
  tools: UpstreamTools
  /** Headers with the API key. */
  headers: Readonly<Record<string, string>>
}

/**
 * Asks the upstream to delete results after three days. The service collects them within minutes.
 */
const lifecycleHeader = JSON.stringify({ expiration_duration_seconds: 3 * 24 * 3600 })

export async function submit(
  { target, tools, headers }: FalQueue,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const callbackUrl = tools.callbackUrl(request.attemptId)
  const query = callbackUrl === null ? '' : `?fal_webhook=${encodeURIComponent(callbackUrl)}`
  const call: SubmitCall = {
    method: 'POST',
    url: `${target.baseUrl}/${target.model}${query}`,
    headers: { ...headers, 'x-fal-object-lifecycle-preference': lifecycleHeader },
    json: await bodyOf(request, target, tools.images, context.signal),
  }
  const response = await sendSubmit(tools.call, call, context)
  if (response.status >= 300) throw refusalOf(response)
  const acceptedJob = objectIn(response.json)
  const id = textIn(acceptedJob['request_id'])
  if (id === '') throw new AcceptanceUnknown(`HTTP ${response.status} without a request_id`)
  const path = `/${applicationOf(target.model)}/requests/${encodeURIComponent(id)}`
  return {
    id,
    status: pathIn(acceptedJob['status_url'], target) ?? `${path}/status`,
    result: pathIn(acceptedJob['response_url'], target) ?? path,
    cancel: pathIn(acceptedJob['cancel_url'], target) ?? `${path}/cancel`,
  }
}

function refusalOf(response: UpstreamResponse): Error {
  const upstreamError = readError(response)
  // An empty balance locks the whole account, with HTTP 403, which also means missing permissions.
  if (response.status === 403 && /user is locked|exhausted balance/i.test(upstreamError.message)) {
    return unavailableError(response, formatErrorDetail(403, upstreamError), 'credential')
  }
  return classifyError(response, upstreamError)
}

export async function poll(queue: FalQueue, operation: Operation, signal: AbortSignal): Promise<PollOutcome> {
  const response = await get(queue, textIn(operation['status']), signal)
  if (response.status >= 300 || response.json === undefined) throw new Error(`the poll returned HTTP ${response.status}`)
  const status = objectIn(response.json)
  if (status['status'] === 'IN_QUEUE') return { state: 'queued' }
  if (status['status'] !== 'COMPLETED') return { state: 'running' }
  const result = await get(queue, textIn(operation['result']), signal)
  const errorType = textIn(status['error_type']) || textIn(status['error'])
  return errorType === '' ? readResult(result) : failedWith(result, { type: errorType, message: textIn(status['error']) })
}

export async function cancel({ target, tools, headers }: FalQueue, operation: Operation): Promise<void> {
  const url = target.baseUrl + textIn(operation['cancel'])
  await tools.call({ method: 'PUT', url, headers, signal: AbortSignal.timeout(cancelMs) }).catch(() => {})
}

const cancelMs = 20_000

/** Looks up a request that does not exist. This is free and shows whether the key is valid. */
export async function probe({ target, tools, headers }: FalQueue, signal: AbortSignal): Promise<void> {
  const path = `/${applicationOf(target.model)}/requests/00000000-0000-0000-0000-000000000000/status`
  const { status } = await tools.call({ method: 'GET', url: target.baseUrl + path, headers, signal })
  if (status === 401 || status === 403) throw new Error(`the key was refused with HTTP ${status}`)
  if (status >= 500) throw new Error(`the look-up returned HTTP ${status}`)
}

function get({ target, tools, headers }: FalQueue, path: string, signal: AbortSignal): Promise<UpstreamResponse> {
  return tools.call({ method: 'GET', url: target.baseUrl + path, headers, signal })
}

/**
 * Returns the owner and application of an endpoint. Only a submit uses the full name.
 */
function applicationOf(model: string): string {
  const segments = model.split('/')
  return segments.slice(0, segments[0] === 'workflows' || segments[0] === 'comfy' ? 3 : 2).join('/')
}

/**
 * Returns the path of a polling URL. The host is discarded, because the key must only be sent to
 * the configured one.
 */
function pathIn(url: unknown, { baseUrl }: ConnectedTarget): string | undefined {
  const text = textIn(url)
  return text.startsWith(`${baseUrl}/`) ? text.slice(baseUrl.length) : undefined
}
