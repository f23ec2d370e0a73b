export type UntrustedFetchReason =
  | 'invalid_url'
  | 'forbidden_address'
  | 'forbidden_port'
  | 'unresolvable'
  | 'unreachable'
  | 'too_many_redirects'
  | 'bad_response'
  | 'too_large'
  | 'timed_out'
  | 'interrupted'

/**
 * The reason why an external address was not fetched. The message is for the party that gave the
 * address. About the service's network it says only what that party has stated itself. `cause` may
 * reveal more and is for logs.
 */
export class UntrustedFetchRefusal extends Error {
  override readonly name = 'UntrustedFetchRefusal'
  readonly reason: UntrustedFetchReason

  constructor(reason: UntrustedFetchReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }

  /** Whether a later retry may succeed. */
  get isPassing(): boolean {
    return ['unresolvable', 'unreachable', 'timed_out', 'interrupted'].includes(this.reason)
  }
}
