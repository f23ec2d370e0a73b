import { createdAtMsOf } from '../../identity/task-id.ts'
import { NotAccepted, type GenerationRequest, type Operation, type StartContext } from '../driver.ts'
import { requestedParameters } from '../upstream/requested-parameters.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import {
  AcceptanceUnknown,
  formatErrorDetail,
  classifyError,
  sendSubmit,
  throttledError,
  type UpstreamError,
  type SubmitCall,
} from '../upstream/classify-error.ts'
import { jobIdIn, objectIn } from '../upstream/read-json.ts'
import { applyOperatorOverrides, withoutRenamed } from '../upstream/renamed-parameters.ts'
import { readError, tasksUrl, type FramegateConnection } from './connection.ts'

/**
 * Returns the request that submits a task. The attempt's id is the idempotency key, so a retry
 * returns the task that the first submit created.
 */
async function submitOf(
  { target, tools, headers }: FramegateConnection,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<SubmitCall> {
  const handledRequest = withoutRenamed(request, target)
  const unchangedNames = Object.fromEntries(requestedParameters(handledRequest.parameters).map((name) => [name, name]))
  const namedTarget = { ...target, parameters: { ...unchangedNames, ...target.parameters } }
  return {
    method: 'POST',
    url: tasksUrl(target),
    headers: { ...headers, 'idempotency-key': request.attemptId },
    json: await applyOperatorOverrides({ model: target.model }, namedTarget, request, tools.files, signal),
  }
}

export async function start(
  connection: FramegateConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const response = await sendSubmit(connection.tools.call, await submitOf(connection, request, context.signal), context)
  if (response.status < 300) return operationIn(response)
  const upstreamError = readError(response)
  const detail = formatErrorDetail(response.status, upstreamError)
  if (isBusy(upstreamError)) throw throttledError(response, detail)
  // The upstream's model lacks a parameter, or the task costs more than the `max_amount` of the
  // route. Another route may serve the request.
  if (upstreamError.code === 'unknown_parameter' || upstreamError.code === 'max_amount_exceeded')
    throw new NotAccepted('unsuitable', detail)
  throw classifyError(response, { ...upstreamError, isPolicyViolation: false })
}

/**
 * Whether the upstream is busy. Framegate documents that it accepts no task if it returns one of
 * these codes.
 */
function isBusy({ code }: Pick<UpstreamError, 'code'>): boolean {
  return code === 'overloaded' || code === 'no_route'
}

/**
 * Error codes that the upstream returns only for an unknown idempotency key. They show that no
 * earlier submit has created a task.
 */
const newTaskErrorCodes = new Set(['insufficient_credits', 'spending_limit_reached', 'too_many_tasks_in_flight'])
/**
 * Maximum age of an attempt whose submit is repeated. The upstream stores idempotency keys for a
 * day.
 */
const taskAgeMsMax = 23 * 3_600_000

/**
 * Sends the submit again. The upstream returns the task of the first submit, or creates the task if
 * the first submit did not arrive. `beforeSubmit` is not called, because `start` has already
 * recorded that the submit may have been sent. Throws if the attempt is nearly a day old, because
 * the repeated submit could then create a second task.
 */
export async function find(
  connection: FramegateConnection,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<Operation | null> {
  if (connection.tools.clock() - createdAtMsOf(request.attemptId) > taskAgeMsMax)
    throw new Error('the idempotency key of the submit may have expired')
  const response = await connection.tools.call({ ...(await submitOf(connection, request, signal)), signal })
  if (response.status < 300) return operationIn(response)
  const upstreamError = readError(response)
  if (newTaskErrorCodes.has(upstreamError.code)) return null
  const detail = `the repeated submit returned ${formatErrorDetail(response.status, upstreamError)}`
  throw response.status === 429 || isBusy(upstreamError) ? throttledError(response, detail) : new Error(detail)
}

function operationIn({ status, json }: UpstreamResponse): Operation {
  const id = jobIdIn(objectIn(json)['id'])
  if (id === '') throw new AcceptanceUnknown(`HTTP ${status} without an id`)
  return { id }
}
