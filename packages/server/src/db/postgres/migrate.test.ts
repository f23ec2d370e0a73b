import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rowsOf } from '../../../test/postgres/postgres-server.ts'
import { hasPostgres, newUnmigratedDatabase } from '../../../test/postgres/test-database.ts'
import { ConnectionPool } from './connections.ts'
import { migrate } from './migrate.ts'

const folder = new URL('../../../migrations/postgres/', import.meta.url)

it.runIf(hasPostgres)(
  'a migration may take longer than the timeouts of the database role, and another process waits for it',
  async () => {
    const url = await newUnmigratedDatabase()
    const connections = new ConnectionPool(url, 1)
    const limitedUrl = new URL(url)
    const settings = ['statement_timeout=500', 'lock_timeout=400']
    const [version] = await rowsOf(url, "select current_setting('server_version_num')::int as number")
    // PostgreSQL 17 introduced this setting.
    if (Number(version?.['number']) >= 170_000) settings.push('transaction_timeout=600')
    limitedUrl.searchParams.set('options', settings.map((setting) => `-c ${setting}`).join(' '))
    const limitedConnections = new ConnectionPool(limitedUrl.href.replaceAll('+', '%20'), 1)
    const clients = await Promise.all([limitedConnections.connect(), limitedConnections.connect(), connections.connect()])
    const [first, second, preparing] = clients
    const slowTrigger = `
    create function sleep_first() returns event_trigger language plpgsql as $$ begin perform pg_sleep(1); end $$;
    create event trigger slow_migration on ddl_command_start when tag in ('CREATE TABLE') execute function sleep_first()`
    try {
      await preparing.query('create table migrations (number bigint primary key, name text not null)')
      const names = readdirSync(folder).toSorted()
      for (const name of names.slice(0, 29)) {
        await preparing.query(readFileSync(new URL(name, folder), 'utf8'))
        await preparing.query('insert into migrations values ($1, $2)', [Number(name.slice(0, 4)), name])
      }
      await preparing.query(slowTrigger)
      const results = await Promise.all([migrate(first), migrate(second)])
      expect(results.flatMap(({ applied }) => applied)).toEqual(names.slice(29))
    } finally {
      await Promise.all(clients.map((client) => client.end()))
    }
  },
)
