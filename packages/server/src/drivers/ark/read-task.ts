import type { ReadOne } from '../upstream/batch-reads.ts'
import { describeUnusable } from '../upstream/describe-unusable.ts'
import { listedTaskReader } from '../upstream/listed-tasks.ts'
import { objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import type { ArkConnection } from './connection.ts'
import { tasksPath } from './videos.ts'

export async function readTask({ target, tools, headers }: ArkConnection, id: string, signal: AbortSignal): Promise<JsonObject> {
  const url = `${target.baseUrl}${tasksPath}/${encodeURIComponent(id)}`
  const response = await tools.call({ method: 'GET', url, headers, signal })
  const task = objectIn(response.json)
  if (response.status !== 200 || textIn(task['status']) === '')
    throw new Error(`the poll returned ${describeUnusable(response, 'a status')}`)
  return task
}

/** Returns a reader that combines reads of several tasks into one list request. */
export function taskReader(connection: ArkConnection): ReadOne<JsonObject> {
  const { target, tools, headers } = connection
  return listedTaskReader({
    readOne: (id, signal) => readTask(connection, id, signal),
    requestMany(ids, signal) {
      const query = new URLSearchParams({ page_num: '1', page_size: String(ids.length), ...tierQueryOf(connection) })
      for (const id of ids) query.append('filter.task_ids', id)
      const url = `${target.baseUrl}${tasksPath}?${query.toString()}`
      return tools.call({ method: 'GET', url, headers, signal })
    },
    isComplete: (task) => task['status'] !== 'succeeded' || textIn(objectIn(task['content'])['video_url']) !== '',
  })
}

/**
 * Query parameters that select a service tier, because a list contains the tasks of one tier only.
 * Without a parameter, the upstream lists the default tier.
 */
export function tierQueryOf({ target }: ArkConnection): Record<string, string> {
  const tier = textIn(target.extra['service_tier'])
  return tier === '' ? {} : { 'filter.service_tier': tier }
}
