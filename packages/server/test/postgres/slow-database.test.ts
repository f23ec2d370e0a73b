import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabaseProxy, type DatabaseProxy } from '../cuttable-proxy.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const tasksPath = '/v2/model-center/tasks'
const body = { model: 'imgA-5.0', prompt: 'a boat on a lake', simulate: { outcome: 'stuck' } }
const poolSize = 2
/** Number of connections: those of the pool, and one each for writing and listening. */
const connectionsMax = poolSize + 2

describe.runIf(hasPostgres)('a slow database', () => {
  let folder: string
  let url: string
  let proxy: DatabaseProxy
  let server: StartedServer
  let id: string

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-slow-'))
    url = await newDatabase()
    proxy = await openDatabaseProxy(url)
    server = await startServer(folder, { DATABASE_URL: proxy.url, DATABASE_POOL: String(poolSize) })
    id = ((await (await submit()).json()) as Task).id
  })
  afterEach(async () => {
    await server.kill()
    await proxy[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const submit = (): Promise<Response> => server.request('POST', tasksPath, body)
  async function countConnections(): Promise<number> {
    const countSql =
      "select count(*)::int as count from pg_stat_activity where application_name = 'framegate' and datname = current_database()"
    return (await rowsOf<{ count: number }>(url, countSql))[0]?.count ?? 0
  }

  async function expectRecovered(): Promise<void> {
    await vi.waitFor(async () => expect((await submit()).status).toBe(202), { timeout: 30_000 })
    await vi.waitFor(async () => expect((await server.request('GET', `${tasksPath}/${id}`)).status).toBe(200), {
      timeout: 30_000,
    })
    expect((await server.request('GET', tasksPath)).status).toBe(200)
    expect(await countConnections()).toBeLessThanOrEqual(connectionsMax)
    const check = await server.request('GET', '/admin/v1/credits/verify')
    expect(await check.json()).toMatchObject({ differences: 0, found: [] })
  }

  it('statements behind a lock time out, and clients get Retry-After', { timeout: 180_000 }, async () => {
    const locking = new pg.Client({ connectionString: url })
    await locking.connect()
    await locking.query('begin; lock table tasks in access exclusive mode')
    const firstStatus = statusOf(submit())
    // Either the write of the submit waits for the lock, or a statement of a worker that precedes it
    // on the same connection.
    const lockWaitSql =
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%write_batch%'"
    const waitingPids = await vi.waitUntil(
      async () => {
        const rows = await rowsOf<{ pid: number }>(url, lockWaitSql)
        return rows.length > 0 && rows.map(({ pid }) => pid)
      },
      { timeout: 30_000 },
    )
    const [polls, submits, lists] = await Promise.all([
      responsesTo(100, () => server.request('GET', `${tasksPath}/${id}`)),
      responsesTo(50, submit),
      // Both connections of the pool are in use.
      responsesTo(20, () => server.request('GET', tasksPath)),
    ])
    expect([polls, submits, lists]).toEqual([new Set(['503 later']), new Set(['503 later']), new Set(['503 later'])])
    // The service gives up the write, but its server process still waits for the lock. The database
    // must end it, or each further attempt would add another one.
    const oldWriteSql = `select pid from pg_stat_activity where pid in (${waitingPids.join()})`
    await vi.waitFor(async () => expect(await rowsOf(url, oldWriteSql)).toHaveLength(0), { timeout: 60_000 })
    await vi.waitFor(async () => expect(await countConnections()).toBeLessThanOrEqual(connectionsMax), { timeout: 30_000 })
    await locking.query('rollback')
    await locking.end()
    // The first submit is stored by now if it was in flight, or refused like the others if it was
    // queued behind a worker's statement.
    expect([202, 503]).toContain(await firstStatus)
    await expectRecovered()
  })

  it('statements over a stalled connection time out, and the connection recovers by itself', { timeout: 180_000 }, async () => {
    proxy.stall()
    const firstStatus = statusOf(submit())
    const polls = await responsesTo(100, () => server.request('GET', `${tasksPath}/${id}`))
    const submits = await responsesTo(50, submit)
    expect([polls, submits]).toEqual([new Set(['503 later']), new Set(['503 later'])])
    proxy.resume()
    // The first submit is stored by now if it was in flight, or refused like the others if it was
    // queued behind a worker's statement.
    expect([202, 503]).toContain(await firstStatus)
    await expectRecovered()
  })
})

/**
 * Returns the status of the response, or why there was none. The promise never rejects, so that a
 * test that fails before it awaits the promise reports no second error.
 */
async function statusOf(response: Promise<Response>): Promise<number | string> {
  return await response.then(({ status }) => status, String)
}

/**
 * Sends this many requests at once. Returns the distinct statuses of the responses, each with
 * `later` if the response has Retry-After.
 */
async function responsesTo(count: number, send: () => Promise<Response>): Promise<Set<string>> {
  const responses = await Promise.all(Array.from({ length: count }, send))
  return new Set(responses.map(({ status, headers }) => `${status} ${headers.has('retry-after') ? 'later' : ''}`))
}
