import type { ServerSession } from '../connection/call-server.ts'

interface Page<Item> {
  items: Item[]
  next_cursor: string | null
}

export interface ListRequest {
  path: string
  query?: Record<string, string | number | undefined>
  /** Maximum number of items. */
  limit: number
  /** Start position in the list. Default: the beginning. */
  cursor?: string | undefined
}

/** Items of a list, and the cursor of the next item. The cursor is null at the end of the list. */
export interface Items<Item> {
  items: Item[]
  nextCursor: string | null
}

const pageSizeMax = 100

/** Reads pages until it has the requested number of items or the list ends. */
export async function readItems<Item>(
  { client, call }: ServerSession,
  { path, query, limit, cursor }: ListRequest,
): Promise<Items<Item>> {
  const items: Item[] = []
  let nextCursor = cursor ?? null
  do {
    const page = { limit: Math.min(limit - items.length, pageSizeMax), cursor: nextCursor ?? undefined }
    const responsePage = await client.request<Page<Item>>({ method: 'GET', path, query: { ...query, ...page } }, call)
    items.push(...responsePage.items)
    nextCursor = responsePage.next_cursor
  } while (nextCursor !== null && items.length < limit)
  return { items, nextCursor }
}
