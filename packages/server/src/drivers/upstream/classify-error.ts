import type { FailureCode } from '@framegate/contract'
import {
  DriverRefusal,
  NotAccepted,
  type FailedOutcome,
  type RefusalScope,
  type StartContext,
  type ProviderCost,
} from '../driver.ts'
import type { CallUpstream, UpstreamResponse, UpstreamCall } from './call-upstream.ts'
import { UpstreamUnreachable } from './upstream-unreachable.ts'
import { isThrottled, retryAfterMsOf } from './retry-after.ts'
import { truncate } from '../../lib/truncate.ts'

/** Error for a response to a submit that does not show whether the upstream accepted the job. */
export class AcceptanceUnknown extends Error {
  override readonly name = 'AcceptanceUnknown'
  /** The delay that the upstream requested. Null if it requested none. */
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** The parts of an upstream's error response that drivers use. */
export interface UpstreamError {
  code: string
  message: string
  /** Whether the upstream's content policy refused the prompt or an image. */
  isPolicyViolation: boolean
}

/** The fields of a submit that do not come from the `StartContext`. */
export type SubmitCall = Omit<UpstreamCall, 'signal' | 'beforeSend'>

/**
 * Sends the request that starts a job, once `beforeSubmit` has resolved. Throws `NotAccepted` if
 * the upstream is unreachable, and otherwise the errors of `CallUpstream`.
 */
export async function sendSubmit(call: CallUpstream, submit: SubmitCall, context: StartContext): Promise<UpstreamResponse> {
  const { signal } = context
  try {
    return await call({ ...submit, signal, beforeSend: () => context.beforeSubmit() })
  } catch (cause) {
    if (cause instanceof UpstreamUnreachable) throw new NotAccepted('unavailable', cause.message, { cause, scope: 'upstream' })
    throw cause
  }
}

/**
 * Uploads an input before the submit. An upload starts no job, so every error except an abort is
 * thrown as `NotAccepted`.
 */
export async function sendUpload(call: CallUpstream, upload: UpstreamCall): Promise<UpstreamResponse> {
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
  const detail = `the upload returned HTTP ${response.status}`
  return isThrottled(response) ? throttledError(response, detail) : unavailableByStatus(response, detail)
}

/**
 * Returns the error for a failed submit, according to the usual meaning of the HTTP status. A
 * driver must handle statuses with another meaning at its provider before it calls this function.
 */
export function classifyError(response: UpstreamResponse, reported: UpstreamError): Error {
  const { status } = response
  const detail = formatErrorDetail(status, reported)
  if (status === 429) return throttledError(response, detail)
  if (reported.isPolicyViolation && status >= 400 && status < 500) return refusalError('content_policy', detail)
  if ([400, 413, 414, 415, 422].includes(status)) return refusalError('invalid_input', detail)
  if (status >= 300 && status < 500 && !ambiguousClientErrors.has(status)) return unavailableByStatus(response, detail)
  return acceptanceUnknownError(response, detail)
}

/**
 * Returns an `unavailable` error whose scope follows from the status. A 401 (invalid key) and a 402
 * (empty balance) affect all routes with this credential. A 403 may concern only one model.
 */
function unavailableByStatus(response: UpstreamResponse, detail: string): NotAccepted {
  return unavailableError(response, detail, response.status === 401 || response.status === 402 ? 'credential' : 'route')
}

/** Returns a `throttled` error with the upstream's `Retry-After`. */
export function throttledError(response: UpstreamResponse, detail: string): NotAccepted {
  return new NotAccepted('throttled', detail, { retryAfterMs: retryAfterMsOf(response) })
}

export function unavailableError(response: UpstreamResponse, detail: string, scope: RefusalScope = 'route'): NotAccepted {
  return new NotAccepted('unavailable', detail, { scope, retryAfterMs: retryAfterMsOf(response) })
}

export function acceptanceUnknownError(response: UpstreamResponse, detail: string): AcceptanceUnknown {
  return new AcceptanceUnknown(detail, retryAfterMsOf(response))
}

/**
 * Statuses below 500 after which the job may have started: 408 (timeout), 409 (conflict) and 499 (a
 * gateway reports that its client closed the request). Every status from 500 is ambiguous too.
 */
const ambiguousClientErrors = new Set([408, 409, 499])

export function refusalError(code: FailureCode, detail: string, cost: ProviderCost | null = null): DriverRefusal {
  return new DriverRefusal(code, clientMessages[code], { detail, cost })
}

/** Maximum length of the upstream's message in a failed outcome, which the attempt stores. */
const detailCharactersMax = 1_000

/**
 * Returns the outcome of a failed operation: a fixed message for the client, and the upstream's
 * message for the operator, which is truncated.
 */
export function failedOutcome(code: FailureCode, detail: string, cost?: ProviderCost): FailedOutcome {
  const texts = { reason: clientMessages[code], detail: truncate(detail, detailCharactersMax) }
  return { state: 'failed', code, ...texts, retryable: false, ...(cost !== undefined && { cost }) }
}

/** Returns the outcome of a job that the upstream reports as completed, but without a result. */
export function completedWithoutResult(detail: string, cost?: ProviderCost): FailedOutcome {
  return { ...failedOutcome('upstream_failed', detail, cost), isCompletedUpstream: true }
}

export function formatErrorDetail(status: number, { code, message }: Pick<UpstreamError, 'code' | 'message'>): string {
  const text = [code, message].filter((part) => part !== '').join(': ')
  return `HTTP ${status}${text === '' ? '' : `, ${truncate(text, 500)}`}`
}

const clientMessages: Record<FailureCode, string> = {
  content_policy: 'The content policy refused the prompt or an image.',
  invalid_input: 'The input could not be used; change the prompt, the images or the parameters.',
  upstream_failed: 'The generation failed.',
  upstream_timeout: 'The generation exceeded its time limit.',
  cancelled: 'The task was cancelled.',
  lost_upstream: 'It is unknown whether the generation was started, so it is not started again.',
}
