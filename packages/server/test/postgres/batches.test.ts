import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { ConnectionPool } from '../../src/db/postgres/connections.ts'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { purgeKeys } from '../../src/db/postgres/purge-keys.ts'
import { batchParameters, type BatchOperation } from '../../src/db/postgres/batch-operations.ts'
import { claimEmbedded, embeddedGrants, leaseMs, newAccount, newTask } from '../../src/db/store-under-test.ts'
import { StoreUnavailable } from '../../src/db/store-unavailable.ts'
import type { LaneGrant } from '../../src/db/task-queue.ts'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openTestStore } from './open-test-store.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

describe.runIf(hasPostgres)('batches of writes', () => {
  let url: string
  let store: PostgresStore
  let accountNo: number
  let nextId: () => string

  beforeEach(async () => {
    url = await newDatabase()
    store = await openTestStore(url)
    accountNo = await newAccount(store, 'acct', 1_000)
    nextId = store.createTaskIds(systemClock)
  })
  afterEach(() => store[Symbol.asyncDispose]())

  const accept = () => store.accept(newTask({ id: nextId(), accountNo }))

  /** Sends a batch of a process with the id `w`. */
  async function sendBatch(no: number, operations: readonly BatchOperation[]): Promise<unknown> {
    const [row] = await rowsOf<{ result: string }>(url, {
      text: 'select write_batch($1, $2, $3, $4, $5, $6, $7::json, $8::json, $9::json, $10::json, $11::json, $12::json) as result',
      values: ['w', no, ...batchParameters(operations, null)],
    })
    return JSON.parse(row?.result ?? '')
  }

  it('a process that started more than a week ago keeps writing when another one starts', async () => {
    await accept()
    await rowsOf(url, 'update writers set opened_at = opened_at - 8 * 86400000')
    await accept()
    await using secondStore = await openTestStore(url)
    expect(await secondStore.list({ accountNo, limit: 10 })).toHaveLength(2)
    expect(await accept()).toMatchObject({ kind: 'accepted' })
    expect(await rowsOf(url, 'select batch::int from writers')).toEqual([{ batch: 3 }])
  })

  it('a process that has written nothing for more than a week writes again after another one has started', async () => {
    await accept()
    await rowsOf(url, 'update writers set opened_at = opened_at - 8 * 86400000')
    await using _second = await openTestStore(url)
    expect(await rowsOf(url, 'select from writers')).toEqual([])
    expect(await accept()).toMatchObject({ kind: 'accepted' })
    expect(await claimEmbedded(store, 10, leaseMs)).toHaveLength(2)
  })

  it('a store can be closed although the database has disappeared during a batch', async () => {
    const closing = await openTestStore(url)
    const locking = new pg.Client({ connectionString: url })
    await locking.connect()
    try {
      await locking.query('begin; select from accounts for update')
      const outcome = closing.accept(newTask({ id: nextId(), accountNo }))
      await vi.waitFor(async () => {
        const lockWaitersSql = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        expect(await rowsOf(url, lockWaitersSql)).not.toEqual([])
      })
      const closed = closing[Symbol.asyncDispose]()
      vi.spyOn(ConnectionPool.prototype, 'connect').mockRejectedValue(new Error('the database is gone'))
      closing.writer.breakConnection()
      await closed
      expect(await outcome).toMatchObject({ kind: 'failed' })
    } finally {
      vi.restoreAllMocks()
      await locking.end()
    }
  })

  it('only the write of a batch that the server cancels fails, as unavailable, and a later retry succeeds', async () => {
    await rowsOf(url, `alter database ${new URL(url).pathname.slice(1)} set lock_timeout = '50ms'`)
    await using other = await openTestStore(url)
    const otherAccountNo = await newAccount(store, 'acct_other', 1_000)
    const submitTo = (no: number) => other.accept(newTask({ id: nextId(), accountNo: no }))
    const locking = new pg.Client({ connectionString: url })
    await locking.connect()
    try {
      await locking.query(`begin; select from accounts where no = ${accountNo} for update`)
      expect(await Promise.all([submitTo(otherAccountNo), submitTo(accountNo)])).toMatchObject([
        { kind: 'accepted' },
        { kind: 'overloaded' },
      ])
      await expect(other.grant(accountNo, 1, 'x')).rejects.toBeInstanceOf(StoreUnavailable)
      await expect(other.database.updateTable('accounts').set({ name: 'x' }).execute()).rejects.toBeInstanceOf(StoreUnavailable)
    } finally {
      await locking.end()
    }
    expect(await submitTo(accountNo)).toMatchObject({ kind: 'accepted' })
  })

  it('a batch with claims is not written twice if the server cancels the read of the input files of its tasks', async () => {
    await store.accept(newTask({ id: nextId(), accountNo, images: '["image"]' }))
    const query = Reflect.get(pg.Client.prototype, 'query')
    let cancelledReads = 0
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...parameters: unknown[]) {
      if (!String(parameters[0]).includes('from task_images') || cancelledReads++ > 0)
        return Reflect.apply(query, this, parameters)
      return Promise.reject(Object.assign(new Error('canceling statement due to user request'), { code: '57014' }))
    })
    const [accepted, claims] = await Promise.all([accept(), claimEmbedded(store, 10, leaseMs)])
    expect(cancelledReads).toBe(2)
    expect(accepted).toMatchObject({ kind: 'accepted' })
    expect(claims.map(({ images }) => images)).toContainEqual({ text: '["image"]' })
  })

  it('a batch of submits that wait for the same lock fails after about five seconds, whatever its size', async () => {
    await rowsOf(url, `alter database ${new URL(url).pathname.slice(1)} set lock_timeout = '5100ms'`)
    await using other = await openTestStore(url)
    const locking = new pg.Client({ connectionString: url })
    await locking.connect()
    try {
      await locking.query('begin; lock table entries')
      const startedAtMs = performance.now()
      const outcomes = await Promise.all(Array.from({ length: 64 }, () => other.accept(newTask({ id: nextId(), accountNo }))))
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['overloaded']))
      expect(performance.now() - startedAtMs).toBeLessThan(10_000)
    } finally {
      await locking.end()
    }
  })

  it('a read that the server ends to resolve a deadlock is sent again', async () => {
    const id = nextId()
    await store.accept(newTask({ id, accountNo }))
    await rowsOf(url, `alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '300ms'`)
    await using other = await openTestStore(url)
    const locking = new pg.Client({ connectionString: url })
    await locking.connect()
    try {
      await locking.query("set deadlock_timeout = '1min'; begin; lock table results")
      const found = other.find(id)
      const waitersSql = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      await vi.waitFor(async () => expect(await rowsOf(url, waitersSql)).toHaveLength(1), { interval: 5 })
      await locking.query('lock table tasks')
      await locking.query('commit')
      expect(await found).toMatchObject({ id })
    } finally {
      await locking.end()
    }
  })

  it('reads and checks of the ledger fail as unavailable while the database admits no connections', async () => {
    const serverUrl = inject('postgresUrl') ?? ''
    const name = new URL(url).pathname.slice(1)
    await rowsOf(serverUrl, `alter database ${name} with allow_connections false`)
    await rowsOf(serverUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    try {
      await expect(store.list({ accountNo, limit: 1 })).rejects.toBeInstanceOf(StoreUnavailable)
      await expect(store.verifyCredits()).rejects.toBeInstanceOf(StoreUnavailable)
    } finally {
      await rowsOf(serverUrl, `alter database ${name} with allow_connections true`)
    }
    expect(await store.list({ accountNo, limit: 1 })).toEqual([])
  })

  it('closing the service ends a check of the ledger, on the database server too', async () => {
    const locking = new pg.Client({ connectionString: url })
    await locking.connect()
    try {
      await locking.query('begin; lock table entries')
      const closing = new AbortController()
      const checked = store.verifyCredits(closing.signal)
      const waitersSql = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      await vi.waitFor(async () => expect(await rowsOf(url, waitersSql)).toHaveLength(1), { interval: 5 })
      closing.abort()
      await expect(checked).rejects.toBeInstanceOf(StoreUnavailable)
      await vi.waitFor(async () => expect(await rowsOf(url, waitersSql)).toEqual([]), { interval: 5 })
    } finally {
      await locking.end()
    }
  })

  it('expired credits of many accounts are removed in several transactions', async () => {
    await rowsOf(
      url,
      "insert into accounts (id, brand_no, name, status, created_at) select g, 1, 'x', 'active', 0 from generate_series(1, 250) g",
    )
    await rowsOf(url, "select grant_credits(no, 7, 'x', 9000000000000, null, database_ms()) from accounts")
    await rowsOf(url, 'update grants set expires_at = 1')
    await store.expireGrants({ accountNo })
    expect(await rowsOf(url, 'select account_no::int from grants where remaining = 0')).toEqual([{ account_no: accountNo }])
    await store.expireGrants()
    expect(await rowsOf(url, 'select from grants where remaining > 0')).toEqual([])
    const [row] = await rowsOf<{ n: number }>(
      url,
      "select count(distinct xmin::text)::int as n from entries where kind = 'expire'",
    )
    expect(row?.n).toBe(4)
    expect((await store.verifyCredits()).differences).toEqual([])
  })

  it.each([
    ['lifted', null],
    ['raised', 10_000],
  ])(
    'a limit can be %s within the time limit of a statement although thousands of tasks wait for it',
    async (_change, tasksMax) => {
      await rowsOf(url, "update accounts set tasks_in_flight_max = 1, over_limit = 'wait'")
      await store.accept(newTask({ id: nextId(), accountNo, priceMicroCredits: 0 }))
      // Copies of a waiting task, because thousands of submits would take longer.
      const waitingId = nextId()
      await store.accept(newTask({ id: waitingId, accountNo, priceMicroCredits: 0 }))
      await rowsOf(
        url,
        `
      insert into tasks (no, tail, account_no, model, object, parameters, status, price, due_at, lane, waits)
      select no + g, tail, account_no, model, object, parameters, status, price, due_at, lane, 1
      from tasks, generate_series(1, 8000) g
      where waits = 1`,
      )
      const startedAtMs = performance.now()
      await store.database.updateTable('accounts').set({ tasks_in_flight_max: tasksMax }).where('no', '=', accountNo).execute()
      // Without the migration 0029, this takes 15 seconds or more.
      expect(performance.now() - startedAtMs).toBeLessThan(10_000)
      const rows = await rowsOf(
        url,
        'select count(*)::int, count(distinct virtual_start)::int as starts from tasks where waits = 0',
      )
      expect([rows, await rowsOf(url, 'select from wait_queues')]).toEqual([[{ count: 8_002, starts: 8_002 }], []])
    },
  )

  it('expired idempotency keys are removed in several statements', async () => {
    await rowsOf(
      url,
      "insert into idempotency_keys (account_no, key, digest, task_no) select 1, g, 'd', g from generate_series(1, 12000) g",
    )
    const run = vi.spyOn(store.writer, 'run')
    await purgeKeys(store.writer, 11_001)
    expect(run.mock.calls).toHaveLength(3)
    expect(await rowsOf(url, 'select min(task_no)::int, count(*)::int from idempotency_keys')).toEqual([
      { min: 11_001, count: 1_000 },
    ])
  })

  it('an operation is written although the work queued before it has failed for lack of a connection', async () => {
    const id = nextId()
    await store.accept(newTask({ id, accountNo }))
    vi.spyOn(ConnectionPool.prototype, 'connect').mockRejectedValue(new Error('the database is gone'))
    store.writer.breakConnection()
    const isRun = vi.fn(async () => true)
    const work = expect(store.writer.run(isRun)).rejects.toBeInstanceOf(StoreUnavailable)
    const cancelled = store.cancel(id)
    await work
    vi.restoreAllMocks()
    expect(await cancelled).toBe(true)
    expect(isRun).not.toHaveBeenCalled()
  })

  it('a submit that waits for a lock is accepted although the connection breaks and reconnecting takes long', async () => {
    const locking = new pg.Client({ connectionString: url })
    await locking.connect()
    try {
      await locking.query('begin; select from accounts for update')
      const outcome = accept()
      // From now on, the submit would fail if the database could not be reached.
      await sleep(5_100)
      const connect = Reflect.get(ConnectionPool.prototype, 'connect')
      vi.spyOn(ConnectionPool.prototype, 'connect').mockImplementation(async function (this: ConnectionPool, prepare) {
        await sleep(600)
        return connect.call(this, prepare)
      })
      store.writer.breakConnection()
      await sleep(1_000)
      await locking.query('rollback')
      expect(await outcome).toMatchObject({ kind: 'accepted' })
    } finally {
      await locking.end()
    }
  })

  it('a batch that is sent again has the same result, and changes nothing', async () => {
    const ids = [nextId(), nextId()]
    for (const id of ids) await store.accept(newTask({ id, accountNo }))
    const operations = [
      { kind: 'take_due', leaseMs, countMax: 10 },
      { kind: 'claim', lanes: embeddedGrants(1), leaseMs },
      { kind: 'cancel', no: taskNoOf(ids[1]!), failure: { code: 'cancelled', message: 'x' } },
    ] as const
    const send = () => sendBatch(1, operations)
    const firstResult = await send()
    const claimed = { task: { no: taskNoOf(ids[0]!), lease_fence: 1 }, attempt: { number: 1, state: 'starting' } }
    // Processes of version 0.1.0 read this format too.
    expect(firstResult).toMatchObject({
      outcomes: [
        [2, { kind: 'ended', charged: 0 }],
        [0, { kind: 'due', claims: [], waiting: [], pools: [] }],
        [1, { kind: 'claimed', claims: [claimed] }],
      ],
      changed: [{ no: taskNoOf(ids[1]!), status: 'failed' }],
    })
    expect(await send()).toEqual(firstResult)
  })

  it.each([
    ['claims', 1],
    ['continues', 2],
  ])('a claim that is sent again does not return a task that another process %s after the lease', async (_, attempts) => {
    const id = nextId()
    await store.accept(newTask({ id, accountNo }))
    await store.takeDue(leaseMs, 10)
    await rowsOf(url, "insert into slot_pools (kind, name, target) values ('route', 'a', 'a'), ('upstream', 'a', 'a')")
    const pools = { route: { pool: 1, inFlightMax: 5 }, upstream: { pool: 2, inFlightMax: 5 } }
    const lanes: LaneGrant[] = [
      { lane: 0, routes: [{ route: 'a', snapshotNo: 1, limit: 5, deadlineMs: null, pools: attempts === 1 ? pools : null }] },
    ]
    const operations = [{ kind: 'claim', lanes, leaseMs }] as const
    expect(await sendBatch(1, operations)).toMatchObject({ outcomes: [[0, { claims: [{ task: { lease_fence: 1 } }] }]] })
    await rowsOf(url, `update tasks set due_at = 1, lease_until = 1 where no = ${taskNoOf(id)}`)
    const { claims } = await store.takeDue(leaseMs, 10)
    // Between the end of the lease and the next claim, the task belongs to no process.
    if (attempts === 1) expect(await sendBatch(1, operations)).toMatchObject({ outcomes: [[0, { claims: [] }]] })
    claims.push(...(await store.claim(lanes, leaseMs)))
    expect(claims).toMatchObject([{ id, fence: 2 }])
    expect(await sendBatch(1, operations)).toMatchObject({ outcomes: [[0, { kind: 'claimed', claims: [] }]] })
  })
})
