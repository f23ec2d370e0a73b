import type { GenerationRequest, Operation, PollOutcome, StartContext, ProviderCost } from '../driver.ts'
import { contentList } from '../upstream/content-list.ts'
import {
  completedWithoutResult,
  AcceptanceUnknown,
  formatErrorDetail,
  failedOutcome,
  sendSubmit,
} from '../upstream/classify-error.ts'
import { jobIdIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import type { ArkConnection } from './connection.ts'
import { failureCodeOf, submitErrorOf, readError } from './read-error.ts'
import { videoModelOf } from './video-models.ts'

export const tasksPath = '/contents/generations/tasks'

export async function startVideo(
  connection: ArkConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const { target, tools, headers } = connection
  const json = await bodyOf(connection, request, context.signal)
  const response = await sendSubmit(tools.call, { method: 'POST', url: target.baseUrl + tasksPath, headers, json }, context)
  if (response.status !== 200) throw submitErrorOf(response)
  const id = jobIdIn(objectIn(response.json)['id'])
  if (id === '') throw new AcceptanceUnknown(`HTTP ${response.status} without an id`)
  return { id }
}

async function bodyOf({ target, tools }: ArkConnection, request: GenerationRequest, signal: AbortSignal): Promise<Body> {
  const { parameters } = withoutRenamed(request, target)
  const model = videoModelOf(target.model)
  const callback = tools.callbackUrl(request.attemptId)
  const ratio = model.firstFrameSetsRatio === true && parameters.first_frame !== undefined ? 'adaptive' : parameters.aspect_ratio
  const body: Body = {
    model: target.model,
    content: await contentList(parameters, tools.files, signal),
    ...(parameters.resolution !== undefined && { resolution: parameters.resolution }),
    ...(ratio !== undefined && { ratio }),
    ...(parameters.seconds !== undefined && { duration: parameters.seconds }),
    ...(parameters.seed !== undefined && { seed: parameters.seed }),
    ...(parameters.watermark !== undefined && { watermark: parameters.watermark }),
    // The model generates audio unless this field is false.
    ...(model.hasAudio && !('audio' in target.parameters) && { generate_audio: parameters.audio ?? false }),
    ...(callback !== null && { callback_url: callback }),
  }
  // The task list returns this tag, so a task can be found if its submit received no response.
  return { ...(await applyOperatorOverrides(body, target, request, tools.files, signal)), safety_identifier: request.attemptId }
}

/**
 * The statuses are `queued`, `running`, `succeeded`, `failed`, `cancelled` and `expired`. Any other
 * status counts as running.
 */
export function outcomeOf(task: JsonObject, request: GenerationRequest): PollOutcome {
  const upstreamError = readError(task)
  switch (textIn(task['status'])) {
    case 'queued':
      return { state: 'queued' }
    case 'succeeded':
      return succeededOutcome(task, request)
    case 'failed':
      return failedOutcome(failureCodeOf(upstreamError), formatErrorDetail(200, upstreamError))
    case 'expired':
      return failedOutcome('upstream_timeout', formatErrorDetail(200, { code: 'expired', message: upstreamError.message }))
    case 'cancelled':
      return failedOutcome('upstream_failed', formatErrorDetail(200, { code: 'cancelled', message: upstreamError.message }))
    default:
      return { state: 'running' }
  }
}

function succeededOutcome(task: JsonObject, { parameters }: GenerationRequest): PollOutcome {
  const url = textIn(objectIn(task['content'])['video_url'])
  const tokens = numberIn(objectIn(task['usage'])['total_tokens'])
  const cost: ProviderCost | undefined = tokens === undefined ? undefined : { amount: tokens, unit: 'tokens' }
  const seed = numberIn(task['seed'])
  const isSeedOfUpstream = parameters.seed === undefined && seed !== undefined && seed >= 0
  const outputs = url === '' ? [] : [{ contentType: 'video/mp4', location: { url }, ...(isSeedOfUpstream && { seed }) }]
  return succeededWith(outputs, cost) ?? completedWithoutResult('the job succeeded without a file', cost)
}
