/** An id followed by the display name in parentheses. */
export function idWithName(id: string, name: string): string {
  return `${id} (${name})`
}
