import { Type, type Static, type TSchema, type TUnsafe } from 'typebox'

/** Makes a schema nullable with a `type` of two names, which is easier to read than a union. */
export function nullable<T extends TSchema & { type: string }>(schema: T): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] })
}
