import { sql, type Expression, type RawBuilder } from 'kysely'

/**
 * Inserts the row `id` with `write`, unless `existingRows` finds a row, such as one of the same
 * name. Returns the found row, or undefined after the insert. Another process may insert such a row
 * at the same time. The commit of `write` must therefore first lock a row that all such commits
 * lock, and then insert a `valueUnlessExists` into a column that does not allow null.
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

/** The value, or null if a row exists. Null makes the commit fail, with all of its statements. */
export function valueUnlessExists<Value extends string>(existingRows: Expression<unknown>, value: Value): RawBuilder<Value> {
  return sql<Value>`case when exists ${existingRows} then null else ${value} end`
}
