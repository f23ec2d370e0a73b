import { batchReads, type ReadOne } from '../upstream/batch-reads.ts'
import { describeError } from '../upstream/describe-unusable.ts'
import { listIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { sendGet, isSuccess, readError, type KlingConnection } from './envelope.ts'

const idsMax = 20
const batchDelayMs = 20

/** Returns a reader that combines polls of second-generation jobs into one request. */
export function taskReader(connection: KlingConnection): ReadOne<JsonObject | undefined> {
  return batchReads((ids, signal) => readTasks(connection, ids, signal), { idsMax, batchDelayMs })
}

async function readTasks(
  connection: KlingConnection,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, JsonObject>> {
  const query = ids.map((id) => encodeURIComponent(id)).join(',')
  const response = await sendGet(connection, `/tasks?task_ids=${query}`, signal)
  if (isSuccess(response)) {
    const tasks = listIn(objectIn(response.json)['data']).map(objectIn)
    return new Map(tasks.map((task) => [textIn(task['id']), task]))
  }
  if (response.status !== 400) throw new Error(describeError(response, readError(response), 'a code'))
  // The documentation does not say how many ids a request may have, or whether one wrong id fails
  // the request. After an error, each half of the ids is therefore requested again.
  if (ids.length === 1) return new Map()
  const middle = Math.ceil(ids.length / 2)
  const [left, right] = await Promise.all([
    readTasks(connection, ids.slice(0, middle), signal),
    readTasks(connection, ids.slice(middle), signal),
  ])
  return new Map([...left, ...right])
}
