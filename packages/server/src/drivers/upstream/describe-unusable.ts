import type { UpstreamResponse } from './call-upstream.ts'
import { formatErrorDetail, type UpstreamError } from './classify-error.ts'
import { objectIn, type JsonObject } from './read-json.ts'

type ReceivedResponse = Pick<UpstreamResponse, 'status' | 'body' | 'json'>

/**
 * Describes a response that a driver cannot use: its status and, if the status is a success, the
 * problem of the body. `requiredField` names the field that the driver needs.
 */
export function describeUnusable({ status, body, json }: ReceivedResponse, requiredField: string): string {
  if (status < 200 || status >= 300) return `HTTP ${status}`
  if (body.length === 0) return `HTTP ${status} with an empty body`
  if (json === undefined) return `HTTP ${status} with a body that cannot be parsed as JSON`
  return `HTTP ${status} without ${requiredField}`
}

/**
 * Describes a response by the error in its body. If there is none, describes it like
 * `describeUnusable`.
 */
export function describeError(response: ReceivedResponse, reported: UpstreamError, requiredField: string): string {
  if (reported.code === '' && reported.message === '') return describeUnusable(response, requiredField)
  return formatErrorDetail(response.status, reported)
}

/**
 * Returns the JSON of the response to a poll. Throws unless the status is 200 and the body is JSON.
 * `requiredField` is as in `describeUnusable`.
 */
export function jsonOfPoll(response: ReceivedResponse, requiredField = 'a status'): JsonObject {
  if (response.status !== 200 || response.json === undefined)
    throw new Error(`the poll returned ${describeUnusable(response, requiredField)}`)
  return objectIn(response.json)
}
