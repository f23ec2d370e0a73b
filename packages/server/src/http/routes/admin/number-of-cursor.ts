import { AppError } from '../../../lib/app-error.ts'

/**
 * Reads a cursor of the operator API, which is the number of a row or the index of an item. Returns
 * undefined if there is no cursor.
 */
export function numberOfCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor)
  throw new AppError('invalid_parameter', 'cursor must be the next_cursor of an earlier page.', { param: 'cursor' })
}
