import { adminListParameters } from '@framegate/contract'
import { readQueryParameters } from '../../parameters/query-parameters.ts'
import { listOf } from '../../responses/list-text.ts'
import { numberOfCursor } from './number-of-cursor.ts'

/** Returns the requested page of an in-memory list. The cursor is the index of the next item. */
export function pageOf<Item, View>(query: unknown, readAll: () => readonly Item[], viewOf: (item: Item) => View) {
  const { limit, cursor } = readQueryParameters(query, adminListParameters)
  const start = numberOfCursor(cursor) ?? 0
  const allItems = readAll()
  const end = start + limit
  return listOf(allItems.slice(start, end).map(viewOf), end < allItems.length ? String(end) : null)
}
