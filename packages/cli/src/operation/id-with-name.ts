/** An id, which commands take, with the name by which people know it. */
export function idWithName(id: string, name: string): string {
  return `${id} (${name})`
}
