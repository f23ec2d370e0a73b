import { isObject } from '../../lib/is-object.ts'

/**
 * Functions that read JSON from an upstream. No field is guaranteed, and a value of the wrong type
 * counts as missing.
 */

export type JsonObject = Readonly<Record<string, unknown>>

export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Returns a text, or an empty text if the value is of another type. A number is converted to text,
 * because some upstreams write ids and codes as numbers.
 */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : ''
}

/** Returns a number, or the number in a text. Otherwise returns undefined. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
