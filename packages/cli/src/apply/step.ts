import type { IssuedApiKey } from '@framegate/contract'
import type { Asking } from '../connection/ask-server.ts'

export interface FieldChange {
  field: string
  /** Left out where there was nothing before. */
  before?: unknown
  after: unknown
}

/** One change of a plan. */
export interface Step {
  action: 'create' | 'change' | 'remove'
  kind: 'brand' | 'model' | 'account' | 'grant' | 'key' | 'price'
  /** As people call it, with what it belongs to. */
  name: string
  fields: FieldChange[]
  /** Done for all steps before any of them runs: gives up what another one takes. */
  prepare?: (asking: Asking) => Promise<void>
  /** Answers with the key that it has made, if it has. */
  run: (asking: Asking) => Promise<IssuedApiKey | undefined>
}

/** Something that is there, or will be once a step has run. */
export interface Handle {
  id: string | null
  name: string
}

export function idOf({ id, name }: Handle): string {
  if (id === null) throw new Error(`${name} is not there yet`)
  return encodeURIComponent(id)
}

/** For steps that make no key. */
export async function send(
  { client, call }: Asking,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<undefined> {
  await client.request({ method, path: `/admin/v1${path}`, ...(body && { body }) }, call)
  return undefined
}

const microCredits = 1_000_000
const setFields = new Set(['hosts', 'scopes', 'models'])

/** The fields that are declared and are otherwise; order does not matter in lists, credits count to the millionth. */
export function differences(names: readonly string[], declared: object, actual: object): FieldChange[] {
  return names.flatMap((field): FieldChange[] => {
    const after: unknown = Reflect.get(declared, field)
    const before: unknown = Reflect.get(actual, field)
    if (after === undefined || comparable(field, after) === comparable(field, before)) return []
    return [{ field, before, after }]
  })
}

/** The fields that are declared, of what is made. */
export function declaredFields(names: readonly string[], declared: object): FieldChange[] {
  return names.flatMap((field): FieldChange[] => {
    const after: unknown = Reflect.get(declared, field)
    return after === undefined ? [] : [{ field, after }]
  })
}

export function bodyOf(fields: readonly FieldChange[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ field, after }) => [field, after]))
}

function comparable(field: string, value: unknown): string {
  if (Array.isArray(value) && setFields.has(field)) return JSON.stringify([...value].map(String).sort())
  return JSON.stringify(typeof value === 'number' ? Math.round(value * microCredits) : (value ?? null))
}
