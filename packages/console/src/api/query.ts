/** Builds a URL query from the values that are not null. */
export function queryOf(values: Readonly<Record<string, string | number | boolean | null | undefined>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
