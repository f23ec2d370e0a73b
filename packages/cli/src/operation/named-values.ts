import { InvalidArgumentError } from 'commander'

/** Parses a repeatable `name=value` option. */
export function namedValue(text: string, previousValues: Record<string, string> = {}): Record<string, string> {
  const separatorIndex = text.indexOf('=')
  if (separatorIndex > 0 && separatorIndex < text.length - 1)
    return { ...previousValues, [text.slice(0, separatorIndex)]: text.slice(separatorIndex + 1) }
  throw new InvalidArgumentError('It must be a name and a value, such as seed=options.seed.')
}

/**
 * Parses a repeatable `name=value` option. A value that is not valid JSON is a string.
 */
export function namedJson(text: string, previousValues: Record<string, unknown> = {}): Record<string, unknown> {
  const [name = '', value = ''] = Object.entries(namedValue(text))[0] ?? []
  return { ...previousValues, [name]: jsonOrText(value) }
}

/** Parses a repeatable `name=value` option with numeric values. */
export function namedNumber(text: string, previousValues: Record<string, number> = {}): Record<string, number> {
  const [name = '', value = ''] = Object.entries(namedValue(text))[0] ?? []
  return { ...previousValues, [name]: parseNumber(value) }
}

export function parseNumber(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new InvalidArgumentError('It must be a number.')
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
