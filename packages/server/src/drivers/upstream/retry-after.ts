import type { UpstreamAnswer } from './call-upstream.ts'

/** A request that starts nothing was answered with a request to come back later. */
export class UpstreamThrottled extends Error {
  override readonly name = 'UpstreamThrottled'
  /** As the upstream said; null when it did not. */
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Whether the upstream asks to come back later: 429, or 503 with `Retry-After`. */
export function isThrottled(answer: Pick<UpstreamAnswer, 'status' | 'headers'>): boolean {
  return answer.status === 429 || (answer.status === 503 && retryAfterMsOf(answer) !== null)
}

/** Seconds or a date, RFC 9110 section 10.2.3; null when it is neither, or not there. A date is by the upstream's clock, as the answer's own is. */
export function retryAfterMsOf({ headers }: Pick<UpstreamAnswer, 'headers'>): number | null {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const atMs = Date.parse(text)
  const saidAtMs = Date.parse(headers['date'] ?? '')
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - (Number.isNaN(saidAtMs) ? Date.now() : saidAtMs))
}
