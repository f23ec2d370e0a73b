import { sql } from 'kysely'
import { exportedTables } from '../src/db/export-lines.ts'
import type { Store } from '../src/db/store.ts'

/** Returns the names of the tables that contain one of the words. */
export async function tablesContaining(store: Pick<Store, 'database' | 'isShared'>, ...words: string[]): Promise<string[]> {
  const names = [...exportedTables.map(([name]) => name), ...(store.isShared ? ['writers'] : [])]
  const tables: string[] = []
  for (const name of names) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(store.database)
    const text = JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    if (words.some((word) => text.includes(word))) tables.push(name)
  }
  return tables
}
