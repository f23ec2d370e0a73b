import { Type, type Static, type TSchema, type TUnsafe } from 'typebox'

/** The schema, or null, as one `type` with two names: easier to read than a union. */
export function nullable<T extends TSchema & { type: string }>(schema: T): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] })
}
