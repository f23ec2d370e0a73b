import type { GenerationRequest, Operation } from '../driver.ts'
import { listIn, listedJobId, numberIn, objectIn, textIn } from '../upstream/read-json.ts'
import { describeUnusable } from '../upstream/describe-unusable.ts'
import type { ArkConnection } from './connection.ts'
import { tierQueryOf } from './read-task.ts'
import { tasksPath } from './videos.ts'

const pageSize = 500
const pagesMax = 20

/**
 * Finds the task of an attempt by its tag, `safety_identifier`, in the list of tasks of the last
 * seven days. Ark's documentation does not promise that every region returns tags, so an untagged
 * task may be the one of the attempt. Throws if no listed task has the tag of the attempt, but some
 * tasks have no tag or the list is incomplete.
 */
export async function findVideo(
  connection: ArkConnection,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<Operation | null> {
  let seenCount = 0
  let untaggedCount = 0
  for (let page = 1; page <= pagesMax; page++) {
    const { items, total } = await readPage(connection, page, signal)
    const taggedTask = items.find((item) => item['safety_identifier'] === request.attemptId)
    if (taggedTask !== undefined) return { id: listedJobId(taggedTask['id']) }
    untaggedCount += items.filter((item) => textIn(item['safety_identifier']) === '').length
    seenCount += items.length
    if (seenCount < total && items.length > 0) continue
    if (seenCount < total) throw new Error(`the task list contained ${seenCount} of ${total} tasks`)
    if (untaggedCount > 0)
      throw new Error(`${untaggedCount} of ${seenCount} tasks have no tag, and any of them may be the task in question`)
    return null
  }
  throw new Error(`the list of tasks is longer than ${pagesMax} pages`)
}

async function readPage(connection: ArkConnection, page: number, signal: AbortSignal) {
  const { target, tools, headers } = connection
  const query = new URLSearchParams({ page_num: String(page), page_size: String(pageSize), ...tierQueryOf(connection) })
  const response = await tools.call({ method: 'GET', url: `${target.baseUrl}${tasksPath}?${query.toString()}`, headers, signal })
  const { items, total } = objectIn(response.json)
  const count = numberIn(total)
  if (response.status !== 200 || !Array.isArray(items) || count === undefined) {
    throw new Error(`the task list returned ${describeUnusable(response, Array.isArray(items) ? 'a total' : 'items')}`)
  }
  return { items: listIn(items).map(objectIn), total: count }
}
