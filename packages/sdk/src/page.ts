import { notFromService } from './framegate-error.ts'

/**
 * A page of a list, with the fields of the response. Iterating over it also requests all following
 * pages.
 */
export interface Page<Item> extends AsyncIterable<Item> {
  object: 'list'
  items: Item[]
  has_more: boolean
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null
}

type PageFields<Item> = Omit<Page<Item>, typeof Symbol.asyncIterator>

export async function readPage<Item>(
  fetchPage: (cursor?: string) => Promise<PageFields<Item>>,
  cursor?: string,
): Promise<Page<Item>> {
  async function fetchFields(cursor?: string): Promise<PageFields<Item>> {
    const fields = await fetchPage(cursor)
    if (!Array.isArray(fields.items)) throw notFromService()
    return fields
  }
  const firstFields = await fetchFields(cursor)
  async function* iterate(): AsyncGenerator<Item> {
    for (let fields = firstFields; ; fields = await fetchFields(fields.next_cursor)) {
      yield* fields.items
      // A response of another server may have no `next_cursor`.
      if (!fields.next_cursor) return
    }
  }
  // The iterator is not enumerable, so that a printed page only shows the fields of the response.
  return Object.defineProperty(firstFields, Symbol.asyncIterator, { value: iterate }) as Page<Item>
}
