import { sql, type RawBuilder } from 'kysely'

/**
 * Returns an SQL fragment that reads an array of rows as a table `r`. The rows are one parameter,
 * so the SQL does not depend on their number. PostgreSQL must be able to store the texts in the
 * rows (`storable-text.ts`).
 */
export function jsonRows(
  isPostgres: boolean,
  rows: readonly object[],
  columns: Readonly<Record<string, 'bigint' | 'text'>>,
): RawBuilder<unknown> {
  const json = JSON.stringify(rows)
  const names = Object.keys(columns)
  if (isPostgres) {
    const typedColumns = names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name] ?? 'text')}`)
    return sql`json_to_recordset(${json}::json) as r (${sql.join(typedColumns)})`
  }
  const readColumns = names.map((name) => sql`json_extract(value, ${sql.lit(`$.${name}`)}) as ${sql.ref(name)}`)
  return sql`(select ${sql.join(readColumns)} from json_each(${json})) as r`
}
