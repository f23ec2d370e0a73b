import { sql, type RawBuilder } from 'kysely'

/**
 * Turns an array of rows into a table `r` of a statement. The rows are one parameter, so the text
 * of the statement does not depend on their number. Every engine must be able to store the texts in
 * the rows.
 */
export function jsonRows(
  isShared: boolean,
  rows: readonly object[],
  columns: Readonly<Record<string, 'bigint' | 'text'>>,
): RawBuilder<unknown> {
  const json = JSON.stringify(rows)
  const names = Object.keys(columns)
  if (isShared) {
    const typed = names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name] ?? 'text')}`)
    return sql`json_to_recordset(${json}::json) as r (${sql.join(typed)})`
  }
  const read = names.map((name) => sql`json_extract(value, ${sql.lit(`$.${name}`)}) as ${sql.ref(name)}`)
  return sql`(select ${sql.join(read)} from json_each(${json})) as r`
}
