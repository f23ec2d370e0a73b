import type { FailureCode } from '@framegate/contract'
import { DriverRefusal, NotAccepted, type FailedOutcome, type StartContext, type Usage } from '../driver.ts'
import { UpstreamUnreachable, type CallUpstream, type UpstreamAnswer, type UpstreamCall } from './call-upstream.ts'

/** A submit that was not answered as documented: whether the upstream has taken the job on, nobody knows. */
export class AcceptanceUnknown extends Error {
  override readonly name = 'AcceptanceUnknown'
}

/** What an upstream's error body says. */
export interface SaidByUpstream {
  code: string
  message: string
  /** The prompt or a picture was refused by its rules on content. */
  isPolicy: boolean
}

/** The request that starts a job; the rest comes from the `StartContext`. */
export type SubmitCall = Omit<UpstreamCall, 'signal' | 'beforeSend'>

/**
 * Sends the request that starts a job, once `beforeSubmit` has resolved. Throws as `Driver.start`
 * does when nothing was sent.
 */
export async function submitCall(call: CallUpstream, submit: SubmitCall, context: StartContext): Promise<UpstreamAnswer> {
  const { signal } = context
  try {
    return await call({ ...submit, signal, beforeSend: () => context.beforeSubmit() })
  } catch (cause) {
    if (cause instanceof UpstreamUnreachable) throw new NotAccepted('unavailable', cause.message, { cause, scope: 'upstream' })
    throw cause
  }
}

/**
 * Sends an input ahead of the submit. It starts no job, so an upload without a response throws
 * `NotAccepted`, unless it was aborted.
 */
export async function uploadCall(call: CallUpstream, upload: UpstreamCall): Promise<UpstreamAnswer> {
  try {
    return await call(upload)
  } catch (cause) {
    if (upload.signal.aborted) throw cause
    const scope = cause instanceof UpstreamUnreachable ? 'upstream' : 'route'
    const detail = `an input could not be uploaded${cause instanceof Error ? `: ${cause.message}` : ''}`
    throw new NotAccepted('unavailable', detail, { cause, scope })
  }
}

/** The error to throw for an upload whose response is not a success. */
export function judgeUpload(answer: UpstreamAnswer): NotAccepted {
  return notAcceptedBy(answer, `an upload was answered with HTTP ${answer.status}`)
}

/**
 * The error to throw for a submit that was answered with something else than success, as HTTP has it. What an upstream
 * documents otherwise its driver decides before it comes here.
 */
export function judgeRefusal(answer: UpstreamAnswer, said: SaidByUpstream): Error {
  const { status } = answer
  const detail = detailOf(status, said)
  if (status === 429) return notAcceptedBy(answer, detail)
  if (said.isPolicy && status >= 400 && status < 500) return refusedBy('content_policy', detail)
  if ([400, 413, 414, 415, 422].includes(status)) return refusedBy('invalid_input', detail)
  if (status >= 300 && status < 500 && !unclear.has(status)) return notAcceptedBy(answer, detail)
  return new AcceptanceUnknown(detail)
}

/** Key and balance belong to the credential. A 403 may be about one model only. */
function notAcceptedBy(answer: UpstreamAnswer, detail: string): NotAccepted {
  const { status } = answer
  if (status === 429) return new NotAccepted('throttled', detail, { retryAfterMs: retryAfterMsOf(answer) })
  return new NotAccepted('unavailable', detail, { scope: status === 401 || status === 402 ? 'credential' : 'route' })
}

/** Too slow, in conflict with another, given up by whoever asked: it may have begun. */
const unclear = new Set([408, 409, 499])

export function refusedBy(code: FailureCode, detail: string): DriverRefusal {
  return new DriverRefusal(code, sentences[code], { detail })
}

/** An operation that has ended badly. The client is told our sentence, the operator what the upstream said. */
export function failedBecause(code: FailureCode, detail: string, usage?: Usage): FailedOutcome {
  return { state: 'failed', code, reason: sentences[code], detail, retryable: false, ...(usage !== undefined && { usage }) }
}

export function detailOf(status: number, { code, message }: Pick<SaidByUpstream, 'code' | 'message'>): string {
  const words = [code, message].filter((word) => word !== '').join(': ')
  return `HTTP ${status}${words === '' ? '' : `, ${words.slice(0, 500)}`}`
}

/** Seconds or a date, RFC 9110 section 10.2.3; null when it is neither, or not there. A date is by the upstream's clock, as the answer's own is. */
export function retryAfterMsOf({ headers }: Pick<UpstreamAnswer, 'headers'>): number | null {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const atMs = Date.parse(text)
  const saidAtMs = Date.parse(headers['date'] ?? '')
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - (Number.isNaN(saidAtMs) ? Date.now() : saidAtMs))
}

const sentences: Record<FailureCode, string> = {
  content_policy: 'The prompt or a picture was refused by the content policy.',
  invalid_input: 'The input could not be used: change the prompt, the pictures or the parameters.',
  upstream_failed: 'The generation failed.',
  upstream_timeout: 'The generation took longer than it may.',
  cancelled: 'The task was cancelled.',
  lost_upstream: 'The generation was started, but whether it was accepted is not known; it is not started again.',
}
