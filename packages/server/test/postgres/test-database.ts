import { inject } from 'vitest'
import { migrate } from '../../src/db/postgres/migrate.ts'
import { ConnectionPool } from '../../src/db/postgres/connections.ts'
import { createDatabase } from './postgres-server.ts'

let databases = 0
/** Name of a migrated database of this process, which is only copied. Null until the first use. */
let migrated: Promise<string> | null = null

/** Whether tests on PostgreSQL can run. If not, the test run reports why. */
export const hasPostgres = inject('postgresUrl') !== null

/**
 * Creates a database with all tables and no rows, and returns its URL. A copy takes a quarter of
 * the CPU time of the migrations, which have their own tests.
 */
export async function newDatabase(): Promise<string> {
  return create(await (migrated ??= createMigrated()))
}

/** Creates a database without tables, and returns its URL. */
export async function newUnmigratedDatabase(): Promise<string> {
  return create()
}

async function createMigrated(): Promise<string> {
  const url = await newUnmigratedDatabase()
  const client = await new ConnectionPool(url, 1).connect()
  await migrate(client)
  await client.end()
  return new URL(url).pathname.slice(1)
}

async function create(template?: string): Promise<string> {
  const url = inject('postgresUrl')
  if (url === null) throw new Error('there is no PostgreSQL server')
  databases += 1
  return createDatabase(url, `framegate_${process.pid}_${Date.now().toString(36)}_${databases}`, template)
}
