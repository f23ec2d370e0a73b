export type UntrustedFetchReason =
  | 'invalid_url'
  | 'forbidden_address'
  | 'forbidden_port'
  | 'unresolvable'
  | 'unreachable'
  | 'too_many_redirects'
  | 'bad_answer'
  | 'too_large'
  | 'timed_out'
  | 'interrupted'

/**
 * Why an address that came from outside was not fetched. The message is for whoever gave it
 * and tells of our network nothing that they did not say themselves; `cause` may tell more and is for logs.
 */
export class UntrustedFetchRefusal extends Error {
  override readonly name = 'UntrustedFetchRefusal'
  readonly reason: UntrustedFetchReason

  constructor(reason: UntrustedFetchReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }

  /** Another try later may end differently. */
  get isPassing(): boolean {
    return ['unresolvable', 'unreachable', 'timed_out', 'interrupted'].includes(this.reason)
  }
}
