/** A list as every endpoint answers it, from items that are JSON already. */
export function listText(items: readonly string[], nextCursor: string | null): string {
  return (
    `{"object":"list","items":[${items.join(',')}],` +
    `"has_more":${nextCursor !== null},"next_cursor":${JSON.stringify(nextCursor)}}`
  )
}
