import { isObject } from '../../lib/is-object.ts'

/**
 * Functions that read JSON from an upstream leniently: any field may be missing, and a value of the
 * wrong type counts as missing.
 */

export type JsonObject = Readonly<Record<string, unknown>>

export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Returns a string, or an empty one if the value has another type. Converts numbers, because some
 * upstreams return ids and codes as numbers.
 */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : ''
}

/** Returns a number, also from a numeric string. Otherwise undefined. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
