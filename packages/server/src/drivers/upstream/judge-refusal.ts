import type { FailureCode } from '@framegate/contract'
import { DriverRefusal, NotAccepted, type FailedOutcome, type Usage } from '../driver.ts'
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

/** Sends what starts a job. Throws as `Driver.start` does when nothing was sent. */
export async function submitCall(call: CallUpstream, submit: UpstreamCall): Promise<UpstreamAnswer> {
  try {
    return await call(submit)
  } catch (cause) {
    if (cause instanceof UpstreamUnreachable) throw new NotAccepted('fault', cause.message, { cause, scope: 'upstream' })
    throw cause
  }
}

/**
 * The error to throw for a submit that was answered with something else than success, as HTTP has it. What an upstream
 * documents otherwise its driver decides before it comes here.
 */
export function judgeRefusal(answer: UpstreamAnswer, said: SaidByUpstream): Error {
  const { status } = answer
  const detail = detailOf(status, said)
  if (status === 429) return new NotAccepted('busy', detail, { retryAfterMs: retryAfterMsOf(answer) })
  if (said.isPolicy && status >= 400 && status < 500) return refusedBy('content_policy', detail)
  if ([400, 413, 414, 415, 422].includes(status)) return refusedBy('invalid_input', detail)
  if (status >= 300 && status < 500 && !unclear.has(status)) {
    return new NotAccepted('fault', detail, { scope: [401, 402, 403].includes(status) ? 'upstream' : 'route' })
  }
  return new AcceptanceUnknown(detail)
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
