import { readInteger, type QueryParameters } from './query-parameters.ts'

const pageLengthMax = 100
const pageLengthDefault = 20

export const pageParameters = ['limit', 'cursor'] as const

export function readPageLength(parameters: QueryParameters): number {
  return readInteger(parameters, 'limit', 1, pageLengthMax) ?? pageLengthDefault
}

/** A list as every endpoint answers it, from items that are JSON already. */
export function listText(items: readonly string[], nextCursor: string | null): string {
  return (
    `{"object":"list","items":[${items.join(',')}],` +
    `"has_more":${nextCursor !== null},"next_cursor":${JSON.stringify(nextCursor)}}`
  )
}
