import fc from 'fast-check'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { purgeCounts } from '../../src/db/postgres/purge-counts.ts'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { abandonedEnd, type ForwardRoute } from '../../src/db/forwarded-requests.ts'
import { casesOf, claimEmbedded, leaseMs, newAccount, newTask, resultOf, startMs } from '../../src/db/store-under-test.ts'
import { taskNoOf } from '../../src/identity/task-id.ts'
import type { Claim } from '../../src/db/task-queue.ts'
import { dayMs } from '../../src/lib/dates.ts'
import { findMiscountedSlots } from './miscounted-slots.ts'
import { findMiscountedTasks } from './miscounted-tasks.ts'
import { openTestStore } from './open-test-store.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const accountCount = 3
const propertyRuns = casesOf({ long: 300, short: 8 })

/** Routes of chats: two routes of one upstream, whose pools have the numbers 1 to 3. */
const chatRoutes = [1, 2].map((pool): ForwardRoute => {
  const pools = { route: { pool, inFlightMax: 4 }, upstream: { pool: 3, inFlightMax: 6 } }
  return { snapshotNo: 0, pools }
})

const anyProcess = fc.nat(1)
const anyLimit = fc.option(fc.integer({ min: 0, max: 6 }))
const anyStep = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      process: anyProcess,
      account: fc.nat(accountCount - 1),
      hasKey: fc.boolean(),
      price: fc.nat(9),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('claim' as const), process: anyProcess, limit: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('complete', 'requeue'), process: anyProcess, pick: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('cancel' as const), process: anyProcess, pick: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('chat' as const),
      process: anyProcess,
      account: fc.nat(accountCount - 1),
      price: fc.nat(9),
      route: fc.nat(1),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('end chat', 'move chat'),
      process: anyProcess,
      pick: fc.nat(),
      route: fc.nat(1),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      process: anyProcess,
      table: fc.constantFrom('api_keys', 'accounts', 'brands'),
      column: fc.constantFrom('tasks_in_flight_max', 'credits_in_flight_max'),
      max: anyLimit,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      account: fc.nat(accountCount - 1),
      brand: fc.nat(accountCount - 1),
    }),
  },
)
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never

/** Steps that start in the same tick, and the event after them. */
const anyRound = fc.record({
  steps: fc.array(anyStep, { minLength: 1, maxLength: 8 }),
  end: fc.oneof(
    { weight: 8, arbitrary: fc.constant('none' as const) },
    { weight: 2, arbitrary: fc.constant('next day' as const) },
    { weight: 1, arbitrary: fc.constant('crash' as const) },
    { weight: 1, arbitrary: fc.constant('restored copy' as const) },
  ),
})

describe.runIf(hasPostgres)('counts of tasks in flight', () => {
  let url: string
  let nowMs: number
  let stores: PostgresStore[]
  let nextId: () => string
  let accounts: { no: number; keyNo: number; brandNo: number }[]

  beforeEach(async () => {
    url = await newDatabase()
    nowMs = startMs
    stores = [await openStore(), await openStore()]
    nextId = stores[0]!.createTaskIds(() => nowMs)
    const pools = ['route', 'route', 'upstream'].map((kind, i) => `('${kind}', '${i}', '${i}')`)
    await selectRows(`insert into slot_pools (kind, name, target) values ${pools.join(', ')}`)
  })
  afterEach(async () => {
    expect((await stores[0]!.verifyCredits()).differences).toEqual([])
    for (const store of stores) await store[Symbol.asyncDispose]()
  })

  const openStore = () => openTestStore(url, () => nowMs)
  const selectRows = (text: string) => rowsOf(url, text)

  async function openAccount(): Promise<{ no: number; keyNo: number; brandNo: number }> {
    const { database } = stores[0]!
    const id = nextId()
    const no = await newAccount(stores[0]!, id, 1_000_000)
    await database.insertInto('api_keys').values({ id, account_no: no, name: 'x', scopes: '[]', created_at: 0 }).execute()
    const key = await database.selectFrom('api_keys').select('no').where('id', '=', id).executeTakeFirstOrThrow()
    const account = await database.selectFrom('accounts').select('brand_no').where('no', '=', no).executeTakeFirstOrThrow()
    return { no, keyNo: key.no, brandNo: account.brand_no }
  }

  async function openAccounts(): Promise<void> {
    accounts = []
    for (let i = 0; i < accountCount; i++) accounts.push(await openAccount())
  }

  /** Runs a step of a process. An operation that lost a race with another step does nothing. */
  async function apply(step: Step, tasks: string[], claims: Claim[], chats: number[]): Promise<void> {
    switch (step.kind) {
      case 'submit': {
        const account = accounts[step.account]!
        const task = {
          id: nextId(),
          accountNo: account.no,
          keyNo: step.hasKey ? account.keyNo : null,
          priceMicroCredits: step.price,
        }
        const outcome = await stores[step.process]!.accept(newTask(task))
        if (outcome.kind === 'accepted') tasks.push(task.id)
        break
      }
      case 'claim':
        claims.push(...(await claimEmbedded(stores[step.process]!, step.limit, leaseMs)))
        break
      case 'complete':
      case 'requeue': {
        const [claim] = claims.splice(step.pick % Math.max(claims.length, 1), 1)
        if (claim === undefined) break
        if (step.kind === 'complete') await stores[step.process]!.complete(claim, [resultOf(claim)], 0)
        else await stores[step.process]!.release([claim])
        break
      }
      case 'cancel': {
        const id = tasks[step.pick % Math.max(tasks.length, 1)]
        if (id !== undefined) await stores[step.process]!.cancel(id)
        break
      }
      case 'chat': {
        const { no: accountNo, keyNo } = accounts[step.account]!
        const no = taskNoOf(nextId())
        const outcome = await stores[step.process]!.holdForwarded({
          no,
          requestId: 'req_1',
          owner: 'a process',
          accountNo,
          keyNo,
          model: 'a model',
          object: 'chat',
          priceMicroCredits: step.price,
          priceNo: null,
          route: chatRoutes[step.route]!,
          leaseMs,
        })
        if (outcome.kind === 'held') chats.push(no)
        break
      }
      case 'end chat':
      case 'move chat': {
        const no = chats[step.pick % Math.max(chats.length, 1)]
        if (no === undefined) break
        if (step.kind === 'end chat') await stores[step.process]!.endForwarded(no, { ...abandonedEnd, outcome: 'failed' })
        else await stores[step.process]!.moveForwarded(no, chatRoutes[step.route]!)
        break
      }
      case 'limit':
        await stores[step.process]!.database.updateTable(step.table)
          .set({ [step.column]: step.max })
          .execute()
        break
      case 'move':
        await rowsOf(url, {
          text: 'update accounts set brand_no = $1 where no = $2',
          values: [accounts[step.brand]!.brandNo, accounts[step.account]!.no],
        })
        break
    }
  }

  it(
    'the counts of tasks in flight equal the tasks after random steps of two processes, one of which may crash',
    { timeout: 60_000 + propertyRuns * 30_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyRound, { minLength: 5, maxLength: 15 }),
          fc.array(fc.constantFrom('refuse', 'wait'), { minLength: accountCount, maxLength: accountCount }),
          async (rounds, overLimit) => {
            await openAccounts()
            for (const [i, { no }] of accounts.entries()) {
              await stores[0]!.database.updateTable('accounts').set({ over_limit: overLimit[i]! }).where('no', '=', no).execute()
            }
            const [tasks, claims, chats]: [string[], Claim[], number[]] = [[], [], []]
            for (const round of rounds) {
              const steps = Promise.allSettled(round.steps.map((step) => apply(step, tasks, claims, chats)))
              if (round.end === 'crash') {
                await stores[1]!.crash()
                stores[1] = await openStore()
              }
              await steps
              if (round.end === 'next day') nowMs += dayMs
              if (round.end === 'restored copy') {
                claims.length = 0
                await selectRows(`select hold_restored(${nowMs})`)
                for (const id of tasks.filter((_, i) => i % 2 === 0)) await stores[0]!.releaseHeld(id)
              }
              expect(await vi.waitUntil(findSettledCounts)).toEqual([])
            }
            for (const id of tasks) await stores[0]!.cancel(id)
            for (const table of ['api_keys', 'accounts', 'brands'] as const) {
              const noLimits = { tasks_in_flight_max: null, credits_in_flight_max: null }
              await stores[0]!.database.updateTable(table).set(noLimits).execute()
            }
            expect(await findMiscountedTasks(selectRows)).toEqual([])
          },
        ),
        { numRuns: propertyRuns },
      )
    },
  )

  /** Returns the differences, or false while a statement of a crashed process is still running. */
  async function findSettledCounts(): Promise<object[] | false> {
    const running = await selectRows(
      "select from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()",
    )
    return running.length === 0 && [...(await findMiscountedTasks(selectRows)), ...(await findMiscountedSlots(selectRows))]
  }

  it('concurrent submits of two processes fill the limits of key, account and brand exactly', async () => {
    const { no, keyNo, brandNo } = await openAccount()
    const { database } = stores[0]!
    await database.updateTable('brands').set({ credits_in_flight_max: 130 }).where('no', '=', brandNo).execute()
    await database.updateTable('accounts').set({ tasks_in_flight_max: 12 }).where('no', '=', no).execute()
    await database
      .updateTable('api_keys')
      .set({ tasks_in_flight_max: 8, spent_per_day_max: 70 })
      .where('no', '=', keyNo)
      .execute()
    const submit = (i: number, ofKey: number | null) =>
      stores[i % 2]!.accept(newTask({ id: nextId(), accountNo: no, keyNo: ofKey }))
    const outcomes = await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => submit(i, keyNo)),
      ...Array.from({ length: 20 }, (_, i) => submit(i, null)),
    ])
    const accepted = outcomes.flatMap((outcome, i) => (outcome.kind === 'accepted' ? [i] : []))
    expect(accepted).toHaveLength(12)
    expect(accepted.filter((i) => i < 20).length).toBeLessThanOrEqual(7)
    expect(await findMiscountedTasks(selectRows)).toEqual([])
  })

  it('removing a limit while another process cancels the first waiting task admits the next one', async () => {
    const { no, keyNo } = await openAccount()
    const { database } = stores[0]!
    await database.updateTable('accounts').set({ over_limit: 'wait' }).where('no', '=', no).execute()
    await database.updateTable('api_keys').set({ tasks_in_flight_max: 1 }).where('no', '=', keyNo).execute()
    const ids = [nextId(), nextId(), nextId()]
    for (const id of ids) await stores[0]!.accept(newTask({ id, accountNo: no, keyNo }))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query('begin')
      await client.query('select from accounts where no = $1 for no key update', [no])
      const end = { i: 0, kind: 'cancel', no: taskNoOf(ids[1]!), code: 'cancelled', message: 'x' }
      await client.query('select * from end_tasks($1, $2)', [JSON.stringify([end]), nowMs])
      const lifted = database.updateTable('api_keys').set({ tasks_in_flight_max: null }).where('no', '=', keyNo).execute()
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      await vi.waitFor(async () => expect(await selectRows(waiting)).toHaveLength(1))
      await client.query('commit')
      await lifted
    } finally {
      await client.end()
    }
    const claims = await claimEmbedded(stores[0]!, 10, leaseMs)
    expect(claims.map(({ id }) => id)).toEqual([ids[0], ids[2]])
    expect(await findMiscountedTasks(selectRows)).toEqual([])
  })

  it('the end of a task in a brand at its limit admits a task without checking all waiting accounts', async () => {
    const { database } = stores[0]!
    const first = await openAccount()
    const others: (typeof first)[] = []
    for (let i = 0; i < 30; i++) others.push(await openAccount())
    await database.updateTable('accounts').set({ brand_no: first.brandNo, over_limit: 'wait' }).execute()
    await database.updateTable('brands').set({ tasks_in_flight_max: 1 }).where('no', '=', first.brandNo).execute()
    const running = nextId()
    await stores[0]!.accept(newTask({ id: running, accountNo: first.no }))
    const waiting = others.map(({ no }) => newTask({ id: nextId(), accountNo: no }))
    await Promise.all(waiting.map((task) => stores[0]!.accept(task)))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan; begin')
      const end = { i: 0, kind: 'cancel', no: taskNoOf(running), code: 'cancelled', message: 'x' }
      await client.query('select * from end_tasks($1, $2)', [JSON.stringify([end]), nowMs])
      const { rows } = await client.query<{ admitted: number; rows: number }>(`
        select (select count(*)::int from tasks where waits = 0 and ended_at is null) as admitted,
          pg_stat_get_xact_tuples_returned('brands_pkey'::regclass)::int as rows`)
      expect(rows).toEqual([{ admitted: 1, rows: expect.toSatisfy((count: number) => count < 10) }])
      await client.query('commit')
    } finally {
      await client.end()
    }
    expect((await claimEmbedded(stores[0]!, 10, leaseMs)).map(({ id }) => id)).toEqual([waiting[0]!.id])
  })

  it('a submit to which limits of all kinds apply reads none of the tasks in flight', async () => {
    const { no, keyNo, brandNo } = await openAccount()
    const { database } = stores[0]!
    const limits = { tasks_in_flight_max: 10_000, credits_in_flight_max: 1_000_000 }
    await database.updateTable('brands').set(limits).where('no', '=', brandNo).execute()
    await database.updateTable('accounts').set(limits).where('no', '=', no).execute()
    await database
      .updateTable('api_keys')
      .set({ ...limits, spent_per_day_max: 1_000_000, spent_per_month_max: 1_000_000 })
      .where('no', '=', keyNo)
      .execute()
    await Promise.all(Array.from({ length: 1_000 }, () => stores[0]!.accept(newTask({ id: nextId(), accountNo: no, keyNo }))))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan; begin')
      const task = {
        i: 0,
        no: taskNoOf(nextId()),
        tail: 'x',
        account_no: no,
        key_no: keyNo,
        model: 'm',
        object: 'video',
        parameters: '{}',
      }
      const accepts = JSON.stringify([{ ...task, price: 10, delay_ms: 0, lane: 0 }])
      expect((await client.query('select * from accept_tasks($1, $2)', [accepts, nowMs])).rows).toEqual([])
      const { rows } = await client.query<{ tuples: number }>(`
        select sum(pg_stat_get_xact_tuples_returned(c.oid))::int as tuples
        from pg_class c
        where c.oid = 'tasks'::regclass or c.oid in (select indexrelid from pg_index where indrelid = 'tasks'::regclass)`)
      // The virtual starts of the lane and of the account.
      expect(rows[0]!.tuples).toBeLessThanOrEqual(4)
    } finally {
      await client.end()
    }
  })

  it('counts of earlier days are removed if no task of their day is unfinished', async () => {
    const { no } = await openAccount()
    const ids: string[] = []
    for (let day = 0; day < 4; day++) {
      ids.push(nextId())
      await stores[0]!.accept(newTask({ id: ids[day]!, accountNo: no }))
      nowMs += dayMs
    }
    await stores[0]!.cancel(ids[1]!)
    await stores[0]!.cancel(ids[3]!)
    await purgeCounts(stores[0]!.writer, taskNoOf(ids[3]!))
    expect(await selectRows('select tasks::int from in_flight_counts order by day')).toEqual([
      { tasks: 1 },
      { tasks: 1 },
      { tasks: 0 },
    ])
  })

  it('a new writer adds the task counts of ended database sessions to its own, and leaves those of open sessions', async () => {
    const { no } = await openAccount()
    const submit = (store: PostgresStore) => store.accept(newTask({ id: nextId(), accountNo: no }))
    await Promise.all([submit(stores[0]!), submit(stores[1]!), submit(stores[1]!)])
    await stores[1]!.crash()
    const counts = 'select tasks::int from brand_in_flight_counts order by tasks'
    await vi.waitFor(async () => {
      stores[1] = await openStore()
      await submit(stores[1])
      expect(await selectRows(counts)).toHaveLength(2)
    })
    expect(await selectRows(counts)).toEqual([{ tasks: 1 }, { tasks: 3 }])
  })
})
