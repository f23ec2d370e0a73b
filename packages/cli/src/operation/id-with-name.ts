/** An id, which commands take, followed by the name that people know. */
export function idWithName(id: string, name: string): string {
  return `${id} (${name})`
}
