import type { FailureCode } from '@framegate/contract'
import { DriverRefusal, NotAccepted, type FailedOutcome, type RefusalScope, type StartContext, type Usage } from '../driver.ts'
import { UpstreamUnreachable, type CallUpstream, type UpstreamResponse, type UpstreamCall } from './call-upstream.ts'
import { isThrottled, retryAfterMsOf } from './retry-after.ts'

/**
 * A submit got an undocumented response, so it is unknown whether the upstream accepted the job.
 */
export class AcceptanceUnknown extends Error {
  override readonly name = 'AcceptanceUnknown'
  /** The delay that the upstream requested. Null if it requested none. */
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** The content of an upstream's error body. */
export interface UpstreamError {
  code: string
  message: string
  /** Whether the upstream's content rules caused the refusal of the prompt or of an image. */
  isPolicy: boolean
}

/** The request that starts a job. Its other fields come from the `StartContext`. */
export type SubmitCall = Omit<UpstreamCall, 'signal' | 'beforeSend'>

/**
 * Sends the request that starts a job when `beforeSubmit` has resolved. Throws the same errors as
 * `Driver.start` if nothing was sent.
 */
export async function submitCall(call: CallUpstream, submit: SubmitCall, context: StartContext): Promise<UpstreamResponse> {
  const { signal } = context
  try {
    return await call({ ...submit, signal, beforeSend: () => context.beforeSubmit() })
  } catch (cause) {
    if (cause instanceof UpstreamUnreachable) throw new NotAccepted('unavailable', cause.message, { cause, scope: 'upstream' })
    throw cause
  }
}

/**
 * Sends an input before the submit. An upload starts no job, so an upload without a response throws
 * `NotAccepted`, unless it was aborted.
 */
export async function uploadCall(call: CallUpstream, upload: UpstreamCall): Promise<UpstreamResponse> {
  try {
    return await call(upload)
  } catch (cause) {
    if (upload.signal.aborted) throw cause
    const scope = cause instanceof UpstreamUnreachable ? 'upstream' : 'route'
    const detail = `an input could not be uploaded${cause instanceof Error ? `: ${cause.message}` : ''}`
    throw new NotAccepted('unavailable', detail, { cause, scope })
  }
}

/** Returns the error for an upload whose response is not a success. */
export function classifyUploadError(response: UpstreamResponse): NotAccepted {
  const detail = `the response to an upload was HTTP ${response.status}`
  return isThrottled(response) ? throttledBy(response, detail) : unavailableByStatus(response, detail)
}

/**
 * Returns the error for a submit whose response is not a success, by the meaning of its HTTP
 * status. If the provider documents another meaning, its driver must handle the response before it
 * calls this function.
 */
export function classifyError(response: UpstreamResponse, reported: UpstreamError): Error {
  const { status } = response
  const detail = detailOf(status, reported)
  if (status === 429) return throttledBy(response, detail)
  if (reported.isPolicy && status >= 400 && status < 500) return refusedBy('content_policy', detail)
  if ([400, 413, 414, 415, 422].includes(status)) return refusedBy('invalid_input', detail)
  if (status >= 300 && status < 500 && !unclear.has(status)) return unavailableByStatus(response, detail)
  return unknownBy(response, detail)
}

/**
 * A 401 concerns the key and a 402 the balance, so the error affects all routes with this
 * credential. A 403 may concern only one model.
 */
function unavailableByStatus(response: UpstreamResponse, detail: string): NotAccepted {
  return unavailableBy(response, detail, response.status === 401 || response.status === 402 ? 'credential' : 'route')
}

/** Returns an error with the upstream's `Retry-After`, like the next two functions. */
export function throttledBy(response: UpstreamResponse, detail: string): NotAccepted {
  return new NotAccepted('throttled', detail, { retryAfterMs: retryAfterMsOf(response) })
}

export function unavailableBy(response: UpstreamResponse, detail: string, scope: RefusalScope = 'route'): NotAccepted {
  return new NotAccepted('unavailable', detail, { scope, retryAfterMs: retryAfterMsOf(response) })
}

export function unknownBy(response: UpstreamResponse, detail: string): AcceptanceUnknown {
  return new AcceptanceUnknown(detail, retryAfterMsOf(response))
}

/**
 * Statuses after which the job may have started: a timeout, a conflict, and a request that the
 * client closed.
 */
const unclear = new Set([408, 409, 499])

export function refusedBy(code: FailureCode, detail: string): DriverRefusal {
  return new DriverRefusal(code, sentences[code], { detail })
}

/**
 * Returns the outcome of a failed operation. The client receives a fixed sentence, and the operator
 * receives the upstream's message.
 */
export function failedBecause(code: FailureCode, detail: string, usage?: Usage): FailedOutcome {
  return { state: 'failed', code, reason: sentences[code], detail, retryable: false, ...(usage !== undefined && { usage }) }
}

export function detailOf(status: number, { code, message }: Pick<UpstreamError, 'code' | 'message'>): string {
  const words = [code, message].filter((word) => word !== '').join(': ')
  return `HTTP ${status}${words === '' ? '' : `, ${words.slice(0, 500)}`}`
}

const sentences: Record<FailureCode, string> = {
  content_policy: 'The content policy refused the prompt or an image.',
  invalid_input: 'The input could not be used; change the prompt, the images or the parameters.',
  upstream_failed: 'The generation failed.',
  upstream_timeout: 'The generation exceeded its time limit.',
  cancelled: 'The task was cancelled.',
  lost_upstream: 'It is unknown whether the generation was started, so it is not started again.',
}
