import type { UpstreamResponse } from './call-upstream.ts'
import { batchReads, type ReadOne } from './batch-reads.ts'
import { listIn, objectIn, textIn, type JsonObject } from './read-json.ts'

export interface TaskRequests {
  /** Reads one task. Throws if that fails. */
  readOne: ReadOne<JsonObject>
  /** Requests a list of these tasks, `{"items": [task …]}`. */
  requestMany: (ids: readonly string[], signal: AbortSignal) => Promise<UpstreamResponse>
  /** Whether a list entry is as complete as the result of `readOne`. */
  isComplete: (task: JsonObject) => boolean
}

const idsMax = 50
const batchDelayMs = 20

/**
 * Reads tasks that are polled at about the same time with one list request. A task that is missing
 * or incomplete in the list is read individually, and its errors do not affect other tasks.
 */
export function listedTaskReader({ readOne, requestMany, isComplete }: TaskRequests): ReadOne<JsonObject> {
  async function readMany(ids: readonly string[], signal: AbortSignal): Promise<Map<string, PromiseSettledResult<JsonObject>>> {
    const listed = ids.length === 1 ? [] : await readList(ids, signal)
    const completeTasks = new Map(listed.filter(isComplete).map((task) => [textIn(task['id']), task]))
    const results = await Promise.allSettled(ids.map(async (id) => completeTasks.get(id) ?? (await readOne(id, signal))))
    return new Map(ids.flatMap((id, index) => (results[index] === undefined ? [] : [[id, results[index]] as const])))
  }

  /**
   * Returns the entries of the list. Rejects after HTTP 429 or without a response, because further
   * requests would fail too. After any other error, returns no entries, so that each task is read
   * individually.
   */
  async function readList(ids: readonly string[], signal: AbortSignal): Promise<JsonObject[]> {
    const { status, json } = await requestMany(ids, signal)
    if (status === 429) throw new Error('the task list returned HTTP 429')
    return status === 200 ? listIn(objectIn(json)['items']).map(objectIn) : []
  }

  const read = batchReads(readMany, { idsMax, batchDelayMs })
  return async (id, signal) => {
    const outcome = await read(id, signal)
    if (outcome?.status === 'fulfilled') return outcome.value
    throw outcome?.reason
  }
}
