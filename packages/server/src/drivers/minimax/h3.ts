import type { GenerationRequest, Operation, PollOutcome, StartContext } from '../driver.ts'
import { contentList } from '../upstream/content-list.ts'
import type { ReadOne } from '../upstream/batch-reads.ts'
import { completedWithoutResult, formatErrorDetail, failedOutcome } from '../upstream/classify-error.ts'
import { listedTaskReader } from '../upstream/listed-tasks.ts'
import { refuseBeyondLimits, type ModelLimits } from '../upstream/model-limits.ts'
import { numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { applyOperatorOverrides, withoutRenamed, type Body } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { getJson, submitTask, type MinimaxConnection } from './connection.ts'
import { failureCodeOf, readError } from './read-error.ts'

const mebibyte = 1024 * 1024

// H3 uses the second generation of the API. A body has a list of contents, errors have their own
// HTTP statuses, and a completed task contains the URL of its file.

const commonLimits: ModelLimits = {
  parameters: [
    'prompt',
    'aspect_ratio',
    'resolution',
    'seconds',
    'first_frame',
    'last_frame',
    'reference_images',
    'reference_videos',
    'reference_audios',
    'watermark',
    // There is no field for audio, because the model always generates it.
    'audio',
  ],
  aspectRatios: ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'],
  firstFrameSetsRatio: true,
  referenceImagesMax: 9,
  referenceVideosMax: 3,
  referenceAudiosMax: 3,
  isReferenceExclusive: true,
  dataUriKinds: ['audio'],
  inputs: {
    video: {
      types: ['video/mp4', 'video/quicktime'],
      bytesMax: 50 * mebibyte,
      secondsMin: 2,
      secondsMax: 15,
      secondsTotalMax: 15,
      fpsMin: 24,
      fpsMax: 60,
    },
    audio: { types: ['audio/wav', 'audio/mpeg'], bytesMax: 15 * mebibyte, secondsMin: 2, secondsMax: 15, secondsTotalMax: 15 },
  },
}

const modelLimits: Readonly<Record<string, ModelLimits>> = {
  'MiniMax-H3': { ...commonLimits, seconds: { from: 4, to: 15 }, resolutions: ['768p', '2K'] },
  'MiniMax-H3-Max': { ...commonLimits, seconds: { from: 5, to: 15 }, resolutions: ['480p', '768p'] },
}

export function isH3({ model }: UpstreamTarget): boolean {
  return /^MiniMax-H\d/.test(model)
}

export function refuseH3(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  return refuseBeyondLimits(withoutRenamed(request, target), modelLimits[target.model] ?? commonLimits)
}

export async function startH3(
  connection: MinimaxConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  return submitTask(connection, '/v2/video_generation', await bodyOf(connection, request, context.signal), context)
}

async function bodyOf({ target, tools }: MinimaxConnection, request: GenerationRequest, signal: AbortSignal): Promise<Body> {
  const { parameters } = withoutRenamed(request, target)
  const { resolution, seconds, aspect_ratio, first_frame, watermark } = parameters
  const callback = tools.callbackUrl(request.attemptId)
  const ratio = first_frame === undefined ? aspect_ratio : 'adaptive'
  const body: Body = {
    model: target.model,
    content: await contentList(parameters, tools.files, signal),
    ...(resolution !== undefined && { resolution: resolution.toUpperCase() }),
    ...(seconds !== undefined && { duration: seconds }),
    ...(ratio !== undefined && { ratio }),
    ...(watermark !== undefined && { aigc_watermark: watermark }),
    // Only this model rewrites prompts and accepts this field.
    ...(target.model === 'MiniMax-H3-Max' && { extra: { prompt_expansion_mode: 'disabled' } }),
    ...(callback !== null && { callback_url: callback }),
  }
  return applyOperatorOverrides(body, target, request, tools.files, signal)
}

/**
 * The statuses are `queued`, `running`, `succeeded`, `failed`, `cancelled`, and in older
 * documentation `expired`. Any other status counts as running.
 */
export function outcomeOfH3(task: JsonObject): PollOutcome {
  const upstreamError = readError(task)
  switch (textIn(task['status'])) {
    case 'queued':
      return { state: 'queued' }
    case 'succeeded': {
      const url = textIn(objectIn(task['content'])['url'])
      const seconds = numberIn(objectIn(task['usage'])['total_seconds'])
      const cost = seconds === undefined ? undefined : { amount: seconds, unit: 'seconds' }
      if (url === '') return completedWithoutResult('the job succeeded without a file', cost)
      return {
        state: 'succeeded',
        outputs: [{ contentType: 'video/mp4', location: { url } }],
        ...(cost !== undefined && { cost }),
      }
    }
    case 'failed':
      return failedOutcome(failureCodeOf(upstreamError), formatErrorDetail(200, upstreamError))
    case 'expired':
      return failedOutcome('upstream_timeout', formatErrorDetail(200, { code: 'expired', message: upstreamError.message }))
    case 'cancelled':
      return failedOutcome('upstream_failed', 'the job was cancelled')
    default:
      return { state: 'running' }
  }
}

async function readTask(connection: MinimaxConnection, id: string, signal: AbortSignal): Promise<JsonObject> {
  const response = await getJson(connection, `/v2/query/video_generation/${encodeURIComponent(id)}`, signal)
  const task = objectIn(response['task'])
  if (textIn(task['status']) === '')
    throw new Error(`the poll returned no status (${formatErrorDetail(200, readError(response))})`)
  return task
}

/** Returns a reader that combines reads of several tasks into one list request. */
export function h3TaskReader(connection: MinimaxConnection): ReadOne<JsonObject> {
  const { target, tools, headers } = connection
  return listedTaskReader({
    readOne: (id, signal) => readTask(connection, id, signal),
    requestMany(ids, signal) {
      const query = new URLSearchParams({ page_num: '1', page_size: String(ids.length) })
      for (const id of ids) query.append('filter.task_ids', id)
      const url = `${target.baseUrl}/v2/query/video_generation?${query.toString()}`
      return tools.call({ method: 'GET', url, headers, signal })
    },
    isComplete: (task) => task['status'] !== 'succeeded' || textIn(objectIn(task['content'])['url']) !== '',
  })
}

const cancelTimeoutMs = 20_000

/**
 * Cancels only a queued task. For an ended task, the same request would delete the upstream's
 * record of it.
 */
export async function cancelH3(connection: MinimaxConnection, operation: Operation): Promise<void> {
  const { target, tools, headers } = connection
  const signal = AbortSignal.timeout(cancelTimeoutMs)
  try {
    const task = await readTask(connection, textIn(operation['id']), signal)
    if (task['status'] !== 'queued') return
    const url = `${target.baseUrl}/v2/video_generation/${encodeURIComponent(textIn(operation['id']))}`
    await tools.call({ method: 'DELETE', url, headers, signal })
  } catch {
    // Errors are ignored. The task then runs to its end.
  }
}
