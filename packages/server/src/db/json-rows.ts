import { sql, type RawBuilder } from 'kysely'

/**
 * SQL fragment that reads an array of rows as a table `r`. The rows are one parameter, so the SQL
 * does not depend on their number. Texts in the rows must be storable by both engines.
 */
export function jsonRows(
  isShared: boolean,
  rows: readonly object[],
  columns: Readonly<Record<string, 'bigint' | 'text'>>,
): RawBuilder<unknown> {
  const json = JSON.stringify(rows)
  const names = Object.keys(columns)
  if (isShared) {
    const typedColumns = names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name] ?? 'text')}`)
    return sql`json_to_recordset(${json}::json) as r (${sql.join(typedColumns)})`
  }
  const readColumns = names.map((name) => sql`json_extract(value, ${sql.lit(`$.${name}`)}) as ${sql.ref(name)}`)
  return sql`(select ${sql.join(readColumns)} from json_each(${json})) as r`
}
