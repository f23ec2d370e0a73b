import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readUsageReport } from '../../src/credits/read-usage-report.ts'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import type { Store } from '../../src/db/store.ts'
import { leaseMs, newAccount, newTask, embeddedGrants, resultOf } from '../../src/db/store-under-test.ts'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { createUnresolvedAttempts } from '../../src/dispatch/unresolved-attempts.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { taskColumns, taskTables } from '../../src/db/task-record.ts'
import { openTestStore } from './open-test-store.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

describe.runIf(hasPostgres)('SQL statements', () => {
  let url: string
  let store: PostgresStore
  let accounts: number[]
  let nextId: () => string

  beforeEach(async () => {
    url = await newDatabase()
    store = await openTestStore(url)
    accounts = []
    for (let i = 0; i < 5; i++) accounts.push(await newAccount(store, `acct_${i}`, 1_000))
    nextId = store.createTaskIds(systemClock)
    // The first statement connects.
    await store.accept(newTask({ id: nextId(), accountNo: accounts[0]! }))
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await store[Symbol.asyncDispose]()
  })

  async function connect(): Promise<pg.Client & AsyncDisposable> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
  }

  it('a batch of submits, of lease renewals or of task ends takes one statement, and so does a claim', async () => {
    const acceptAll = () =>
      Promise.all(accounts.flatMap((accountNo) => [0, 1, 2].map(() => store.accept(newTask({ id: nextId(), accountNo })))))
    expect(await countStatements(acceptAll)).toBe(1)
    let claims = await store.claim(embeddedGrants(0), leaseMs)
    expect(await countStatements(async () => (claims = await store.claim(embeddedGrants(100), leaseMs)))).toBe(1)
    expect(claims).toHaveLength(16)
    expect(
      await countStatements(() =>
        store.renew(
          claims.map((claim) => ({ ...claim, progress: 5 })),
          leaseMs,
        ),
      ),
    ).toBe(1)
    const endAll = () =>
      Promise.all(
        claims.map((claim, index) =>
          index % 2 === 0
            ? store.complete(claim, [{ ...resultOf(claim), expiresAtMs: Date.now() + 60_000 }], 1)
            : store.cancel(claim.id),
        ),
      )
    expect(await countStatements(endAll)).toBe(1)
    expect(await countStatements(() => Promise.all(claims.map(({ id }) => store.find(id))))).toBe(0)
  })

  it('progress updates and ends read only their own tasks, even without statistics of the table', async () => {
    const acceptAll = () =>
      Promise.all(Array.from({ length: 100 }, () => store.accept(newTask({ id: nextId(), accountNo: accounts[0]! }))))
    await acceptAll()
    const claims = await store.claim(embeddedGrants(100), leaseMs)
    expect(claims).toHaveLength(100)
    const client = new pg.Client(url)
    await client.connect()
    try {
      await client.query('begin')
      const tasks = claims.slice(0, 20).map(({ id, fence }, i) => ({ i, no: taskNoOf(id), fence, attempt: 1 }))
      const renewals = tasks.map((task) => Object.assign({ kind: 'renew', progress: 5, lease_ms: leaseMs }, task))
      const records = tasks.map((task) => Object.assign({ kind: 'record_operation', operation: '{}' }, task))
      const steps = [...renewals, ...records]
      await client.query('select * from step_tasks($1::json, $2)', [JSON.stringify(steps), Date.now()])
      const ends = tasks.map((task) => Object.assign({ kind: 'cancel', code: 'cancelled', message: 'x' }, task))
      await client.query('select * from end_tasks($1::json, $2)', [JSON.stringify(ends), Date.now()])
      const { rows } = await client.query(
        "select pg_stat_get_xact_tuples_returned('tasks_running_idx'::regclass)::int as entries",
      )
      expect(rows, 'entries of running tasks that were read').toEqual([{ entries: 0 }])
    } finally {
      await client.end()
    }
  })

  it.each([[undefined], [true as const]])(
    'a list of running tasks reads only its own tasks, not those with another status (oldest first: %s)',
    async (isOldestFirst) => {
      await using client = await connect()
      await client.query(`
        insert into tasks (no, tail, account_no, model, object, parameters, status, price, due_at, ended_at, charged)
        select 10 * i + n, '0123456789abcdef', account_no, 'm', 'video', '{}', status, 0, due_at, ended_at, ended_at
        from generate_series(1, 10000) i
        cross join (values
          (0, ${accounts[0]}, 'completed', null, 0), (1, ${accounts[1]}, 'processing', 0, null), (2, ${accounts[0]}, 'queued', 0, null)
        ) v (n, account_no, status, due_at, ended_at)`)
      const runningNos = [60_009, 70_009, 80_009]
      await client.query(
        `insert into tasks (no, tail, account_no, model, object, parameters, status, price, due_at)
         select no, '0123456789abcdef', $1, 'm', 'video', '{}', 'processing', 0, 0 from unnest($2::bigint[]) no`,
        [accounts[0], runningNos],
      )
      await client.query('vacuum analyze tasks')
      const query = vi.spyOn(pg.Client.prototype, 'query')
      const list = { accountNo: accounts[0]!, limit: 10, status: 'processing' as const }
      const tasks = await store.list({ ...list, ...(isOldestFirst && { isOldestFirst }) })
      const requests = query.mock.calls.map(([request]: unknown[]) => request as { text: string; values: unknown[] })
      query.mockRestore()
      expect(tasks.map(({ id }) => taskNoOf(id))).toEqual(isOldestFirst ? runningNos : runningNos.toReversed())
      const { text, values } = requests.find((request) => request.text.includes('from tasks t'))!
      await client.query('begin')
      await client.query(text, values)
      const { rows } = await client.query<{ tuples: number }>(tuplesReadSql)
      // The planner reads the last entries of indexes.
      expect(rows[0]!.tuples).toBeLessThan(20)
    },
  )

  it('all reads of tasks in a tick share one statement, and a claim of tasks with input images takes two', async () => {
    const ids = [nextId(), nextId(), nextId()]
    for (const id of ids) await store.accept(newTask({ id, accountNo: accounts[0]!, images: '{}' }))
    expect(await countStatements(() => Promise.all([...ids, ...ids].map((id) => store.find(id))))).toBe(1)
    expect(await countStatements(() => store.claim(embeddedGrants(100), leaseMs))).toBe(2)
  })

  it('the statement of a usage report without accounts has only two aggregations', async () => {
    const statements: { sql: string; parameters: readonly unknown[] }[] = []
    const readMany: Store['readMany'] = async (statement) => {
      statements.push(statement)
      return []
    }
    const noFilters = { brand: undefined, account: undefined, model: undefined, limit: 100 }
    await readUsageReport(
      { database: store.database, readMany },
      { ...noFilters, fromDay: 20_000, lastDay: 20_090, by: ['day', 'brand', 'route'] },
    )
    const report = statements.find(({ sql }) => sql.includes('usage_totals'))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${report?.sql}`, [...(report?.parameters ?? [])])
      const plan = rows.map((row) => row['QUERY PLAN'])
      expect(plan.filter((step) => /Aggregate/.test(step))).toHaveLength(2)
    } finally {
      await client.end()
    }
  })

  it.each([
    ['served_virtual_start', 'select served_virtual_start(2)::int as start', 'tasks_virtual_start_idx', 2],
    ['last_virtual_start', 'select last_virtual_start(1, 2)::int as start', 'tasks_unclaimed_idx', 3000],
  ])('%s reads only the first row of its index in a long queue', async (_name, sql, index, start) => {
    await using client = await connect()
    await client.query(`
      insert into tasks (no, tail, account_no, model, object, parameters, status, price, due_at, lane, virtual_start)
      select i, 'x', 1, 'm', 'video', '{}', 'queued', 0, 0, 2, 2 + i from generate_series(1, 2998) i`)
    await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan; begin')
    expect((await client.query(sql)).rows).toEqual([{ start }])
    const { rows } = await client.query('select pg_stat_get_xact_tuples_returned($1::regclass)::int as entries', [index])
    expect(rows).toEqual([{ entries: 1 }])
  })

  it('last_virtual_start reads only its result, however many tasks of the account were queued again', async () => {
    await using client = await connect()
    await client.query(`
      insert into tasks (no, tail, account_no, model, object, parameters, status, price, due_at, lane, virtual_start, lease_fence)
      select i, 'x', 1, 'm', 'video', '{}', 'queued', 0, 0, 2, i, (i > 1)::int from generate_series(1, 3000) i`)
    await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan; begin')
    expect((await client.query('select last_virtual_start(1, 2)::int as start')).rows).toEqual([{ start: 1 }])
    const { rows } = await client.query(tuplesReadSql)
    expect(rows).toEqual([{ tuples: 1 }])
  })

  it('the statement for waiting_lanes reads no more rows than it counts, even before the tables are analyzed', async () => {
    await using client = await connect()
    await client.query(`
      insert into tasks (no, tail, account_no, model, object, parameters, status, price, due_at, lane, virtual_start)
      select i, 'x', 1, 'm', 'video', '{}', 'queued', 0, 0, 1 + i % 3, i from generate_series(1, 3000) i`)
    await client.query('set enable_seqscan = off; begin')
    await client.query('select * from waiting_lanes(10)')
    const [read] = (
      await client.query<Record<'entries' | 'rows', number>>(`
        select pg_stat_get_xact_tuples_returned('tasks_virtual_start_idx'::regclass)::int as entries,
          pg_stat_get_xact_tuples_returned('tasks'::regclass)::int as rows`)
    ).rows
    // Ten of each of the three lanes are counted, and one is read to find the next lane.
    expect(read).toEqual({ entries: expect.toSatisfy((count: number) => count >= 3 && count <= 40), rows: 0 })
  })

  it('slots_left and pool_states count the slots in use without reading attempts', async () => {
    await using client = await connect()
    await client.query(`insert into slot_pools (kind, name, target) values ('upstream', 'u', 'x'), ('route', 'r', 'x')`)
    await client.query(`
      insert into task_attempts (task_no, number, state, route, started_at, upstream_pool, route_pool, holds_slot)
      select i, 1, 'started', 'r', 0, 1, 2, 1 from generate_series(1, 1000) i`)
    await client.query('set enable_seqscan = off; begin')
    const { rows } = await client.query('select slots_left(1, 1010, 0)::int, pool_states() #>> $1 as of_route', ['{1,inFlight}'])
    expect(rows).toEqual([{ slots_left: 10, of_route: '1000' }])
    const read = await client.query(`
      select sum(pg_stat_get_xact_tuples_returned(c.oid))::int as tuples
      from pg_class c
      where c.oid = 'task_attempts'::regclass or c.oid in (select indexrelid from pg_index where indrelid = 'task_attempts'::regclass)`)
    expect(read.rows).toEqual([{ tuples: 0 }])
  })

  it('slots_left and spent_since read no open forwarded requests', async () => {
    await using client = await connect()
    await client.query(`insert into slot_pools (kind, name, target) values ('upstream', 'u', 'x'), ('route', 'r', 'x')`)
    await client.query(`
      insert into forwarded_requests (no, request_id, owner, account_no, key_no, model, object, price, started_at, upstream_pool, route_pool)
      select i, 'req', 'a', 1, 5, 'm', 'chat', 2, 0, 1, 2 from generate_series(1, 1000) i`)
    await client.query('set enable_seqscan = off; begin')
    const { rows } = await client.query(
      'select slots_left(1, 1010, 0)::int, slots_left(2, 1020, 0)::int as of_route, spent_since(1, 5, 0)::int',
    )
    expect(rows).toEqual([{ slots_left: 10, of_route: 20, spent_since: 2000 }])
    const read = await client.query(`
      select sum(pg_stat_get_xact_tuples_returned(c.oid))::int as tuples
      from pg_class c
      where c.oid = 'forwarded_requests'::regclass
        or c.oid in (select indexrelid from pg_index where indrelid = 'forwarded_requests'::regclass)`)
    expect(read.rows).toEqual([{ tuples: 0 }])
  })

  it('the search for ended attempts that hold slots reads no other attempts, even while many are in flight', async () => {
    await using client = await connect()
    await client.query(`
      insert into tasks (no, tail, account_no, model, object, parameters, status, price, due_at)
      select i, 'x', 1, 'm', 'video', '{}', 'queued', 0, 0 from generate_series(1, 20000) i`)
    await client.query(`
      insert into task_attempts (task_no, number, state, route, started_at, ended_at, upstream_pool, holds_slot)
      select i, 1, 'started', 'r', 0, case when i % 2 = 0 then 1 end, 1, i % 2 from generate_series(1, 20000) i`)
    await client.query('vacuum analyze tasks, task_attempts')
    const query = vi.spyOn(pg.Client.prototype, 'query')
    expect(await createUnresolvedAttempts(store.database, systemClock).listHoldingSlots(2)).toEqual([])
    const requests = query.mock.calls.map(([request]: unknown[]) => request as { text: string; values: unknown[] })
    query.mockRestore()
    const { text, values } = requests.find((request) => request.text.includes('holds_slot'))!
    await client.query('begin')
    await client.query(text, values)
    const [read] = (
      await client.query<{ entries: number }>(
        "select pg_stat_get_xact_tuples_returned('task_attempts_pkey'::regclass)::int as entries",
      )
    ).rows
    // The planner reads the first and the last entry.
    expect(read!.entries).toBeLessThanOrEqual(2)
  })

  it('a new writer adds the slot counts of ended database sessions to its own, and leaves those of open sessions', async () => {
    await using open = await connect()
    await using ended = await connect()
    const acquireSql = `
      insert into task_attempts (task_no, number, state, route, started_at, upstream_pool, holds_slot)
      values ($1, 1, 'assigned', 'r', 0, 1, 1)`
    await open.query(acquireSql, [1])
    await ended.query(acquireSql, [2])
    await ended.query(acquireSql, [3])
    await ended.query("update task_attempts set state = 'started' where task_no = 3")
    await ended.end()
    await store.crash()
    await vi.waitFor(async () =>
      expect(await rowsOf(url, 'select from pg_stat_activity where datname = current_database()')).toHaveLength(2),
    )
    store = await openTestStore(url)
    await store.accept(newTask({ id: nextId(), accountNo: accounts[0]! }))
    expect(await rowsOf(url, 'select in_flight::int, unconfirmed::int from slot_counts order by in_flight')).toEqual([
      { in_flight: 1, unconfirmed: 1 },
      { in_flight: 2, unconfirmed: 1 },
    ])
  })

  it('the results of changed tasks are looked up by task, even with a query plan from before the first result', async () => {
    await Promise.all(Array.from({ length: 20 }, () => store.accept(newTask({ id: nextId(), accountNo: accounts[0]! }))))
    const claims = await store.claim(embeddedGrants(20), leaseMs)
    await using client = await connect()
    await client.query("insert into writers (id, batch, opened_at) values ('w', 0, 0)")
    await client.query(
      'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set plan_cache_mode = force_generic_plan',
    )
    await client.query(
      `prepare find (bigint[]) as select ${taskColumns.postgres} from ${taskTables.postgres} where t.no = any ($1)`,
    )
    const nos = claims.map(({ id }) => taskNoOf(id))
    const readTasks = async () => {
      await client.query(`execute find('{${nos.join(',')}}')`)
      const ends = nos.map((no, i) => ({ i, no, kind: 'cancel', code: 'cancelled', message: 'x' }))
      const batch = [[accounts[0]], nos, JSON.stringify(ends)]
      await client.query("select write_batch('w', 1, null, $1, $2, '{}', null, null, null, $3, null, null)", batch)
    }
    await client.query('begin')
    await readTasks()
    await client.query('rollback')
    await client.query(`
      insert into results (task_no, position, object_key, content_type, size_bytes, sha256, width, height, expires_at)
      select i, 0, 'k', 'image/png', 1, 'x', 1, 1, 0 from generate_series(1, 1000) i`)
    await client.query('begin')
    await readTasks()
    const { rows } = await client.query("select pg_stat_get_xact_tuples_returned('results_pkey'::regclass)::int as entries")
    expect(rows, 'entries of the results of other tasks that were read').toEqual([{ entries: 0 }])
  })
})

/** The number of index entries and rows of tasks that the transaction has read. */
const tuplesReadSql = `
  select sum(pg_stat_get_xact_tuples_returned(c.oid))::int as tuples
  from pg_class c
  where c.oid = 'tasks'::regclass or c.oid in (select indexrelid from pg_index where indrelid = 'tasks'::regclass)`

/** Returns the number of statements during the action that write, or that read tasks. */
async function countStatements(action: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await action()
  const texts = query.mock.calls.map(([requested]: unknown[]) =>
    typeof requested === 'string' ? requested : (requested as { text: string }).text,
  )
  query.mockRestore()
  return texts.filter((text) => /write_batch|from tasks|from task_images/.test(text)).length
}
