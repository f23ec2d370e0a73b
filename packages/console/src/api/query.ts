/** Builds a URL query with its question mark. Omits values that are null, undefined or empty. */
export function queryOf(values: Readonly<Record<string, string | number | boolean | null | undefined>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
