export function idWithName(id: string, name: string): string {
  return `${id} (${name})`
}
