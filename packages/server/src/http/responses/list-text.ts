import type { List } from '@framegate/contract'

/** Creates a list response, whose format is the same at all endpoints. */
export function listOf<Item>(items: Item[], nextCursor: string | null): List<Item> {
  return { object: 'list', items, has_more: nextCursor !== null, next_cursor: nextCursor }
}

/** Creates a list response as JSON text, from items that are already JSON text. */
export function listText(items: readonly string[], nextCursor: string | null): string {
  return (
    `{"object":"list","items":[${items.join(',')}],` +
    `"has_more":${nextCursor !== null},"next_cursor":${JSON.stringify(nextCursor)}}`
  )
}
