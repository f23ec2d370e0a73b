import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { batchParameters } from '../../src/db/postgres/batch-operations.ts'
import { ConnectionPool } from '../../src/db/postgres/connections.ts'
import { migrate } from '../../src/db/postgres/migrate.ts'
import { leaseMs } from '../../src/db/store-under-test.ts'
import { migrationsOf } from '../upgrades/fixture.ts'
import { describeUpgrades } from '../upgrades/upgrade.suite.ts'
import { findMiscountedSlots } from './miscounted-slots.ts'
import { findMiscountedTasks } from './miscounted-tasks.ts'
import { openTestStore } from './open-test-store.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newUnmigratedDatabase } from './test-database.ts'
import { untilWaiting } from './until-waiting.ts'

const folder = new URL('../../migrations/postgres/', import.meta.url)

describe.runIf(hasPostgres)('PostgreSQL', () => {
  describeUpgrades({
    name: 'PostgreSQL',
    fixtures: ['0.1.0.postgres.json'],
    async load(fixture) {
      const url = await newUnmigratedDatabase()
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(
        'create table migrations (number bigint primary key, name text not null, applied_at timestamptz not null default now())',
      )
      for (const { number, name, sql } of migrationsOf(fixture, folder)) {
        await client.query(sql)
        await client.query('insert into migrations (number, name) values ($1, $2)', [number, name])
      }
      for (const [table, { columns, rows }] of Object.entries(fixture.tables)) {
        // Migrations and triggers may have written rows. Ledger tables reject even a deletion of no
        // rows.
        const { rowCount } = await client.query(`select from ${table} limit 1`)
        if (rowCount !== 0) await client.query(`delete from ${table}`)
        const values = columns.map((_, index) => `$${index + 1}`)
        for (const row of rows) {
          await client.query(`insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`, row)
        }
      }
      const { rows: identities } = await client.query<{ table: string }>(
        `select table_name as table from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`,
      )
      for (const { table } of identities) {
        await client.query(`select setval(pg_get_serial_sequence('${table}', 'no'), max(no)) from ${table}`)
      }
      await client.end()
      async function openStore() {
        const store = await openTestStore(url)
        expect(await findMiscountedSlots((sql) => rowsOf(url, sql))).toEqual([])
        expect(await findMiscountedTasks((sql) => rowsOf(url, sql))).toEqual([])
        return store
      }
      return { environment: { DATABASE_URL: url }, openStore }
    },
  })

  it.each([25, 26, 29, 30, 31, 32])(
    'processes of a database at migration %i write without an error during the upgrade',
    async (migrationCount) => {
      const url = await newUnmigratedDatabase()
      const connections = new ConnectionPool(url, 1)
      const clients = await Promise.all([connections.connect(), connections.connect(), connections.connect()])
      const [migrating, running, waiting] = clients
      try {
        await migrating.query('create table migrations (number bigint primary key, name text not null)')
        for (const name of readdirSync(folder).toSorted().slice(0, migrationCount)) {
          await migrating.query(readFileSync(new URL(name, folder), 'utf8'))
          await migrating.query('insert into migrations values ($1, $2)', [Number(name.slice(0, 4)), name])
        }
        await running.query("insert into writers (id, batch, opened_at) values ('a', 0, 0), ('b', 0, 0)")
        await running.query("insert into slot_pools (kind, name, target) values ('upstream', 'a', 'a')")
        await running.query('begin')
        await running.query("select from writers where id = 'a' for update")
        const upgrade = migrate(migrating)
        await untilWaiting(running, 1)
        const waitingBatch = searchDue(waiting, 'b')
        await untilWaiting(running, 2)
        expect(await searchDue(running, 'a')).toMatchObject({ outcomes: [[0, { kind: 'due', pools: [{ inFlight: 0 }] }]] })
        await running.query('commit')
        expect(await waitingBatch).toMatchObject({ outcomes: [[0, { kind: 'due', pools: [{ inFlight: 0 }] }]] })
        expect((await upgrade).applied).toContain('0033-lowered-limits.sql')
      } finally {
        await Promise.all(clients.map((client) => client.end()))
      }
    },
  )

  it('processes write while a migration waits for a long transaction, such as pg_dump', async () => {
    const url = await newUnmigratedDatabase()
    const connections = new ConnectionPool(url, 1)
    const clients = await Promise.all([connections.connect(), connections.connect(), connections.connect()])
    const [migrating, running, reading] = clients
    try {
      await migrating.query('create table migrations (number bigint primary key, name text not null)')
      for (const name of readdirSync(folder).toSorted().slice(0, 31)) {
        await migrating.query(readFileSync(new URL(name, folder), 'utf8'))
        await migrating.query('insert into migrations values ($1, $2)', [Number(name.slice(0, 4)), name])
      }
      await running.query("insert into writers (id, batch, opened_at) values ('a', 0, 0)")
      await reading.query('begin')
      await reading.query('select from writers')
      const upgrade = migrate(migrating)
      await untilWaiting(running, 1)
      await running.query("set statement_timeout = '5s'")
      expect(await searchDue(running, 'a')).toMatchObject({ outcomes: [[0, { kind: 'due' }]] })
      await reading.query('commit')
      expect((await upgrade).applied).toContain('0032-counts-of-forwarded-requests.sql')
    } finally {
      await Promise.all(clients.map((client) => client.end()))
    }
  })
})

/** Writes a batch that searches for due tasks. */
async function searchDue(client: pg.Client, writer: string): Promise<unknown> {
  const { rows } = await client.query<{ result: string }>({
    text: 'select write_batch($1, 1, $2, $3, $4, $5, $6::json, $7::json, $8::json, $9::json, $10::json, $11::json) as result',
    values: [writer, ...batchParameters([{ kind: 'take_due', leaseMs, countMax: 10 }], null)],
  })
  return JSON.parse(rows[0]?.result ?? '')
}
