import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runFramegate } from '../../../cli/test/run-framegate.ts'
import { exportedTables } from '../../src/db/export-lines.ts'
import { ConnectionPool } from '../../src/db/postgres/connections.ts'
import { importRows } from '../../src/db/postgres/import-rows.ts'
import { migrate } from '../../src/db/postgres/migrate.ts'
import { openSqliteStore } from '../../src/db/sqlite/sqlite-store.ts'
import { claimEmbedded, leaseMs, newAccount, newTask, resultOf } from '../../src/db/store-under-test.ts'
import type { EntryListQuery } from '../../src/db/ledger.ts'
import type { Store } from '../../src/db/store.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { grantBeyondLimit } from '../grant-beyond-limit.ts'
import { openTestStore } from './open-test-store.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newUnmigratedDatabase } from './test-database.ts'

const secondMs = 1_000
/**
 * Characters that end a line in some formats, characters that PostgreSQL does not store, and
 * unpaired surrogates.
 */
const awkwardText = 'a\u2028b\u2029c\u0085d\re\nf\0g\ud800h'

describe.runIf(hasPostgres)('an installation moved from SQLite to PostgreSQL', () => {
  let cwd: string
  let url: string
  const run = (args: string[], input = '') => runFramegate(args, { cwd, env: { DATABASE_URL: url }, input })

  beforeEach(async () => {
    cwd = mkdtempSync(path.join(tmpdir(), 'framegate-move-'))
    mkdirSync(path.join(cwd, 'data'))
    url = await newUnmigratedDatabase()
  })
  afterEach(() => rmSync(cwd, { recursive: true, force: true }))

  it(
    'an installation that moves from SQLite to PostgreSQL has all data and runs its waiting tasks',
    { timeout: 120_000 },
    async () => {
      const sqlite = await openSqliteStore({ dataDir: path.join(cwd, 'data'), clock: systemClock })
      const { accountNo, waitingId } = await fillStore(sqlite)
      const viewBefore = await readView(sqlite)
      await sqlite[Symbol.asyncDispose]()

      expect(await run(['export', 'moved.ndjson'])).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('82 tasks') })
      expect(statSync(path.join(cwd, 'moved.ndjson')).mode & 0o777).toBe(0o600)
      expect(await run(['export', 'moved.ndjson'])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('cannot be used'),
      })
      const text = readFileSync(path.join(cwd, 'moved.ndjson'), 'utf8')
      expect(text).not.toMatch(/[\u0085\u2028\u2029]/)
      // Unescaped, as other JSON encoders write them.
      const unescaped = text.replaceAll(/\\u(0085|202[89])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      expect(unescaped).not.toBe(text)
      const moved = await run(['import', '-'], unescaped)
      expect(moved).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('the ledger balances') })
      expect(await run(['import', 'moved.ndjson'])).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('is not empty'),
      })

      const postgres = await openTestStore(url)
      const viewAfter = await readView(postgres)
      expect(viewAfter).toEqual(toStorable(viewBefore))
      expect(viewAfter.books.differences).toEqual([])

      // Work that was started on the other engine continues on this one.
      const nextId = postgres.createTaskIds(postgres.clock)
      const repeated = newTask({ id: nextId(), accountNo, idempotency: { key: 'k', digest: 'd' } })
      expect(await postgres.accept(repeated)).toMatchObject({ kind: 'replayed' })
      const claims = await claimEmbedded(postgres, 20, leaseMs)
      const claimWithImages = claims.find(({ images }) => 'bytes' in images || images.text !== null)!
      await postgres.complete(claimWithImages, [resultOf(claimWithImages)], 10)
      expect((await claimEmbedded(postgres, 20, leaseMs)).map(({ id }) => id)).toContain(waitingId)
      expect(await postgres.accept(newTask({ id: nextId(), accountNo: 1 }))).toMatchObject({ kind: 'accepted' })
      await postgres.database
        .insertInto('slot_pools')
        .values({ kind: 'route', name: 'new', target: 'x', unconfirmed_max: null })
        .execute()
      expect((await postgres.readPools()).map(({ no, inFlight }) => [no, inFlight])).toEqual([
        [1, 2],
        [2, 2],
        [3, 0],
      ])
      expect(await postgres.grant(1, 5, 'again', { reference: 'welcome' })).toBe(false)
      expect((await postgres.verifyCredits()).differences).toEqual([])
      await postgres[Symbol.asyncDispose]()
    },
  )

  it('credits beyond the range of JavaScript numbers are moved exactly', { timeout: 120_000 }, async () => {
    const sqlite = await openSqliteStore({ dataDir: path.join(cwd, 'data'), clock: systemClock })
    const accountNo = await newAccount(sqlite, 'acct_one', 0)
    await grantBeyondLimit(sqlite, accountNo, [6_000_000_000_000_001n, 6_000_000_000_000_000n])
    await sqlite[Symbol.asyncDispose]()
    expect(await run(['export', 'moved.ndjson'])).toMatchObject({ exitCode: 0 })
    expect(await run(['import', 'moved.ndjson'])).toMatchObject({ exitCode: 0 })
    const balancesSql = 'select balance::text from accounts union all select balance_after::text from entries order by 1'
    expect(await rowsOf(url, balancesSql)).toEqual([
      { balance: '12000000000000001' },
      { balance: '12000000000000001' },
      { balance: '6000000000000001' },
    ])
  })

  it('an export whose lines arrive slowly is imported', async () => {
    const tables: Record<string, number> = Object.fromEntries(exportedTables.map(([table]) => [table, 0]))
    async function* slowLines() {
      yield JSON.stringify({ framegate_export: 1, made_at: 0 })
      await sleep(400)
      yield JSON.stringify(['settings', { name: 'a', value: 'b' }])
      yield JSON.stringify({ end: true, rows: { ...tables, settings: 1 } })
    }
    const connections = new ConnectionPool(url, 1)
    const client = await connections.connect()
    await migrate(client)
    // The limit of the service's connections is ten seconds.
    await client.query("set idle_in_transaction_session_timeout = '200ms'")
    try {
      expect(await importRows(client, slowLines(), 'The export')).toMatchObject({ settings: 1 })
    } finally {
      await client.end()
      await connections.end()
    }
  })

  it('the second of two imports into one database is rejected, because the database is not empty', async () => {
    const sqlite = await openSqliteStore({ dataDir: path.join(cwd, 'data'), clock: systemClock })
    await newAccount(sqlite, 'acct_one', 1_000)
    await sqlite[Symbol.asyncDispose]()
    await run(['export', 'moved.ndjson'])
    const lines = readFileSync(path.join(cwd, 'moved.ndjson'), 'utf8').trimEnd().split('\n')
    const { promise: laterImportEnded, resolve: endLaterImport } = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    async function* linesDuringLaterImport() {
      yield lines[0] ?? ''
      started.resolve()
      // The later import waits for this one, unless it fails first.
      await Promise.race([laterImportEnded, sleep(2_000)])
      yield* lines.slice(1)
    }
    const connections = new ConnectionPool(url, 1)
    const client = await connections.connect()
    await migrate(client)
    try {
      const firstImport = importRows(client, linesDuringLaterImport(), 'The export')
      await started.promise
      const laterImport = run(['import', 'moved.ndjson']).finally(endLaterImport)
      expect(await firstImport).toMatchObject({ accounts: 1 })
      expect(await laterImport).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The database is not empty') })
    } finally {
      await client.end()
      await connections.end()
    }
  })

  it('a service that is started during an import ends with an error that names the import', { timeout: 60_000 }, async () => {
    const tables: Record<string, number> = Object.fromEntries(exportedTables.map(([table]) => [table, 0]))
    const { promise: startEnded, resolve: endStart } = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    async function* linesDuringStart() {
      yield JSON.stringify({ framegate_export: 1, made_at: 0 })
      started.resolve()
      await startEnded
      yield JSON.stringify({ end: true, rows: tables })
    }
    const connections = new ConnectionPool(url, 1)
    const client = await connections.connect()
    await migrate(client)
    try {
      const importing = importRows(client, linesDuringStart(), 'The export')
      await started.promise
      const startedMs = performance.now()
      const start = await run(['serve', '--port', '0']).finally(endStart)
      expect(start).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(
          /^framegate import is writing to the database \S+\. Start the service again when the import has ended\.\n$/,
        ),
      })
      expect(performance.now() - startedMs).toBeLessThan(20_000)
      await importing
    } finally {
      await client.end()
      await connections.end()
    }
  })

  it(
    'an export file that is truncated, changed or of another kind is rejected, and none of its rows is imported',
    { timeout: 120_000 },
    async () => {
      const sqlite = await openSqliteStore({ dataDir: path.join(cwd, 'data'), clock: systemClock })
      await newAccount(sqlite, 'acct_one', 1_000)
      await sqlite[Symbol.asyncDispose]()
      expect(JSON.parse((await run(['export', 'moved.ndjson', '--json'])).stdout)).toMatchObject({ accounts: 1, entries: 1 })
      const text = readFileSync(path.join(cwd, 'moved.ndjson'), 'utf8')
      const lines = text.trimEnd().split('\n')
      const cases: [string, string][] = [
        [lines.slice(0, -1).join('\n'), 'is incomplete'],
        [lines.filter((line) => !line.startsWith('["entries"')).join('\n'), 'has 0 rows of entries, but its closing line says 1'],
        [text.replace('"balance":1000', '"balance":999'), 'does not balance'],
        [text.replace('"uploads":0,', ''), 'made by another version of Framegate: it lacks the table uploads'],
        ['hello', 'The export, line 1 is not JSON'],
        ['{"framegate_export":2}', 'line 1 is not the first line of an export of version 1'],
        [lines.with(2, lines[2]!.slice(0, -3)).join('\n'), 'The export, line 3 is not JSON'],
        [lines.with(2, '["accounts"]').join('\n'), 'The export, line 3 is not a row of a table'],
        [lines.with(2, '["moons",{"no":1}]').join('\n'), 'The export, line 3 has a row of the table moons'],
        [
          text.replace('"balance":1000', '"balance":"much"'),
          `The export, line ${lines.findIndex((line) => line.includes('"balance":1000')) + 1} has an invalid row of accounts: invalid input syntax`,
        ],
      ]
      for (const [input, expected] of cases) {
        expect(await run(['import', '-'], input)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(expected) })
      }
      const broken = path.join(cwd, 'broken.ndjson')
      writeFileSync(broken, lines.with(1, '[]').join('\n'))
      const refused = await run(['import', broken])
      expect(refused.stderr).toBe(
        `${broken}, line 2 is not a row of a table, so the file is not the output of framegate export.\n`,
      )
      expect((await run(['import', '-'], text)).exitCode).toBe(0)
    },
  )
})

/** Reads everything that clients and operators can see. */
async function readView(store: Store) {
  const accounts = await store.database.selectFrom('accounts').selectAll().orderBy('no').execute()
  const usage = accounts.map(async ({ no, id, balance, held }) => {
    const query: EntryListQuery = { accountNo: no, limit: 1_000 }
    return { id, balance, held, tasks: await store.list(query), entries: await store.listEntries(query) }
  })
  return {
    accounts: await Promise.all(usage),
    attempts: await store.database.selectFrom('task_attempts').selectAll().orderBy('task_no').orderBy('number').execute(),
    usage: await store.database.selectFrom('usage').selectAll().orderBy('account_no').orderBy('day').execute(),
    grants: await store.database.selectFrom('grants').selectAll().orderBy('no').execute(),
    brands: await store.database.selectFrom('brands').selectAll().orderBy('no').execute(),
    uploads: await store.database.selectFrom('uploads').selectAll().orderBy('no').execute(),
    pools: (await store.readPools()).toSorted((a, b) => a.no - b.no),
    books: await store.verifyCredits(),
  }
}

async function fillStore(store: Store): Promise<{ accountNo: number; waitingId: string }> {
  const nextId = store.createTaskIds(systemClock)
  const accountNo = await newAccount(store, 'acct_one', 1_000)
  const otherAccountNo = await newAccount(store, 'acct_two', 50)
  await store.grant(accountNo, 100, 'for a while', { expiresAtMs: Date.now() + 3_600 * secondMs, reference: 'welcome' })
  for (let i = 0; i < 80; i++) {
    await store.accept(
      newTask({
        id: nextId(),
        accountNo,
        priceMicroCredits: 2,
        parameters: JSON.stringify({ prompt: `päivä 🦊 ${awkwardText}` }),
      }),
    )
  }
  for (const kind of ['upstream', 'route'] as const) {
    await store.database.insertInto('slot_pools').values({ kind, name: kind, target: 'x', unconfirmed_max: null }).execute()
  }
  const pools = { route: { pool: 2, inFlightMax: 2 }, upstream: { pool: 1, inFlightMax: 2 } }
  const route = { route: 'upstream', snapshotNo: 1, limit: 10, deadlineMs: 60_000, pools }
  await store.claim([{ lane: 0, routes: [route] }], leaseMs)
  await store.changePool(1, { kind: 'pause', untilMs: Date.now() + 3_600 * secondMs, refusals: 2, condition: 'unavailable' })
  const claims = await claimEmbedded(store, 70, leaseMs)
  for (const [index, claim] of claims.entries()) {
    if (index % 3 === 0) await store.complete(claim, [resultOf(claim)], 1)
    if (index % 3 === 1) await store.fail(claim, { code: 'upstream_failed', message: awkwardText })
  }
  await store.grant(otherAccountNo, 1, awkwardText, { reference: awkwardText })
  await store.database
    .insertInto('uploads')
    .values({
      id: 'upload_1',
      account_no: otherAccountNo,
      size_bytes: 9,
      metadata: 'name YQ==',
      name: awkwardText,
      sha256: null,
      created_at: 1,
      expires_at: 2,
    })
    .execute()
  await store.database.updateTable('accounts').set({ name: awkwardText }).where('no', '=', otherAccountNo).execute()
  await store.database.updateTable('brands').set({ name: awkwardText }).execute()
  await store.database
    .updateTable('task_attempts')
    .set({ reason: awkwardText, detail: awkwardText })
    .where('ended_at', 'is not', null)
    .execute()
  await store.database
    .updateTable('accounts')
    .set({ tasks_in_flight_max: 1, over_limit: 'wait' })
    .where('no', '=', otherAccountNo)
    .execute()
  const images = { images: '{"first_frame":"x"}', idempotency: { key: 'k', digest: 'd' } }
  await store.accept(newTask({ id: nextId(), accountNo: otherAccountNo, ...images }))
  const waitingId = nextId()
  await store.accept(newTask({ id: waitingId, accountNo: otherAccountNo }))
  return { accountNo: otherAccountNo, waitingId }
}

/** Replaces null characters and unpaired surrogates with U+FFFD, as an import to PostgreSQL does. */
function toStorable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\ufffd') : part,
  )
}
