import type { FailureCode } from '@framegate/contract'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import type { UpstreamError } from '../upstream/classify-error.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'

export interface ViduConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  headers: Readonly<Record<string, string>>
}

const policyPattern = /Policy|Audit/
const inputPattern = /^(BadRequest|Field|PageSize|Image|Face|NoFace|MultiFace)/

/**
 * Returns the failure code for the `err_code` of a failed task. It has the same values as the
 * `reason` of a submit error.
 */
export function failureCodeOf(code: string): FailureCode {
  if (code === 'UserCancelled' || code === 'Canceled') return 'cancelled'
  if (policyPattern.test(code)) return 'content_policy'
  return inputPattern.test(code) ? 'invalid_input' : 'upstream_failed'
}

/** Reads `{"code": 400, "reason", "message", "metadata": {"trace_id"}}`. */
export function readError({ json }: Pick<UpstreamResponse, 'json'>): UpstreamError {
  const { reason, message, metadata } = objectIn(json)
  const trace = textIn(objectIn(metadata)['trace_id'])
  const code = textIn(reason)
  return {
    code,
    message: textIn(message) + (trace === '' ? '' : ` (trace ${trace})`),
    isPolicyViolation: policyPattern.test(code),
  }
}
