import type { UpstreamResponse } from './call-upstream.ts'

/**
 * Reason why the response to a probe does not show that the route to the upstream works.
 *
 *   unsupported     the upstream does not support the probe's request
 *   unknown_model   the upstream does not have the model of the route
 */
export type ProbeErrorReason = 'unsupported' | 'unknown_model'

/** Error of a probe that reached the upstream but did not show that the route works. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
  readonly reason: ProbeErrorReason

  constructor(reason: ProbeErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}

const unsupportedStatuses = new Set([404, 405, 501])

/** Returns the error for a failed probe. `detail` describes the response. */
export function probeErrorOf({ status }: Pick<UpstreamResponse, 'status'>, detail: string): Error {
  return unsupportedStatuses.has(status) ? new ProbeError('unsupported', detail) : new Error(detail)
}
