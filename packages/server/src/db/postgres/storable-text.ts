const neverStored = /\\u0000|\\ud[89a-f]/i

/**
 * Returns JSON text that PostgreSQL accepts. PostgreSQL stores neither the character 0 nor half a
 * surrogate pair.
 */
export function jsonOf(value: unknown): string {
  const text = JSON.stringify(value)
  if (!neverStored.test(text)) return text
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storable(part) : part))
}

export function storable<T>(value: T): T | string {
  return typeof value === 'string' && /[\0\ud800-\udfff]/.test(value) ? value.toWellFormed().replaceAll('\0', '\ufffd') : value
}
