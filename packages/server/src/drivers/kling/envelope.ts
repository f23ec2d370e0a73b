import type { StartContext } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import {
  AcceptanceUnknown,
  formatErrorDetail,
  classifyError,
  refusalError,
  sendSubmit,
  throttledError,
  unavailableError,
  acceptanceUnknownError,
  type UpstreamError,
} from '../upstream/classify-error.ts'
import { describeError } from '../upstream/describe-unusable.ts'
import { jobIdIn, numberIn, objectIn, textIn } from '../upstream/read-json.ts'
import type { Body } from '../upstream/renamed-parameters.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'
import { authorizationOf } from './authorization.ts'

/**
 * Connection to Kling. Every response has the envelope `{"code", "message", "data"}`. A
 * response is a success only if its code is 0 and its HTTP status is 200.
 */
export interface KlingConnection {
  target: ConnectedTarget
  tools: UpstreamTools
}

/** Returns the `data` of a response. Throws an error unless the response is a success. */
export async function readData(connection: KlingConnection, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await sendGet(connection, path, signal)
  if (!isSuccess(response)) throw new Error(describeError(response, readError(response), 'a code'))
  return objectIn(response.json)['data']
}

export function sendGet({ target, tools }: KlingConnection, path: string, signal: AbortSignal): Promise<UpstreamResponse> {
  const headers = authorizationOf(target.credential, tools.clock)
  return tools.call({ method: 'GET', url: target.baseUrl + path, headers, signal })
}

/** Returns the id of the started job. Throws the same errors as `Driver.start`. */
export async function submit(
  { target, tools }: KlingConnection,
  path: string,
  json: Body,
  context: StartContext,
): Promise<string> {
  const headers = authorizationOf(target.credential, tools.clock)
  const response = await sendSubmit(tools.call, { method: 'POST', url: target.baseUrl + path, headers, json }, context)
  if (!isSuccess(response)) throw submitErrorOf(response)
  const data = objectIn(objectIn(response.json)['data'])
  const id = jobIdIn(data['task_id']) || jobIdIn(data['id'])
  if (id === '') throw new AcceptanceUnknown(`HTTP ${response.status} without an id`)
  return id
}

export function isSuccess({ status, json }: UpstreamResponse): boolean {
  return status === 200 && objectIn(json)['code'] === 0
}

export function readError({ json }: Pick<UpstreamResponse, 'json'>): UpstreamError {
  const { code, message } = objectIn(json)
  return { code: textIn(code), message: textIn(message), isPolicyViolation: code === 1300 || code === 1301 }
}

/**
 * 1302: too many requests. 1303: the number of running jobs has reached the limit of the purchased
 * resource package. The other codes with HTTP 429 are in `credentialCodes`.
 */
const throttledCodes = new Set([1302, 1303])
/** Codes that concern the key, the balance or the account's IP allow list. */
const credentialCodes = new Set([1000, 1001, 1002, 1003, 1004, 1100, 1101, 1102, 1304])
/** Codes for a missing permission for the model, an unknown path or an unknown model. */
const unavailableModelCodes = new Set([1103, 1202, 1203])
const inputCodes = new Set([1200, 1201])

function submitErrorOf(response: UpstreamResponse): Error {
  const upstreamError = readError(response)
  const detail = formatErrorDetail(response.status, upstreamError)
  const code = numberIn(upstreamError.code) ?? 0
  if (upstreamError.isPolicyViolation) return refusalError('content_policy', detail)
  if (throttledCodes.has(code)) return throttledError(response, detail)
  if (credentialCodes.has(code)) return unavailableError(response, detail, 'credential')
  if (unavailableModelCodes.has(code)) return unavailableError(response, detail)
  if (inputCodes.has(code)) return refusalError('invalid_input', detail)
  return code >= 5000 ? acceptanceUnknownError(response, detail) : classifyError(response, upstreamError)
}
