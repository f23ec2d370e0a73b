import type { FailureCode } from '@framegate/contract'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import {
  formatErrorDetail,
  classifyError,
  throttledError,
  unavailableError,
  type UpstreamError,
} from '../upstream/classify-error.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'

const policyCodes = /SensitiveContentDetected|RiskDetection/
const inputCodes = /^(InvalidParameter|MissingParameter|InvalidImageURL)/
const unavailableModelCodes = /^(InvalidEndpoint|ModelNotOpen)/

/**
 * Reads `{"error": {code, message}}` from an HTTP error, a failed task, or the entry of an image
 * that moderation blocked. Some HTTP errors have the message at the top level.
 */
export function readError(holder: unknown): UpstreamError {
  const error = objectIn(objectIn(holder)['error'])
  const code = textIn(error['code'])
  return {
    code,
    message: textIn(error['message']) || textIn(objectIn(holder)['message']),
    isPolicyViolation: policyCodes.test(code),
  }
}

/** Returns the failure code for a job that was accepted and then failed. */
export function failureCodeOf({ code, isPolicyViolation }: UpstreamError): FailureCode {
  if (isPolicyViolation) return 'content_policy'
  return inputCodes.test(code) ? 'invalid_input' : 'upstream_failed'
}

/** Returns the error for a submit whose response is not a success. */
export function submitErrorOf(response: UpstreamResponse): Error {
  const upstreamError = readError(response.json)
  const detail = formatErrorDetail(response.status, upstreamError)
  if (response.status === 400 && unavailableModelCodes.test(upstreamError.code)) return unavailableError(response, detail)
  if (response.status === 403 && upstreamError.code === 'AccountOverdueError')
    return unavailableError(response, detail, 'credential')
  // The upstream's moderation service is down, so the content is not the cause.
  if (upstreamError.code === 'ContentSecurityDetectionError') {
    return throttledError(response, detail)
  }
  if (response.status === 429 && isBudgetUsedUp(upstreamError)) return unavailableError(response, detail)
  return classifyError(response, upstreamError)
}

/**
 * Whether the spending cap or the free trial of this model is used up. The code `QuotaExceeded` can
 * also mean that too many tasks are queued.
 */
function isBudgetUsedUp({ code, message }: UpstreamError): boolean {
  return code.startsWith('SetLimitExceeded') || (code.startsWith('QuotaExceeded') && /trial|free/i.test(message))
}
