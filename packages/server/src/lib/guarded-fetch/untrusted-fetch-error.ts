export type UntrustedFetchReason =
  | 'invalid_url'
  | 'forbidden_address'
  | 'forbidden_port'
  | 'unresolvable'
  | 'unreachable'
  | 'too_many_redirects'
  /** The response was 404 or 410. */
  | 'not_found'
  | 'bad_response'
  | 'too_large'
  | 'timed_out'
  | 'interrupted'

/**
 * Error for an external address that was not fetched. The message is for the client or upstream
 * that sent the address, and reveals nothing about the service's network. `cause` may reveal more,
 * and is only for logs.
 */
export class UntrustedFetchError extends Error {
  override readonly name = 'UntrustedFetchError'
  readonly reason: UntrustedFetchReason
  /** HTTP status of the response. Undefined unless the status is the reason. */
  readonly status: number | undefined

  constructor(reason: UntrustedFetchReason, message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options)
    this.reason = reason
    this.status = options.status
  }

  /** Whether a retry may succeed. */
  get isTransient(): boolean {
    return ['unresolvable', 'unreachable', 'timed_out', 'interrupted'].includes(this.reason)
  }
}
