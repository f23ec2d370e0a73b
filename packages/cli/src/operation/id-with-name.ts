/** An id, as commands accept it, followed by the name that people know, in parentheses. */
export function idWithName(id: string, name: string): string {
  return `${id} (${name})`
}
