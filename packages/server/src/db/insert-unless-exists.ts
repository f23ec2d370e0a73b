import { sql, type Expression, type RawBuilder } from 'kysely'

/**
 * Inserts the row `id` with `write`, unless `existingRows` finds a conflicting row, for example one
 * with the same name. Returns the conflicting row. Undefined: the row was inserted.
 *
 * Another process may insert a conflicting row between the search and the insert. The transaction
 * of `write` must therefore first lock a row that all of these transactions lock. It must then
 * insert a `valueUnlessExists` into a column that does not allow null.
 */
export async function insertUnlessExists<Row extends { id: string }>(
  existingRows: { executeTakeFirst: () => Promise<Row | undefined> },
  id: string,
  write: () => Promise<unknown>,
): Promise<Row | undefined> {
  const existingRow = await existingRows.executeTakeFirst()
  if (existingRow !== undefined) return existingRow
  try {
    await write()
    return undefined
  } catch (error) {
    const concurrentRow = await existingRows.executeTakeFirst()
    if (concurrentRow === undefined || concurrentRow.id === id) throw error
    return concurrentRow
  }
}

/**
 * SQL expression for the value, or for null if one of `existingRows` exists. Inserting null into a
 * column that does not allow it makes the whole transaction fail.
 */
export function valueUnlessExists<Value extends string>(existingRows: Expression<unknown>, value: Value): RawBuilder<Value> {
  return sql<Value>`case when exists ${existingRows} then null else ${value} end`
}
