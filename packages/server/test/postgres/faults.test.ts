import fc from 'fast-check'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { claimEmbedded, isLongRun, leaseMs, newAccount, newTask, resultOf } from '../../src/db/store-under-test.ts'
import { StoreUnavailable } from '../../src/db/store-unavailable.ts'
import type { AcceptOutcome, Claim } from '../../src/db/task-queue.ts'
import { openTestStore } from './open-test-store.ts'
import { createDatabase, findPostgresPrograms, startPostgresServer, type PostgresServer } from './postgres-server.ts'
import { hasPostgres } from './test-database.ts'

const programs = findPostgresPrograms()

/** A separate server that these tests stop and start. */
describe.runIf(hasPostgres && programs !== undefined)('PostgreSQL under injected failures', () => {
  let server: PostgresServer
  let url: string
  let stores: PostgresStore[]
  let nextIds: (() => string)[]
  let databaseCount = 0

  beforeAll(async () => {
    server = await startPostgresServer(programs ?? '')
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    databaseCount += 1
    url = await createDatabase(server.url, `faults_${databaseCount}`)
    stores = [await openTestStore(url), await openTestStore(url)]
    nextIds = stores.map((store) => store.createTaskIds(store.clock))
  })
  afterEach(async () => {
    expect((await stores[0]!.verifyCredits()).differences).toEqual([])
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
  })

  const acceptTask = (storeIndex: number, accountNo: number, price = 10): Promise<AcceptOutcome> =>
    stores[storeIndex]!.accept(newTask({ id: nextIds[storeIndex]!(), accountNo, priceMicroCredits: price }))

  it(
    'concurrent processes never spend the same credits twice, end a task twice or exceed a limit',
    { timeout: 240_000 },
    async () => {
      const step = fc.record({
        which: fc.nat(1),
        kind: fc.constantFrom('submit', 'submit', 'submit', 'claim', 'finish', 'fail', 'cancel', 'grant'),
        price: fc.integer({ min: 0, max: 30 }),
        account: fc.nat(1),
        pick: fc.nat(),
      })
      let accountCount = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { minLength: 2, maxLength: 12 }), { minLength: 3, maxLength: 8 }),
          async (rounds) => {
            const [firstAccountNo, secondAccountNo] = [
              await newAccount(stores[0]!, `acct_${++accountCount}`, 60),
              await newAccount(stores[1]!, `acct_${++accountCount}`, 60),
            ]
            await stores[0]!.database
              .updateTable('accounts')
              .set({ tasks_in_flight_max: 3, over_limit: 'wait' })
              .where('no', '=', secondAccountNo)
              .execute()
            await stores[1]!.grant(firstAccountNo, 20, 'for a while', { expiresAtMs: Date.now() + 60_000 })
            const claims: Claim[] = []
            const endedCounts = new Map<string, number>()
            for (const round of rounds) {
              await Promise.all(
                round.map(async ({ which, kind, price, account, pick }) => {
                  const store = stores[which]!
                  const claim = claims[pick % Math.max(1, claims.length)]
                  if (kind === 'submit') await acceptTask(which, [firstAccountNo, secondAccountNo][account]!, price)
                  else if (kind === 'claim') claims.push(...(await claimEmbedded(store, 2, leaseMs)))
                  else if (kind === 'grant') await store.grant(firstAccountNo, 5, 'x')
                  else if (claim !== undefined) {
                    const hasEnded =
                      kind === 'finish'
                        ? store.complete(claim, [resultOf(claim)], Math.floor(claim.task.priceMicroCredits / 2))
                        : kind === 'fail'
                          ? store.fail(claim, { code: 'upstream_failed', message: 'x' })
                          : store.cancel(claim.id)
                    if (await hasEnded) endedCounts.set(claim.id, (endedCounts.get(claim.id) ?? 0) + 1)
                  }
                }),
              )
              expect((await stores[0]!.verifyCredits()).differences).toEqual([])
              const running = await stores[1]!.database
                .selectFrom('tasks')
                .select('waits')
                .where('account_no', '=', secondAccountNo)
                .where('ended_at', 'is', null)
                .execute()
              const inFlight = running.filter(({ waits }) => waits === 0).length
              expect(inFlight).toBeLessThanOrEqual(3)
              if (inFlight < running.length) expect(inFlight).toBe(3)
            }
            expect([...endedCounts.values()].filter((times) => times > 1)).toEqual([])
            expect(new Set(claims.map(({ id, fence }) => `${id} ${fence}`)).size).toBe(claims.length)
            for (const accountNo of [firstAccountNo, secondAccountNo]) {
              for (const { id } of await stores[0]!.list({ accountNo, limit: 1000 })) await stores[0]!.cancel(id)
            }
          },
        ),
        { numRuns: isLongRun ? 300 : 10 },
      )
    },
  )

  it('two processes accept exactly as many concurrent submits as the balance covers', async () => {
    for (let round = 0; round < (isLongRun ? 200 : 10); round++) {
      const accountNo = await newAccount(stores[0]!, `acct_${round}`, 100)
      const outcomes = await Promise.all(Array.from({ length: 60 }, (_, index) => acceptTask(index % 2, accountNo)))
      expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(10)
      expect(outcomes.filter(({ kind }) => kind === 'insufficient_credits')).toHaveLength(50)
    }
  })

  it('submits with one idempotency key in two processes create one task', async () => {
    const accountNo = await newAccount(stores[0]!, 'acct', 1_000)
    for (let round = 0; round < 20; round++) {
      const idempotency = { key: `key ${round}`, digest: 'd' }
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          stores[index % 2]!.accept(newTask({ id: nextIds[index % 2]!(), accountNo, idempotency })),
        ),
      )
      expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(1)
      expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(7)
    }
  })

  it('no write is lost or executed twice if a connection fails in the middle of batches', { timeout: 120_000 }, async () => {
    const accountNo = await newAccount(stores[0]!, 'acct', 1_000_000)
    const requested: Promise<AcceptOutcome>[] = []
    for (let round = 0; round < 30; round++) {
      for (let i = 0; i < 20; i++) requested.push(acceptTask(0, accountNo))
      await setTimeout(round % 4)
      stores[0]!.writer.breakConnection()
      await setTimeout(5)
    }
    const kinds = (await Promise.all(requested)).map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['accepted']))
    const { tasks } = await stores[1]!.database
      .selectFrom('tasks')
      .select(({ fn }) => fn.countAll<number>().as('tasks'))
      .executeTakeFirstOrThrow()
    expect(tasks).toBe(requested.length)
  })

  it('a process that is suspended within a transaction loses its connection, and the next write succeeds', async () => {
    const accountNo = await newAccount(stores[0]!, 'acct', 1_000)
    const paused = stores[0]!.writer.run(async (client) => {
      await client.query("begin; set idle_in_transaction_session_timeout = '50ms'")
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
      await client.query('select 1')
    })
    await expect(paused).rejects.toThrow(StoreUnavailable)
    expect((await acceptTask(0, accountNo)).kind).toBe('accepted')
  })

  it('a database server that crashes under load loses no acknowledged write', { timeout: 180_000 }, async () => {
    const accountNo = await newAccount(stores[0]!, 'acct', 1_000_000)
    const acknowledged = new Set<string>()
    const refused = new Set<string>()
    const stopping = new AbortController()
    const clients = Array.from({ length: 16 }, async (_, index) => {
      while (!stopping.signal.aborted) {
        const storeIndex = index % 2
        const id = nextIds[storeIndex]!()
        const { kind } = await stores[storeIndex]!.accept(newTask({ id, accountNo, priceMicroCredits: 1 }))
        if (kind === 'accepted') acknowledged.add(id)
        else if (kind === 'overloaded') refused.add(id)
        else expect(kind).toBe('failed')
        for (const claim of await claimEmbedded(stores[storeIndex]!, 2, leaseMs).catch(() => [])) {
          await stores[storeIndex]!.complete(claim, [resultOf(claim)], 1).catch(() => false)
        }
      }
    })
    for (let restart = 0; restart < 3; restart++) {
      await setTimeout(400)
      await (restart % 2 === 0 ? server.crash() : server.stop())
      await setTimeout(200)
      await server.start()
    }
    await setTimeout(1_500)
    stopping.abort()
    await Promise.all(clients)
    const rows = await stores[0]!.list({ accountNo, limit: 1_000_000 })
    const storedIds = new Set(rows.map(({ id }) => id))
    expect([...acknowledged].filter((id) => !storedIds.has(id))).toEqual([])
    expect([...refused].filter((id) => storedIds.has(id))).toEqual([])
    expect(acknowledged.size).toBeGreaterThan(100)
  })

  it(
    'submits and reads fail within their time limits during a long database outage, and succeed afterwards',
    { timeout: 120_000 },
    async () => {
      const accountNo = await newAccount(stores[0]!, 'acct', 1_000)
      await acceptTask(0, accountNo)
      const [claim] = await claimEmbedded(stores[0]!, 1, leaseMs)
      await server.stop()
      // A submit that is sent before the store notices the lost connection fails, because its outcome
      // is unknown.
      await expect.poll(async () => (await acceptTask(0, accountNo)).kind, { timeout: 60_000 }).toBe('overloaded')
      const ending = stores[0]!.complete(claim!, [resultOf(claim!)], 1)
      const startedAt = performance.now()
      expect(await acceptTask(0, accountNo)).toMatchObject({ kind: 'overloaded' })
      expect(performance.now() - startedAt).toBeLessThan(1_000)
      await expect(stores[0]!.find(nextIds[0]!())).rejects.toThrow(StoreUnavailable)
      await expect(stores[0]!.list({ accountNo, limit: 1 })).rejects.toThrow(StoreUnavailable)
      await server.start()
      expect(await ending).toBe(true)
      await expect.poll(async () => (await acceptTask(0, accountNo)).kind, { timeout: 10_000 }).toBe('accepted')
      expect((await stores[0]!.find(claim!.id))?.status).toBe('completed')
    },
  )

  it(
    'notifications of ended and due tasks reach another process, also after its listening connection was lost',
    { timeout: 60_000 },
    async () => {
      const [firstStore, secondStore] = [stores[0]!, stores[1]!]
      const accountNo = await newAccount(firstStore, 'acct', 1_000)
      const watched = new Map<string, true>()
      const messages: string[] = []
      let dueCount = 0
      secondStore.onTaskChanged((task) => messages.push(task.id), watched)
      secondStore.onTaskDue(() => (dueCount += 1))
      for (let round = 0; round < 2; round++) {
        const id = nextIds[0]!()
        const dueBefore = dueCount
        watched.set(id, true)
        await firstStore.accept(newTask({ id, accountNo }))
        await expect.poll(() => dueCount, { timeout: 5_000 }).toBeGreaterThan(dueBefore)
        await firstStore.cancel(id)
        await expect.poll(() => messages, { timeout: 5_000 }).toContain(id)
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        await client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and (query like '%pg_notify%' or query like 'listen%' or query like '%as ms')",
        )
        await client.end()
      }
    },
  )
})
