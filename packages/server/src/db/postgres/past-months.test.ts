import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsistentLedger } from '../../../test/consistent-ledger.ts'
import { emptiedDatabase, type EmptiedDatabase } from '../../../test/postgres/emptied-databases.ts'
import { openTestStore } from '../../../test/postgres/open-test-store.ts'
import { rowsOf } from '../../../test/postgres/postgres-server.ts'
import { hasPostgres } from '../../../test/postgres/test-database.ts'
import { listAttempts } from '../../admin/attempts.ts'
import { createPromptRetention } from '../../deletion/prompt-retention.ts'
import { createTaskRetention } from '../../deletion/task-retention.ts'
import { createTaskIds, firstTaskNoAt, taskNoOf } from '../../identity/task-id.ts'
import { dayMs } from '../../lib/dates.ts'
import { createLogger } from '../../lib/logger.ts'
import { claimEmbedded, leaseMs, newAccount, newTask, resultOf } from '../store-under-test.ts'
import type { PostgresStore } from './postgres-store.ts'

const resultRetentionMs = 7 * dayMs
const januaryMs = Date.UTC(2026, 0, 10)
const februaryMs = Date.UTC(2026, 1, 10)
const aprilMs = Date.UTC(2026, 3, 1)
/** Maximum wait of a submit while a month is dropped. */
const submitMsMax = 2_000

describe.runIf(hasPostgres)('months of past tasks on PostgreSQL', () => {
  let database: EmptiedDatabase
  let store: PostgresStore
  let accountNo: number
  let nowMs: number
  let nextId: () => string

  beforeEach(async () => {
    nowMs = januaryMs
    database = await emptiedDatabase()
    store = await openTestStore(database.url, () => nowMs)
    accountNo = await newAccount(store, 'acct', 1_000_000)
    nextId = createTaskIds(() => nowMs)
  })
  afterEach(async () => {
    await expectConsistentLedger(store)
    await rowsOf(database.url, `select drop_past_month(${firstTaskNoAt(aprilMs)}) from generate_series(1, 9)`)
    await store[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  async function acceptTask(ms: number): Promise<string> {
    nowMs = ms
    const id = nextId()
    await store.accept(newTask({ id, accountNo, parameters: '{"seconds":5,"prompt":"quetzal"}' }))
    return id
  }
  async function failTask(ms: number): Promise<string> {
    const id = await acceptTask(ms)
    await store.cancel(id)
    return id
  }
  async function completeTask(ms: number): Promise<string> {
    const id = await acceptTask(ms)
    const [claim] = await claimEmbedded(store, 1, leaseMs)
    if (claim === undefined) throw new Error('there was nothing to claim')
    const result = resultOf(claim)
    await store.complete(claim, [result, { ...result, objectKey: 'second.mp4' }], 7)
    const expired = [result.objectKey, 'second.mp4'].map((objectKey) => ({ objectKey, taskId: id }))
    await store.markResultsRemoved(expired, nowMs)
    return id
  }
  /**
   * Removes due prompts and moves all tasks that can be moved at this time. Returns their number.
   */
  async function moveAll(ms: number): Promise<number> {
    nowMs = ms
    await createPromptRetention({ store, resultRetentionMs, clock: () => nowMs }).sweep(new AbortController().signal)
    let count = 0
    for (let fromNo: number | null = 0; fromNo !== null;) {
      const { moved, nextNo } = await store.moveTasks({ fromNo, countMax: 2, resultRetentionMs })
      count += moved
      fromNo = nextNo
    }
    return count
  }
  const findTables = async (id: string) => {
    const no = taskNoOf(id)
    const rows = await rowsOf<{ table: string }>(
      database.url,
      `select 'tasks' as table from tasks where no = ${no}
       union all select tableoid::regclass::text from past_tasks where no = ${no}`,
    )
    return rows.map(({ table }) => table)
  }
  const dropMonthBefore = (beforeMs: number) => store.dropMonth(firstTaskNoAt(beforeMs))
  const listIds = async (query: Partial<Parameters<PostgresStore['list']>[0]> = {}) =>
    (await store.list({ accountNo, limit: 100, ...query })).map(({ id }) => id)

  const readColumns = async (table: string) =>
    await rowsOf<{ column_name: string }>(
      database.url,
      `select column_name, data_type, is_nullable from information_schema.columns where table_name = '${table}' order by ordinal_position`,
    )

  it('moved tasks are found and listed with their results, attempts and entries, like tasks that were not moved', async () => {
    const januaryId = await completeTask(januaryMs)
    const failedId = await failTask(januaryMs + dayMs)
    const februaryId = await completeTask(februaryMs)
    const newestId = await acceptTask(februaryMs + 60 * dayMs - 1)
    const readAll = async () => ({
      tasks: await Promise.all([januaryId, failedId, februaryId].map((id) => store.find(id))),
      listed: await store.list({ accountNo, limit: 100 }),
      pages: [
        await listIds({ limit: 2 }),
        await listIds({ limit: 2, beforeId: februaryId }),
        await listIds({ isOldestFirst: true, limit: 3 }),
      ],
      failed: await listIds({ status: 'failed' }),
      entries: await store.listEntries({ accountNo, limit: 100 }),
      ofTask: await store.listEntries({ accountNo, limit: 100, taskId: januaryId }),
      attempts: await listAttempts(
        store.database,
        { isUnresolvedOnly: false, reason: undefined, taskId: undefined, before: undefined },
        100,
      ),
    })
    nowMs = februaryMs + 60 * dayMs
    await createPromptRetention({ store, resultRetentionMs, clock: () => nowMs }).sweep(new AbortController().signal)
    store.resync()
    const firstRead = await readAll()
    expect(firstRead.pages).toEqual([
      [newestId, februaryId],
      [failedId, januaryId],
      [januaryId, failedId, februaryId],
    ])
    expect(firstRead.tasks[0]?.results).toHaveLength(2)

    expect(await moveAll(nowMs)).toBe(3)
    expect([await findTables(januaryId), await findTables(februaryId), await findTables(newestId)]).toEqual([
      ['past_tasks_2026_01'],
      ['past_tasks_2026_02'],
      ['tasks'],
    ])
    store.resync()
    expect(await readAll()).toEqual(firstRead)
    expect(await moveAll(nowMs)).toBe(0)
  })

  it('a task is not moved while it has a prompt or a file', async () => {
    const failedId = await failTask(januaryMs)
    const completedId = await acceptTask(januaryMs)
    const [claim] = await claimEmbedded(store, 1, leaseMs)
    if (claim === undefined) throw new Error('there was nothing to claim')
    await store.complete(claim, [resultOf(claim)], 7)
    expect(await moveAll(januaryMs + 7 * dayMs - 1)).toBe(0)
    expect(await moveAll(januaryMs + 8 * dayMs)).toBe(1)
    expect([await findTables(failedId), await findTables(completedId)]).toEqual([['past_tasks_2026_01'], ['tasks']])

    const brandTaskId = await failTask(februaryMs)
    await store.database.updateTable('brands').set({ prompt_retention_days: 30 }).execute()
    expect(await moveAll(februaryMs + 29 * dayMs)).toBe(0)
    expect(await moveAll(februaryMs + 31 * dayMs)).toBe(1)
    expect(await findTables(brandTaskId)).toEqual(['past_tasks_2026_02'])
  })

  it('a month is dropped when the numbers of all its tasks are below `beforeNo`, and the ledger keeps its entries', async () => {
    const januaryId = await completeTask(januaryMs)
    const februaryId = await failTask(Date.UTC(2026, 1, 1))
    await moveAll(aprilMs)
    store.resync()
    expect([await store.find(januaryId), await store.find(februaryId)]).toMatchObject([{ id: januaryId }, { id: februaryId }])
    const entries = await store.listEntries({ accountNo, limit: 100 })
    expect(await dropMonthBefore(Date.UTC(2026, 1, 1) - 1)).toEqual({ kind: 'none' })
    expect(await dropMonthBefore(Date.UTC(2026, 1, 1))).toEqual({ kind: 'dropped', name: '2026_01' })
    expect(await dropMonthBefore(Date.UTC(2026, 1, 1))).toEqual({ kind: 'none' })
    expect([await store.find(januaryId), await listIds()]).toEqual([undefined, [februaryId]])
    const remaining = await store.listEntries({ accountNo, limit: 100 })
    expect(remaining).toEqual(
      entries.map((entry) => (entry.taskId === januaryId ? Object.assign(entry, { taskId: null }) : entry)),
    )
    expect(await dropMonthBefore(aprilMs)).toEqual({ kind: 'dropped', name: '2026_02' })
  })

  it('a moved task can be deleted: clients no longer see it, and its row stays until its month is dropped', async () => {
    const id = await completeTask(januaryMs)
    await moveAll(februaryMs)
    store.resync()
    expect(await store.erase([{ id, parameters: '{"seconds":5}' }], { kind: 'task' })).toEqual([id])
    expect([await store.find(id), await listIds(), await findTables(id)]).toEqual([undefined, [], ['tasks']])
    expect(await moveAll(februaryMs)).toBe(1)
    expect([await store.find(id), await listIds(), await findTables(id)]).toEqual([undefined, [], ['past_tasks_2026_01']])
  })

  it('a task that is deleted while another process moves tasks is deleted', async () => {
    const id = await completeTask(januaryMs)
    await moveAll(februaryMs)
    await using mover = await openTestStore(database.url, () => nowMs)
    // The other process moves tasks just before the content of the task is erased.
    await store.writer.run(async (client) => {
      const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>
      vi.spyOn(client, 'query').mockImplementation(async (...parameters: unknown[]) => {
        if (String(parameters[0]).includes('erase_tasks')) await mover.moveTasks({ fromNo: 0, countMax: 100, resultRetentionMs })
        return query(...parameters)
      })
    })
    const erasedIds = await store.erase([{ id, parameters: '{"seconds":5}' }], { kind: 'task' })
    expect([erasedIds, await store.find(id), await listIds()]).toEqual([[id], undefined, []])
  })

  it('a check of the ledger finds no differences if a drop of a month begins during the check', async () => {
    await completeTask(januaryMs)
    await moveAll(aprilMs)
    await using dropper = await openTestStore(database.url, () => nowMs)
    const locking = new pg.Client({ connectionString: database.url })
    await locking.connect()
    await locking.query('begin; lock table entries')
    const checked = store.verifyCredits()
    const waitersSql = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await vi.waitFor(async () => expect(await rowsOf(database.url, waitersSql)).toHaveLength(1), { interval: 10 })
    const dropNow = () => dropper.dropMonth(firstTaskNoAt(aprilMs))
    const dropped = await dropNow()
    await locking.end()
    expect([(await checked).differences, dropped]).toEqual([[], { kind: 'busy' }])
    expect(await dropNow()).toMatchObject({ kind: 'dropped' })
  })

  it('sweeps move the tasks of a month, and drop the month when its retention has passed', async () => {
    const prompts = createPromptRetention({ store, resultRetentionMs, clock: () => nowMs })
    const retention = createTaskRetention({
      store,
      months: 1,
      resultRetentionMs,
      isLeader: () => true,
      clock: () => nowMs,
      logger: createLogger('silent'),
    })
    const sweepAt = async (ms: number) => {
      nowMs = ms
      await prompts.sweep(new AbortController().signal)
      await retention.sweep(new AbortController().signal)
    }
    const id = await completeTask(januaryMs)
    const runningId = await acceptTask(januaryMs)
    await sweepAt(januaryMs + 8 * dayMs)
    expect([await findTables(id), await findTables(runningId)]).toEqual([['past_tasks_2026_01'], ['tasks']])
    await sweepAt(Date.UTC(2026, 2, 1) - 1)
    expect(await store.find(id)).toMatchObject({ status: 'completed' })
    await sweepAt(Date.UTC(2026, 2, 1, 1))
    expect([await store.find(id), await findTables(id), await listIds()]).toEqual([undefined, [], [runningId]])
    await store.cancel(runningId)
    await sweepAt(Date.UTC(2026, 2, 1, 2))
    expect(await listIds()).toEqual([])
  })

  it('dropping a month does not block submits, even while a long-running read delays the drop', async () => {
    for (let i = 0; i < 5; i++) await failTask(januaryMs)
    await moveAll(aprilMs)
    const reader = new pg.Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('begin; select count(*) from all_tasks')
    // A second store, in place of a second process, drops the month, because the writes of one
    // store are serialized.
    const dropper = await openTestStore(database.url, () => nowMs)
    const dropNow = () => dropper.dropMonth(firstTaskNoAt(aprilMs))
    const dropping = new AbortController()
    let slowestMs = 0
    let submitCount = 0
    async function submit(): Promise<void> {
      while (!dropping.signal.aborted) {
        const startedAt = performance.now()
        expect(await store.accept(newTask({ id: nextId(), accountNo }))).toMatchObject({ kind: 'accepted' })
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
        submitCount++
      }
    }
    const submitting = [submit(), submit(), submit()]
    const busy = [await dropNow(), await dropNow()]
    await reader.query('commit')
    const dropped = await dropNow()
    dropping.abort()
    await Promise.all(submitting)
    await reader.end()
    await dropper[Symbol.asyncDispose]()
    expect([busy, dropped]).toEqual([[{ kind: 'busy' }, { kind: 'busy' }], { kind: 'dropped', name: '2026_01' }])
    expect(submitCount).toBeGreaterThan(3)
    expect(slowestMs).toBeLessThan(submitMsMax)
  })

  it('past_* and all_* have the same columns as tasks, task_attempts and results', async () => {
    for (const table of ['tasks', 'task_attempts', 'results']) {
      const columns = await readColumns(table)
      expect(await readColumns(`past_${table}`)).toEqual(columns)
      expect((await readColumns(`all_${table}`)).map(({ column_name: name }) => name)).toEqual(
        columns.map(({ column_name: name }) => name),
      )
    }
  })
})
