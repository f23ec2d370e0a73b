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

/**
 * Returns the id that an upstream has assigned to a job, or an empty string if it has none. An id
 * that cannot be part of the path of a URL counts as missing, because the job could never be
 * polled: one with control characters or half of a surrogate pair, or with a part `.` or `..`.
 */
export function jobIdIn(value: unknown): string {
  const id = textIn(value)
  const isUsable = id.isWellFormed() && !/\p{Cc}/u.test(id) && !id.split('/').some((part) => part === '.' || part === '..')
  return isUsable ? id : ''
}

/** Returns the id of a job in a list of the upstream. Throws an error if it has none. */
export function listedJobId(value: unknown): string {
  const id = jobIdIn(value)
  if (id === '') throw new Error('the response to the look-up has a job without an id')
  return id
}
