import type { IssuedApiKey } from '@framegate/contract'
import type { ServerSession } from '../connection/call-server.ts'

export interface FieldChange {
  field: string
  /** Undefined if there was no previous value. */
  before?: unknown
  after: unknown
}

export interface Step {
  action: 'create' | 'change' | 'remove'
  kind: 'brand' | 'model' | 'account' | 'grant' | 'key' | 'price'
  /** Display name of the object, including its owner. */
  name: string
  fields: FieldChange[]
  /** Returns the created key, if any. */
  run: (session: ServerSession) => Promise<IssuedApiKey | undefined>
}

/** An object that exists, or that a step will create. `id` is null until then. */
export interface Handle {
  id: string | null
  name: string
}

/** Returns the id of an object for a URL path. Throws if the object does not exist yet. */
export function requireId({ id, name }: Handle): string {
  if (id === null) throw new Error(`${name} does not exist yet`)
  return encodeURIComponent(id)
}

/** Sends the request of a step that creates no key. */
export async function send(
  { client, call }: ServerSession,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<undefined> {
  await client.request({ method, path: `/admin/v1${path}`, ...(body && { body }) }, call)
  return undefined
}

const microCreditsPerCredit = 1_000_000
const unorderedFields = new Set(['hosts', 'scopes', 'models'])

/**
 * Returns the declared fields that differ from the actual ones. Ignores the order of `hosts`,
 * `scopes` and `models`, and differences of numbers below a millionth.
 */
export function differences(names: readonly string[], declared: object, actual: object): FieldChange[] {
  return names.flatMap((field): FieldChange[] => {
    const declaredValue: unknown = Reflect.get(declared, field)
    const actualValue: unknown = Reflect.get(actual, field)
    if (declaredValue === undefined || toComparable(field, declaredValue) === toComparable(field, actualValue)) return []
    return [{ field, before: actualValue, after: declaredValue }]
  })
}

/** Returns the declared fields of a new object. */
export function declaredFields(names: readonly string[], declared: object): FieldChange[] {
  return names.flatMap((field): FieldChange[] => {
    const declaredValue: unknown = Reflect.get(declared, field)
    return declaredValue === undefined ? [] : [{ field, after: declaredValue }]
  })
}

export function bodyOf(fields: readonly FieldChange[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ field, after }) => [field, after]))
}

function toComparable(field: string, value: unknown): string {
  if (Array.isArray(value) && unorderedFields.has(field)) return JSON.stringify([...value].map(String).sort())
  return JSON.stringify(typeof value === 'number' ? Math.round(value * microCreditsPerCredit) : (value ?? null))
}
