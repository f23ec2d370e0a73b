import pg from 'pg'
import { describe, expect } from 'vitest'
import { migrationsOf } from '../upgrades/fixture.ts'
import { describeUpgrades } from '../upgrades/upgrade.suite.ts'
import { findMiscountedSlots } from './miscounted-slots.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const folder = new URL('../../migrations/postgres/', import.meta.url)

describe.runIf(hasPostgres)('PostgreSQL', () => {
  describeUpgrades({
    name: 'PostgreSQL',
    fixtures: ['0.1.0.postgres.json'],
    async load(fixture) {
      const url = await newDatabase()
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
        expect(await findMiscountedSlots(url)).toEqual([])
        return store
      }
      return { environment: { DATABASE_URL: url }, openStore }
    },
  })
})
