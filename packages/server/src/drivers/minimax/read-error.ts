import type { FailureCode } from '@framegate/contract'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import {
  formatErrorDetail,
  classifyError,
  refusalError,
  throttledError,
  unavailableError,
  acceptanceUnknownError,
  type UpstreamError,
} from '../upstream/classify-error.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'

/**
 * Error codes of the upstream. It returns a code in one of three places: in `base_resp` of a
 * response with HTTP 200, in brackets at the end of an error message, or in `error.code` of a
 * failed task.
 */
const policyCodes = new Set(['1026', '1027'])
const inputCodes = new Set(['1042', '2013'])
const throttledCodes = new Set(['1002', '1039', '1041', '2045', '2056'])
/** Codes about the key and the balance. */
const credentialCodes = new Set(['1004', '1008', '2049'])
/** Codes for a model that the plan does not include, or whose quota is used up. */
const unavailableModelCodes = new Set(['1028', '1030', '2061'])

/** Reads an error. The code is empty if there is no error, or if the error has no code. */
export function readError(json: unknown): UpstreamError {
  const { base_resp, error } = objectIn(json)
  const baseResponse = objectIn(base_resp)
  const errorObject = objectIn(error)
  const message = textIn(errorObject['message']) || textIn(baseResponse['status_msg'])
  const bracketedCode = /\((\d+)\)\s*$/.exec(message)?.[1] ?? ''
  const code = textIn(errorObject['code']) || bracketedCode || textIn(baseResponse['status_code']).replace(/^0$/, '')
  return { code, message, isPolicyViolation: policyCodes.has(code) }
}

/** Returns the failure code for a task that was accepted and then failed. */
export function failureCodeOf({ code, isPolicyViolation }: UpstreamError): FailureCode {
  if (isPolicyViolation) return 'content_policy'
  return inputCodes.has(code) ? 'invalid_input' : 'upstream_failed'
}

export function submitErrorOf(response: UpstreamResponse): Error {
  const upstreamError = readError(response.json)
  const detail = formatErrorDetail(response.status, upstreamError)
  if (upstreamError.isPolicyViolation) return refusalError('content_policy', detail)
  if (throttledCodes.has(upstreamError.code)) return throttledError(response, detail)
  if (credentialCodes.has(upstreamError.code)) return unavailableError(response, detail, 'credential')
  if (unavailableModelCodes.has(upstreamError.code)) return unavailableError(response, detail)
  // The service's callback URL failed the challenge. The input did not cause the error.
  if (/callback/i.test(upstreamError.message) && inputCodes.has(upstreamError.code)) return unavailableError(response, detail)
  if (inputCodes.has(upstreamError.code)) return refusalError('invalid_input', detail)
  return upstreamError.code === '' ? classifyError(response, upstreamError) : acceptanceUnknownError(response, detail)
}
