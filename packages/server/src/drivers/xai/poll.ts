import type { FailureCode } from '@framegate/contract'
import type { GenerationRequest, Operation, PollOutcome, ProviderCost } from '../driver.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { jsonOfPoll } from '../upstream/describe-unusable.ts'
import { completedWithoutResult, formatErrorDetail, failedOutcome } from '../upstream/classify-error.ts'
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { storedOutputs, succeededWith } from '../upstream/succeeded-with.ts'
import { policyPattern, readError, costIn, type XaiConnection } from './connection.ts'

/**
 * Polls a job. The HTTP status is checked before the body, because the response 202 for a running
 * job may have no body.
 */
export async function poll(
  connection: XaiConnection,
  operation: Operation,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const { target, tools, headers } = connection
  if (operation['results'] !== undefined || operation['result'] !== undefined) return outcomeOfStored(operation)
  const id = encodeURIComponent(textIn(operation['id']))
  const url = `${target.baseUrl}/${request.object === 'video' ? 'videos' : 'images'}/${id}`
  const response = await tools.call({ method: 'GET', url, headers, signal })
  const body = objectIn(response.json)
  if (response.status === 202) return runningOutcome(body)
  const upstreamError = readError(response)
  const { cost } = costIn(body)
  if (response.status === 400 && upstreamError.isPolicyViolation)
    return failedOutcome('content_policy', formatErrorDetail(400, upstreamError), cost)
  jsonOfPoll(response)
  if (body['status'] === 'failed') return failedOutcome(failureCodeOf(upstreamError), formatErrorDetail(200, upstreamError), cost)
  if (body['status'] === 'expired') return completedWithoutResult('the result has expired', cost)
  const outputs = request.object === 'video' ? [objectIn(body['video'])] : listIn(body['data']).map(objectIn)
  if (body['status'] === 'done' || (body['status'] === undefined && outputs.some(hasUrl))) return doneWith(outputs, request, cost)
  return runningOutcome(body)
}

function runningOutcome(body: JsonObject): PollOutcome {
  const progress = numberIn(body['progress'])
  return progress === undefined ? { state: 'running' } : { state: 'running', progress: Math.min(99, Math.max(0, progress)) }
}

/**
 * Returns the outcome of a finished job. It may have no result: the upstream charges for a
 * moderated output but returns no URL for it.
 */
function doneWith(files: readonly JsonObject[], { object }: GenerationRequest, cost: ProviderCost | undefined): PollOutcome {
  const allowedOutputs = files.filter((file) => file['respect_moderation'] !== false)
  if (files.length > 0 && allowedOutputs.length === 0)
    return failedOutcome('content_policy', 'the result was blocked by moderation', cost)
  const outputs = allowedOutputs.filter(hasUrl).map((file) => ({
    contentType: object === 'video' ? 'video/mp4' : textIn(file['mime_type']) || 'image/jpeg',
    location: { url: textIn(file['url']) } satisfies ResultLocation,
  }))
  const reason = textIn(allowedOutputs[0]?.['storage_error']) || 'the response has no result'
  return succeededWith(outputs, cost) ?? completedWithoutResult(reason, cost)
}

function hasUrl({ url }: JsonObject): boolean {
  return textIn(url) !== ''
}

/** Returns the outcome of a job whose images were in the response to the submit. */
function outcomeOfStored(operation: Operation): PollOutcome {
  const { amount, unit } = objectIn(operation['usage'])
  const costAmount = numberIn(amount)
  const cost = costAmount === undefined ? undefined : { amount: costAmount, unit: textIn(unit) }
  const outputs = storedOutputs(operation, 'image/jpeg')
  return succeededWith(outputs, cost) ?? completedWithoutResult('the response has no result', cost)
}

function failureCodeOf({ code, message }: { code: string; message: string }): FailureCode {
  if (policyPattern.test(message)) return 'content_policy'
  return code === 'invalid_argument' ? 'invalid_input' : 'upstream_failed'
}
