import pg from 'pg'
import type { Clock } from '../../src/lib/clock.ts'
import { openPostgresStore, type PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { KeptConnections } from './kept-connections.ts'
import { poolMax } from './open-test-store.ts'
import { newDatabase } from './test-database.ts'

/** A database with tables and no rows. */
export interface EmptiedDatabase extends AsyncDisposable {
  url: string
  /** Opens a store on connections that the next store uses too. */
  open(clock: Clock): Promise<PostgresStore>
  /** Returns the rows of a query, on such a connection. */
  rows: <Row extends pg.QueryResultRow>(sql: string) => Promise<Row[]>
  /** Ends every connection of an open store like a killed process. */
  crash(store: PostgresStore): Promise<void>
}

const freeDatabases: EmptiedDatabase[] = []

/**
 * Returns an unused database of this process, or creates one. Disposing a database empties it for
 * reuse, which takes a tenth of the time of a new one. Close all connections first.
 */
export async function emptiedDatabase(): Promise<EmptiedDatabase> {
  return freeDatabases.pop() ?? (await createEmptied())
}

async function createEmptied(): Promise<EmptiedDatabase> {
  const url = await newDatabase()
  const toEmpty = await statementsToEmpty(url)
  let connections = new KeptConnections(url, poolMax)
  const database: EmptiedDatabase = {
    url,
    open: (clock) => openPostgresStore({ connections, clock }),
    async rows<Row extends pg.QueryResultRow>(sql: string) {
      const client = await connections.connect()
      try {
        return (await client.query<Row>(sql)).rows
      } finally {
        await client.end()
      }
    },
    async crash(store) {
      await connections.keepNone()
      connections = new KeptConnections(url, poolMax)
      await store.crash()
    },
    async [Symbol.asyncDispose]() {
      await database.rows(toEmpty)
      freeDatabases.push(database)
    },
  }
  return database
}

/** Returns the statements that delete all rows of a new database except those of the migrations. */
async function statementsToEmpty(url: string): Promise<string> {
  await using client = await connect(url)
  const { rows: tables } = await client.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'",
  )
  const inserts: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ all: string | null }>(`select json_agg(t)::text as all from ${name} t`)
    const rowsJson = rows[0]?.all ?? null
    if (rowsJson !== null)
      inserts.push(`insert into ${name} select * from json_populate_recordset(null::${name}, ${pg.escapeLiteral(rowsJson)})`)
  }
  // Only such a session may delete rows that triggers protect. TRUNCATE would take several times as
  // long, because it creates new files for every table and index.
  return [
    'set session_replication_role = replica',
    ...tables.map(({ name }) => `delete from ${name}`),
    // ALTER SEQUENCE would create a new file for each sequence, too.
    'select setval(seqrelid, seqstart, false) from pg_sequence',
    ...inserts,
  ].join('; ')
}

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

/** Opens an empty store, on a database that later stores of this process reuse. */
export async function openEmptyStore(clock: Clock): Promise<PostgresStore> {
  const database = await emptiedDatabase()
  const store = await database.open(clock)
  const close = store[Symbol.asyncDispose].bind(store)
  return Object.assign(store, {
    async [Symbol.asyncDispose]() {
      await close()
      await database[Symbol.asyncDispose]()
    },
  })
}
