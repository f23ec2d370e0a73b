const unstorable = /\\u0000|\\ud[89a-f]/i

/**
 * Returns JSON text that PostgreSQL accepts. PostgreSQL can store neither U+0000 nor an unpaired
 * surrogate.
 */
export function jsonOf(value: unknown): string {
  const text = JSON.stringify(value)
  if (!unstorable.test(text)) return text
  return JSON.stringify(value, (_key, entry: unknown) => (typeof entry === 'string' ? toStorable(entry) : entry))
}

export function toStorable<T>(value: T): T | string {
  return typeof value === 'string' && /[\0\ud800-\udfff]/.test(value) ? value.toWellFormed().replaceAll('\0', '\ufffd') : value
}
