import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { changeAccount } from '../../src/auth/accounts.ts'
import { createApiKeys } from '../../src/auth/api-keys.ts'
import { ConnectionPool, destroyConnection } from '../../src/db/postgres/connections.ts'
import { claimEmbedded } from '../../src/db/store-under-test.ts'
import type { Claim } from '../../src/db/task-queue.ts'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { StoreUnavailable } from '../../src/db/store-unavailable.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { testEngine } from '../test-engine.ts'
import { openHttpService, type TestAccount } from '../http-service.ts'
import { openTestStore } from './open-test-store.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

describe.runIf(hasPostgres)('notifications between the processes of an installation', () => {
  let url: string
  let openedStores: PostgresStore[]
  const warnings: Error[] = []
  const recordWarning = (warning: Error) => warnings.push(warning)
  beforeAll(() => process.on('warning', recordWarning))
  // pg warns about deprecated usage only once per process, in whichever test comes first.
  afterAll(() => {
    process.off('warning', recordWarning)
    expect(warnings).toEqual([])
  })
  beforeEach(async () => {
    url = await newDatabase()
    openedStores = []
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const store of openedStores) await store[Symbol.asyncDispose]()
  })

  async function openStore(): Promise<PostgresStore> {
    const store = await openTestStore(url)
    openedStores.push(store)
    return store
  }

  it('each process knows the number of workers and its own position', async () => {
    const [first, second, third] = [await openStore(), await openStore(), await openStore()]
    await first.joinWorkers()
    expect(first.workers).toEqual({ count: 1, rank: 0 })
    await second.joinWorkers()
    await vi.waitFor(() => expect(first.workers.count).toBe(2), { timeout: 10_000 })
    expect(new Set([first.workers.rank, second.workers.rank])).toEqual(new Set([0, 1]))
    expect(third.workers).toEqual({ count: 1, rank: 0 })
    await first[Symbol.asyncDispose]()
    await vi.waitFor(() => expect(second.workers).toEqual({ count: 1, rank: 0 }), { timeout: 10_000 })
  })

  it('a process finds the running processes that store media elsewhere, but not those that have ended', async () => {
    const [first, second, third] = [await openStore(), await openStore(), await openStore()]
    expect(await first.joinMediaStore(1)).toEqual([])
    expect(await second.joinMediaStore(1)).toEqual([])
    expect(await third.joinMediaStore(2)).toEqual(['127.0.0.1'])
    await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()])
    await vi.waitFor(async () => expect(await third.joinMediaStore(2)).toEqual([]), { timeout: 10_000 })
    // The refused calls have left no lock behind.
    const fourth = await openStore()
    expect(await fourth.joinMediaStore(2)).toEqual([])
  })

  it('joining a media store fails while the process cannot query the other processes', async () => {
    const [first, second] = [await openStore(), await openStore()]
    expect(await first.joinMediaStore(1)).toEqual([])
    await rowsOf(
      inject('postgresUrl') ?? '',
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}'`,
    )
    await expect(second.joinMediaStore(2)).rejects.toBeInstanceOf(StoreUnavailable)
    // Both have connected again.
    await vi.waitFor(async () => expect(await second.joinMediaStore(2)).toEqual(['127.0.0.1']), { timeout: 10_000 })
  })

  it('a worker whose connection is lost again while it reconnects counts as one worker', async () => {
    const connect = Reflect.get(ConnectionPool.prototype, 'connect')
    let lossesLeft = 0
    let listening: pg.Client | undefined
    vi.spyOn(ConnectionPool.prototype, 'connect').mockImplementation(function (this: ConnectionPool, prepare) {
      return connect.call(this, async (client) => {
        client.on('notification', () => (listening = client))
        const query = client.query.bind(client) as (...parameters: unknown[]) => unknown
        vi.spyOn(client, 'query').mockImplementation((...parameters: unknown[]) => {
          const result = query(...parameters)
          if (parameters[0] === 'select pg_try_advisory_lock($1, $2)' && lossesLeft-- > 0) destroyConnection(client)
          return result as never
        })
        await prepare?.(client)
      })
    })
    const store = await openStore()
    await store.joinWorkers()
    await vi.waitFor(() => expect(listening).toBeDefined(), { timeout: 10_000 })
    lossesLeft = 1
    destroyConnection(listening!)
    await vi.waitFor(() => expect(lossesLeft).toBeLessThanOrEqual(0), { timeout: 10_000 })
    await setTimeout(1_000)
    const other = await openStore()
    await other.joinWorkers()
    expect(other.workers.count).toBe(2)
  })

  it('a callback of an upstream reaches the worker of the attempt from any process', async () => {
    const [notified, working] = [await openStore(), await openStore()]
    const received: string[] = []
    working.onAttemptNotified((attemptId) => received.push(attemptId))
    for (let number = 1; number <= 250; number++) notified.notifyAttempt(`task_01_${number}`)
    await vi.waitFor(() => expect(received).toHaveLength(250), { timeout: 10_000 })
    expect(new Set(received).size).toBe(250)
  })

  it('a long poll returns no result if another process has revoked its key or suspended its account', async () => {
    testEngine.open = (_dataDir, clock) => openTestStore(url, clock)
    await using service = await openHttpService()
    const thirdStore = await openStore()
    await using keysElsewhere = await createApiKeys(thirdStore, systemClock)
    const ends: [status: number, end: (account: TestAccount) => Promise<unknown>][] = [
      [401, ({ keyId }) => keysElsewhere.revokeKey(keyId)],
      [403, ({ accountId }) => changeAccount(thirdStore, accountId, { status: 'suspended' })],
    ]
    for (const [status, end] of ends) {
      const account = await service.newAccount(1, ['tasks:read', 'tasks:write'])
      const tasksPath = '/v2/model-center/tasks'
      const body = { model: 'imgA-5.0', prompt: 'x' }
      const { id } = (await service.request('POST', tasksPath, { body, key: account.key })).json
      await service.startAll()
      const pending = service.request('GET', `${tasksPath}/${id}?wait=30`, { key: account.key })
      await setTimeout(200)
      expect(await end(account)).toBe(true)
      await vi.waitFor(
        async () => {
          expect((await service.request('GET', '/v2/credits', { key: account.key })).status).toBe(status)
        },
        { timeout: 10_000 },
      )
      await service.complete(id)
      const response = await pending
      expect(response.status).toBe(status)
      expect(response.text).not.toContain('result_url')
    }
  })

  it('a change of status or progress by another process ends a long poll', async () => {
    watchLostMessages(false)
    testEngine.open = (_dataDir, clock) => openTestStore(url, clock)
    await using service = await openHttpService()
    const workerStore = await openStore()
    const tasksPath = '/v2/model-center/tasks'
    const { id } = (await service.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' } })).json
    let etag = ''
    let claim: Claim | undefined
    const leaseOf = (): Claim => claim ?? expect.fail('nothing was claimed')
    const steps: [shown: string, change: () => Promise<unknown>][] = [
      ['queued 0', async () => undefined],
      ['processing 0', async () => ([claim] = await claimEmbedded(workerStore, 1, 60_000))],
      ...[10, 20, 30].map((percent): [string, () => Promise<unknown>] => [
        `processing ${percent}`,
        () => workerStore.renew([{ ...leaseOf(), progress: percent }], 60_000),
      ]),
      ['failed 30', () => workerStore.fail(leaseOf(), { code: 'upstream_failed', message: 'It broke.' })],
    ]
    for (const [view, change] of steps) {
      const pending = service.request('GET', `${tasksPath}/${id}?wait=30`, { headers: { 'if-none-match': etag } })
      await setTimeout(200)
      const changedAt = performance.now()
      await change()
      const response = await pending
      expect(performance.now() - changedAt).toBeLessThan(10_000)
      expect(`${response.json.status} ${response.json.progress}`).toBe(view)
      etag = response.headers.get('etag') ?? ''
    }
  })

  it('a change of progress by another process ends a long poll although the notification is lost', async () => {
    const checks = watchLostMessages(true)
    testEngine.open = async (_dataDir, clock) => {
      const store = await openTestStore(url, clock)
      store.receive = () => {}
      return store
    }
    await using service = await openHttpService()
    const workerStore = await openStore()
    const tasksPath = '/v2/model-center/tasks'
    const { id } = (await service.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' } })).json
    const [claim] = await claimEmbedded(workerStore, 1, 60_000)
    const etag = (await service.request('GET', `${tasksPath}/${id}`)).headers.get('etag') ?? ''
    const pending = service.request('GET', `${tasksPath}/${id}?wait=30`, { headers: { 'if-none-match': etag } })
    await setTimeout(200)
    const changedAt = performance.now()
    await workerStore.renew([{ ...claim!, progress: 50 }], 60_000)
    expect((await pending).json).toMatchObject({ status: 'processing', progress: 50 })
    expect(performance.now() - changedAt).toBeLessThan(10_000)
    expect(checks()).toBeGreaterThan(0)
  })

  it('a process never sends two statements over one connection at the same time', async () => {
    const [busy, otherStore] = [await openStore(), await openStore()]
    const received: string[] = []
    otherStore.onAttemptNotified((attemptId) => received.push(attemptId))
    busy.notifyAttempt('task_01_1')
    await Promise.all([
      busy.joinWorkers(),
      ...Array.from({ length: 10 }, async (_, number) => {
        await setTimeout(2 * number)
        busy.notifyAttempt(`task_02_${number}`)
        busy.receive('{"workers":true}')
      }),
    ])
    await vi.waitFor(() => expect(received).toHaveLength(11), { timeout: 10_000 })
  })
})

/**
 * Switches the regular check for lost messages on or off. Returns a function that counts the
 * checks.
 */
function watchLostMessages(isAllowed: boolean): () => number {
  const read = Reflect.get(ConnectionPool.prototype, 'read') as (this: ConnectionPool, query: pg.QueryConfig) => Promise<never[]>
  let checkCount = 0
  vi.spyOn(ConnectionPool.prototype, 'read').mockImplementation(async function (this: ConnectionPool, query) {
    if (query.name !== 'changed_among') return read.call(this, query)
    checkCount += 1
    return isAllowed ? read.call(this, query) : []
  })
  return () => checkCount
}
