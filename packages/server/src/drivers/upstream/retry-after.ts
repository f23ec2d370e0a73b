/** The upstream throttled a request that starts no job. */
export class UpstreamThrottled extends Error {
  override readonly name = 'UpstreamThrottled'
  /** The delay that the upstream requested. Null if it requested none. */
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

interface ResponseHead {
  status: number
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>
}

/** Whether the upstream asks the service to retry later: 429, or 503 with `Retry-After`. */
export function isThrottled(response: ResponseHead): boolean {
  return response.status === 429 || (response.status === 503 && retryAfterMsOf(response) !== null)
}

/**
 * Returns the delay in `Retry-After`, given in seconds or as a date (RFC 9110, section 10.2.3).
 * Null if the header is missing or malformed. A date is compared with the response's `Date`,
 * because both come from the upstream's clock.
 */
export function retryAfterMsOf({ headers }: Pick<ResponseHead, 'headers'>): number | null {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const atMs = Date.parse(text)
  const respondedAtMs = Date.parse(headers['date'] ?? '')
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - (Number.isNaN(respondedAtMs) ? Date.now() : respondedAtMs))
}
