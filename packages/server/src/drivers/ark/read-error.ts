import type { FailureCode } from '@framegate/contract'
import type { UpstreamAnswer } from '../upstream/call-upstream.ts'
import { detailOf, classifyError, throttledBy, unavailableBy, type UpstreamError } from '../upstream/classify-error.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'

const policyCodes = /SensitiveContentDetected|RiskDetection/
const inputCodes = /^(InvalidParameter|MissingParameter|InvalidImageURL)/
const modelCodes = /^(InvalidEndpoint|ModelNotOpen)/

/** `{"error": {code, message}}`, for an HTTP error, a failed task, and one image among several. */
export function readError(holder: unknown): UpstreamError {
  const error = objectIn(objectIn(holder)['error'])
  const code = textIn(error['code'])
  return { code, message: textIn(error['message']) || textIn(objectIn(holder)['message']), isPolicy: policyCodes.test(code) }
}

/** The failure of a task that was accepted and has failed. */
export function failureCodeOf({ code, isPolicy }: UpstreamError): FailureCode {
  if (isPolicy) return 'content_policy'
  return inputCodes.test(code) ? 'invalid_input' : 'upstream_failed'
}

/** The error for a refused submit. No response of 4xx starts a job. */
export function refusalOf(answer: UpstreamAnswer): Error {
  const said = readError(answer.json)
  const detail = detailOf(answer.status, said)
  if (answer.status === 400 && modelCodes.test(said.code)) return unavailableBy(answer, detail)
  if (answer.status === 403 && said.code === 'AccountOverdueError') return unavailableBy(answer, detail, 'credential')
  // The upstream's moderation is out of order, which says nothing about the content.
  if (said.code === 'ContentSecurityDetectionError') {
    return throttledBy(answer, detail)
  }
  if (answer.status === 429 && isUsedUp(said)) return unavailableBy(answer, detail)
  return classifyError(answer, said)
}

/**
 * Whether the spending cap or the free trial of this model is used up. `QuotaExceeded` also means
 * that too many tasks wait, which is temporary.
 */
function isUsedUp({ code, message }: UpstreamError): boolean {
  return code.startsWith('SetLimitExceeded') || (code.startsWith('QuotaExceeded') && /trial|free/i.test(message))
}
