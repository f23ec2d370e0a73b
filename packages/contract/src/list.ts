import { Type } from 'typebox'
import { nullable } from './nullable.ts'

export interface List<T> {
  object: 'list'
  items: T[]
  has_more: boolean
  next_cursor: string | null
}

/** Schema of a list response. `items` may be a reference to a component of the OpenAPI document. */
export function listSchema(items: object, description: string) {
  return Type.Object(
    {
      object: Type.Literal('list'),
      items: Type.Unsafe<unknown[]>({ type: 'array', items }),
      has_more: Type.Boolean({ description: 'Whether there is another page.' }),
      next_cursor: nullable(Type.String({ description: 'The `cursor` of the next page. Null on the last page.' })),
    },
    { description },
  )
}
