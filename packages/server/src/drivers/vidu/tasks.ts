import { createdAtMsOf } from '../../identity/task-id.ts'
import type { DriverOutput, GenerationRequest, Operation, PollOutcome } from '../driver.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { describeUnusable, jsonOfPoll } from '../upstream/describe-unusable.ts'
import { completedWithoutResult, failedOutcome } from '../upstream/classify-error.ts'
import { listIn, listedJobId, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import { failureCodeOf, type ViduConnection } from './connection.ts'

export async function pollTask(
  { target, tools, headers }: ViduConnection,
  { id }: Operation,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const url = `${target.baseUrl}/ent/v2/tasks/${encodeURIComponent(textIn(id))}/creations`
  const response = await tools.call({ method: 'GET', url, headers, signal })
  const task = jsonOfPoll(response, 'a state')
  switch (task['state']) {
    case 'created':
    case 'queueing':
      return { state: 'queued' }
    case 'success': {
      const credits = numberIn(task['credits'])
      const cost = credits === undefined ? undefined : { amount: credits, unit: 'credits' }
      return succeededWith(outputsOf(task, request), cost) ?? completedWithoutResult('the task has no creation', cost)
    }
    case 'failed': {
      const code = textIn(task['err_code'])
      return failedOutcome(failureCodeOf(code), code)
    }
    default:
      return { state: 'running' }
  }
}

function outputsOf(task: JsonObject, { object, parameters }: GenerationRequest): DriverOutput[] {
  const contentType = object === 'video' ? 'video/mp4' : 'image/png'
  return listIn(task['creations'])
    .map(objectIn)
    .map((creation) => (parameters.watermark === true && textIn(creation['watermarked_url'])) || textIn(creation['url']))
    .filter((url) => url !== '')
    .map((url) => ({ contentType, location: { url } satisfies ResultLocation }))
}

const pageSize = 100
const pagesMax = 20
/** Tolerance for an upstream whose clock is behind this machine's clock. */
const clockSkewMs = 60_000

/**
 * Searches the task list for the `payload` of the attempt's submit. The documentation does not
 * promise that listed tasks have a payload. Throws if a task with the same prompt has none, because
 * it is then unknown whether the job was started.
 */
export async function findTask(
  { target, tools, headers }: ViduConnection,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<Operation | null> {
  const createdFrom = new Date(createdAtMsOf(request.attemptId) - clockSkewMs).toISOString()
  let token = ''
  for (let page = 0; page < pagesMax; page++) {
    const query = new URLSearchParams({
      'created_at.from': createdFrom,
      'pager.pagesz': String(pageSize),
      ...(token === '' ? { 'pager.page': '0' } : { 'pager.page_token': token }),
    })
    const url = `${target.baseUrl}/ent/v2/tasks?${query.toString()}`
    const response = await tools.call({ method: 'GET', url, headers, signal, bytesMax: listBytesMax })
    const { tasks, next_page_token: nextPageToken } = objectIn(response.json)
    if (response.status !== 200 || !Array.isArray(tasks))
      throw new Error(`the list returned ${describeUnusable(response, 'tasks')}`)
    for (const task of listIn(tasks).map(objectIn)) {
      const payload = textIn(task['payload'])
      if (payload === request.attemptId) return { id: listedJobId(task['id']) }
      const hasSamePrompt = textIn(task['prompt']) === (request.parameters.prompt ?? '')
      if (payload === '' && hasSamePrompt)
        throw new Error('there is an identical task, but nothing shows which attempt started it')
    }
    token = textIn(nextPageToken)
    if (token === '' || tasks.length === 0) return null
  }
  throw new Error(`the job is not among the last ${pagesMax * pageSize} tasks`)
}

/** Maximum response size in bytes. Each task contains the images of its submit. */
const listBytesMax = 64 * 1024 * 1024

/**
 * Cancels a task. The upstream only cancels queued tasks. Never throws; the next poll shows whether
 * the task was cancelled.
 */
export async function cancelTask({ target, tools, headers }: ViduConnection, operation: Operation): Promise<void> {
  const id = textIn(operation['id'])
  const url = `${target.baseUrl}/ent/v2/tasks/${encodeURIComponent(id)}/cancel`
  await tools.call({ method: 'POST', url, headers, json: { id }, signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
}
