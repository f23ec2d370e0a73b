import type { FailureCode } from '@framegate/contract'
import type { DriverOutput, FailedOutcome, PollOutcome, ProviderCost } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import { describeUnusable } from '../upstream/describe-unusable.ts'
import { completedWithoutResult, formatErrorDetail, failedOutcome, type UpstreamError } from '../upstream/classify-error.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'

/**
 * Reads an error in one of two formats: a list of model errors, `{"detail": [{type, loc, msg}]}`,
 * of which only the first is read, or a message with an `error_type`.
 */
export function readError({ json, headers }: Pick<UpstreamResponse, 'json' | 'headers'>): UpstreamError {
  const body = objectIn(json)
  const [firstDetail] = listIn(body['detail']).map(objectIn)
  const code = textIn(firstDetail?.['type']) || textIn(body['error_type']) || (headers['x-fal-error-type'] ?? '')
  const location = listIn(firstDetail?.['loc']).map(textIn).join('.')
  const message = textIn(firstDetail?.['msg']) || textIn(body['detail']) || textIn(body['message'])
  return {
    code,
    message: location === '' ? message : `${location}: ${message}`,
    isPolicyViolation: code === 'content_policy_violation',
  }
}

/**
 * Returns the outcome of a request that has ended. Throws if the response is neither a result nor a
 * failure, such as a gateway error.
 */
export function readResult(response: UpstreamResponse): PollOutcome {
  if (response.status >= 300 || response.json === undefined) return failedWith(response)
  const cost = costOf(response)
  const body = objectIn(response.json)
  const flags = listIn(body['has_nsfw_concepts'])
  const allowedFiles = filesIn(body).filter((_, index) => flags[index] !== true)
  if (allowedFiles.length === 0 && flags.includes(true)) return failedOutcome('content_policy', 'has_nsfw_concepts', cost)
  const seed = numberIn(body['seed'])
  // The reported seed belongs to the first file.
  const outputs = allowedFiles.map((file, index) => (seed !== undefined && index === 0 ? Object.assign(file, { seed }) : file))
  return succeededWith(outputs, cost) ?? completedWithoutResult('the result has no file', cost)
}

/**
 * Returns the outcome of a failed request. `statusError` is the error in the queue status, if any.
 * Throws if neither it nor the response shows that the request failed.
 */
export function failedWith(response: UpstreamResponse, statusError?: { type: string; message: string }): FailedOutcome {
  const { status, json } = response
  const upstreamError = readError(response)
  const { detail } = objectIn(json)
  const isRequestError = status >= 400 && detail !== undefined && !/still in progress/i.test(upstreamError.message)
  if (isRequestError && ![401, 403, 429].includes(status)) {
    const type = Array.isArray(detail) ? upstreamError.code : (statusError?.type ?? upstreamError.code)
    return failedOutcome(codeOf(status, type), formatErrorDetail(status, { ...upstreamError, code: type }), costOf(response))
  }
  if (statusError === undefined) throw new Error(`the request for the result returned ${describeUnusable(response, 'a result')}`)
  return failedOutcome(
    codeOf(200, statusError.type),
    formatErrorDetail(200, { code: statusError.type, message: statusError.message }),
  )
}

const upstreamErrorTypes = /^(downstream_service|internal_|runner_|no_media_generated|bad_request|client_disconnected)/

function codeOf(status: number, type: string): FailureCode {
  if (type === 'content_policy_violation') return 'content_policy'
  if (type.endsWith('timeout') && !type.startsWith('runner_')) return 'upstream_timeout'
  if (type === 'client_cancelled') return 'cancelled'
  return status === 422 && !upstreamErrorTypes.test(type) ? 'invalid_input' : 'upstream_failed'
}

function filesIn(body: JsonObject): DriverOutput[] {
  for (const [name, defaultType] of Object.entries({ video: 'video/mp4', image: 'image/png' })) {
    const file = body[name] ?? undefined
    const files = file === undefined ? listIn(body[`${name}s`]) : [file]
    const validFiles = files.map(objectIn).filter(({ url }) => /^https?:/.test(textIn(url)))
    if (validFiles.length > 0) {
      return validFiles.map((file) => ({
        contentType: textIn(file['content_type']) || defaultType,
        location: { url: textIn(file['url']) },
      }))
    }
  }
  return []
}

function costOf({ headers }: Pick<UpstreamResponse, 'headers'>): ProviderCost | undefined {
  const amount = numberIn(headers['x-fal-billable-units'])
  return amount === undefined ? undefined : { amount, unit: 'units' }
}
