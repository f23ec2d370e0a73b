import type { ServerSession } from '../connection/call-server.ts'

interface Page<Item> {
  items: Item[]
  next_cursor: string | null
}

const pageSize = 100

/** Reads all pages of a list of the operator's API. */
export async function everyPage<Item>(
  { client, call }: ServerSession,
  path: string,
  query: Record<string, string | undefined> = {},
): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | undefined; ;) {
    const page = await client.request<Page<Item>>({ method: 'GET', path, query: { ...query, limit: pageSize, cursor } }, call)
    items.push(...page.items)
    if (page.next_cursor === null) return items
    cursor = page.next_cursor
  }
}
