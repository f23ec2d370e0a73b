import type { FailureCode } from '@framegate/contract'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import { formatErrorDetail, classifyError, unavailableError, type UpstreamError } from '../upstream/classify-error.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'

const policyCodes = /^(DataInspectionFailed|IPInfringementSuspect)/
const inputCodes = /^(InvalidParameter|BadRequest|InvalidURL|InvalidFile|InvalidImage)/

/**
 * Reads `{code, message}`: at the top level of an error response, in the `output` of a failed task,
 * or in the entry of a single failed image.
 */
export function readError(holder: unknown): UpstreamError {
  const { code, message } = objectIn(holder)
  return { code: textIn(code), message: textIn(message), isPolicyViolation: policyCodes.test(textIn(code)) }
}

/**
 * Returns the failure code for an accepted task. The upstream reports most invalid parameters and
 * images only after it has accepted the submit.
 */
export function failureCodeOf({ code, isPolicyViolation }: UpstreamError): FailureCode {
  if (isPolicyViolation) return 'content_policy'
  return inputCodes.test(code) ? 'invalid_input' : 'upstream_failed'
}

export function submitErrorOf(response: UpstreamResponse): Error {
  const upstreamError = readError(response.json)
  if (response.status === 400 && upstreamError.code === 'Arrearage') {
    return unavailableError(response, formatErrorDetail(400, upstreamError), 'credential')
  }
  return classifyError(response, upstreamError)
}
