import { listedTaskReader } from '../upstream/listed-tasks.ts'
import { objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import type { ArkConnection } from './connection.ts'
import { tasksPath } from './videos.ts'

const readMs = 60_000

export async function readTask({ target, tools, headers }: ArkConnection, id: string, signal: AbortSignal): Promise<JsonObject> {
  const url = `${target.baseUrl}${tasksPath}/${encodeURIComponent(id)}`
  const answer = await tools.call({ method: 'GET', url, headers, signal })
  const task = objectIn(answer.json)
  if (answer.status !== 200 || textIn(task['status']) === '') throw new Error(`a poll was answered with HTTP ${answer.status}`)
  return task
}

/** Several tasks at once, from the list. */
export function taskReader(connection: ArkConnection): (id: string) => Promise<JsonObject> {
  const { target, tools, headers } = connection
  return listedTaskReader({
    readOne: (id) => readTask(connection, id, AbortSignal.timeout(readMs)),
    askForMany(ids) {
      const query = new URLSearchParams({ page_num: '1', page_size: String(ids.length), ...tierOf(connection) })
      for (const id of ids) query.append('filter.task_ids', id)
      const url = `${target.baseUrl}${tasksPath}?${query.toString()}`
      return tools.call({ method: 'GET', url, headers, signal: AbortSignal.timeout(readMs) })
    },
    isWhole: (task) => task['status'] !== 'succeeded' || textIn(objectIn(task['content'])['video_url']) !== '',
  })
}

/** The list shows the tasks of one tier, the default one unless it is named. */
export function tierOf({ target }: ArkConnection): Record<string, string> {
  const tier = textIn(target.extra['service_tier'])
  return tier === '' ? {} : { 'filter.service_tier': tier }
}
