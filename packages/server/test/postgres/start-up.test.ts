import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runFramegate } from '../../../cli/test/run-framegate.ts'
import { openDatabaseProxy } from '../cuttable-proxy.ts'
import { freePort } from '../free-port.ts'
import { startServer } from '../started-server.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres, newUnmigratedDatabase } from './test-database.ts'

describe.runIf(hasPostgres)('a start on PostgreSQL', () => {
  let cwd: string
  let url: string

  beforeEach(async () => {
    cwd = mkdtempSync(path.join(tmpdir(), 'framegate-start-'))
    url = await newUnmigratedDatabase()
  })
  afterEach(() => rmSync(cwd, { recursive: true, force: true }))

  const run = (args: string[], env: Record<string, string> = {}) =>
    runFramegate(args, { cwd, env: { DATABASE_URL: url, FRAMEGATE_PORT: '0', LOG_LEVEL: 'warn', ...env } })

  async function refusalOf(wrongUrl: string, env: Record<string, string> = {}): Promise<string> {
    const { exitCode, stdout, stderr } = await run(['serve'], { DATABASE_URL: wrongUrl, ...env })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).not.toMatch(/planted-secret|hush/)
    return stderr
  }

  it('a process accepts HTTP connections only after it has stored its bootstrap key', { timeout: 120_000 }, async () => {
    const firstServer = await startServer(path.join(cwd, 'data'), { DATABASE_URL: url })
    await firstServer.stop()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(
      'create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(2); return new; end $$',
    )
    await client.query('create trigger slow before insert or update on api_keys for each row execute function slow()')
    await client.end()

    const port = await freePort()
    const newKey = `fg_live_${'n'.repeat(43)}`
    const statuses = new Set<number>()
    const stopController = new AbortController()
    const requesting = (async () => {
      while (!stopController.signal.aborted) {
        const response = await fetch(`http://127.0.0.1:${port}/api/v2/model-center/tasks`, {
          headers: { authorization: `Bearer ${newKey}` },
        }).catch(() => null)
        if (response !== null) statuses.add(response.status)
        await sleep(20)
      }
    })()
    const settings = { DATABASE_URL: url, FRAMEGATE_BOOTSTRAP_KEY: newKey, FRAMEGATE_PORT: String(port) }
    const secondServer = await startServer(path.join(cwd, 'data'), settings)
    await sleep(500)
    stopController.abort()
    await requesting
    await secondServer.kill()
    expect([...statuses]).toEqual([200])
  })

  it.each(['migrate', 'serve'])(
    'framegate %s says that a transaction blocks a migration',
    { timeout: 120_000 },
    async (command) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const timestamps = 'applied_at timestamptz not null default now()'
      await client.query(`create table migrations (number bigint primary key, name text not null, ${timestamps})`)
      await client.query('begin')
      await client.query('lock table migrations in share mode')
      setTimeout(() => void client.query('commit'), 4_000)
      let output: string
      if (command === 'serve') {
        const server = await startServer(path.join(cwd, 'data'), { DATABASE_URL: url })
        output = server.log()
        await server.stop()
      } else {
        output = (await run(['migrate'])).stderr
      }
      await client.end()
      expect(output.match(/the migration 0001-tables.sql waits for the end of another transaction/gi)).toHaveLength(1)
    },
  )

  it('a failed start describes the database error in one sentence, without the password', { timeout: 120_000 }, async () => {
    const unreachableUrl = new URL(url)
    unreachableUrl.port = '9'
    expect(await refusalOf(unreachableUrl.href)).toContain('cannot be reached (ECONNREFUSED)')
    const unknownHost = new URL(url)
    unknownHost.hostname = 'database.invalid'
    expect(await refusalOf(unknownHost.href)).toMatch(/there is no host of that name|cannot be reached/)
    const unknownName = new URL(url)
    unknownName.pathname = '/not_there'
    expect(await refusalOf(unknownName.href)).toContain('does not exist on that server')
    expect(await refusalOf(`${url}?sslmode=verify-full`)).toContain('does not support TLS')
    expect(await refusalOf('mysql://u:hush@db/x')).toContain('must be the address of a PostgreSQL database')
    const otherServer = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1')
    await new Promise((resolve) => otherServer.once('listening', resolve))
    const { port } = otherServer.address() as AddressInfo
    expect(await refusalOf(`postgres://u:hush@127.0.0.1:${port}/x`)).toContain(`The database 127.0.0.1:${port}/x cannot be`)
    otherServer.close()
  })

  it.each([
    ['its store is opened', 'listen framegate'],
    ['the installation is read', 'insert into "brands"'],
    ['it joins the workers', 'pg_try_advisory_lock($1, $2)'],
    ['the first key is created', 'insert into "api_keys"'],
  ])('a start reports that the database became unavailable while %s', { timeout: 120_000 }, async (_when, statement) => {
    await using proxy = await openDatabaseProxy(url, statement)
    expect(await refusalOf(proxy.url, { LOG_LEVEL: 'fatal' })).toMatch(/^The connection to the database was lost during start-up/)
  })

  it(
    'a start with DATABASE_MIGRATE=command creates no tables, and framegate migrate creates them',
    { timeout: 120_000 },
    async () => {
      expect(await refusalOf(url, { DATABASE_MIGRATE: 'command' })).toMatch(/is missing \d+ migrations .* Run framegate migrate/)
      const firstMigration = await run(['migrate'])
      expect(firstMigration).toMatchObject({ exitCode: 0, stderr: '' })
      expect(firstMigration.stdout).toMatch(/^applied 0001-tables\.sql\napplied /)
      expect((await run(['migrate'])).stdout).toMatch(/is up to date\.\n$/)
      expect(JSON.parse((await run(['migrate', '--json'])).stdout)).toMatchObject({ applied: [], unknown: [] })
      const { stdout } = await runFramegate(['migrate'], { cwd })
      expect(stdout).toContain('so the service uses SQLite')
    },
  )

  it('many concurrent starts create the tables once, and a start on a database of a newer version works', async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => openTestStore(url)))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query('select number from migrations order by number')
    expect(rows.map(({ number }) => Number(number))).toEqual(rows.map((_, index) => index + 1))
    await client.query("insert into migrations (number, name) values (9999, '9999-of-the-future.sql')")
    await client.end()
    await (await openTestStore(url))[Symbol.asyncDispose]()
    expect((await run(['migrate'])).stdout).toContain('A newer version has applied further migrations: 9999-of-the-future.sql.')
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
  })
})
