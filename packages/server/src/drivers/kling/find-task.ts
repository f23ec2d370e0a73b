import type { GenerationRequest, Operation } from '../driver.ts'
import { describeError } from '../upstream/describe-unusable.ts'
import { jobIdIn, listedJobId, numberIn, objectIn } from '../upstream/read-json.ts'
import { sendGet, isSuccess, readData, readError, type KlingConnection } from './envelope.ts'

/**
 * Finds a job by its `external_task_id`, the attempt's id, which the upstream accepts in place of
 * its own id.
 */
export async function findFirstGenerationTask(
  connection: KlingConnection,
  path: string,
  { attemptId }: GenerationRequest,
  signal: AbortSignal,
): Promise<Operation | null> {
  const response = await sendGet(connection, `${path}/${attemptId}`, signal)
  const upstreamError = readError(response)
  if (isSuccess(response)) {
    const id = jobIdIn(objectIn(objectIn(response.json)['data'])['task_id'])
    if (id === '') throw new Error('the look-up returned a task without a task_id')
    return { path, id }
  }
  const isAbsent = numberIn(upstreamError.code) === 1203 || /not (found|exist)|no such/i.test(upstreamError.message)
  if (isAbsent && response.status >= 400 && response.status < 500) return null
  throw new Error(`the look-up returned ${describeError(response, upstreamError, 'a code')}`)
}

export async function findSecondGenerationTask(
  connection: KlingConnection,
  { attemptId }: GenerationRequest,
  signal: AbortSignal,
): Promise<Operation | null> {
  const tasks = await readData(connection, `/tasks?external_task_ids=${attemptId}`, signal)
  if (!Array.isArray(tasks)) throw new Error('the response to the look-up has no list')
  return tasks.length === 0 ? null : { path: '/tasks', id: listedJobId(objectIn(tasks[0])['id']) }
}
