import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import {
  formatErrorDetail,
  classifyError,
  throttledError,
  unavailableError,
  type UpstreamError,
} from '../upstream/classify-error.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'

export interface OpenaiConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  headers: Readonly<Record<string, string>>
}

/** Matches codes for an empty balance. OpenAI sends them with HTTP 429, some gateways with 403. */
export const balanceCodePattern = /insufficient_(?!permission)|balance_exhausted|hard_limit/
const policyPattern = /moderation|policy|safety|sensitive/i

/** Reads `{"error": {code, message}}`, and the flat format of some gateways. */
export function readError({ json }: Pick<UpstreamResponse, 'json'>): UpstreamError {
  const body = objectIn(json)
  const error = typeof body['error'] === 'object' ? objectIn(body['error']) : body
  const code = textIn(error['code'])
  const message = textIn(error['message']) || textIn(body['error']) || textIn(body['fail_reason'])
  return { code, message, isPolicyViolation: policyPattern.test(code) || policyPattern.test(message) }
}

/** Returns the error for a submit whose response is not a success. */
export function submitErrorOf(response: UpstreamResponse): Error {
  const upstreamError = readError(response)
  const { status } = response
  const detail = formatErrorDetail(status, upstreamError)
  if (status === 503) return throttledError(response, detail)
  if ((status === 429 || status === 403) && balanceCodePattern.test(upstreamError.code)) {
    return unavailableError(response, detail, 'credential')
  }
  return classifyError(response, upstreamError)
}
