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
  const fields = await fetchPage(cursor)
  if (!Array.isArray(fields.items)) throw notFromService()
  async function* iterate(): AsyncGenerator<Item> {
    yield* fields.items
    if (fields.next_cursor !== null) yield* await readPage(fetchPage, fields.next_cursor)
  }
  // The iterator is not enumerable, so that a printed page only shows the fields of the response.
  return Object.defineProperty(fields, Symbol.asyncIterator, { value: iterate }) as Page<Item>
}
