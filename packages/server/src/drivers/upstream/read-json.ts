import { isObject } from '../../lib/is-object.ts'

/**
 * Reads JSON from an upstream: no field is guaranteed, and a value of the wrong type counts as
 * absent.
 */

export type JsonObject = Readonly<Record<string, unknown>>

export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Empty if the value is not text. A number is returned as text, because some upstreams write ids
 * and codes as numbers.
 */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : ''
}

/** The number that a value is or that its text states; otherwise undefined. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
