import { describe, expect, it } from 'vitest'
import { dayMs } from '../../lib/dates.ts'
import { firstTaskNoAt } from '../../identity/task-id.ts'

/** SQLite or PostgreSQL, with databases that lack the migration to usage by route. */
export interface EngineBeforeMigration {
  name: string
  /** Names and values of the columns of `tasks` that only this kind of database has. */
  engineColumns: readonly (readonly [name: string, value: string])[]
  /** Opens a database with all migrations before the migration to usage by route. */
  open(): Promise<{
    run(sql: string): Promise<void>
    /** Applies the migration to usage by route, and all later ones. */
    migrate(): Promise<void>
    readRows(sql: string): Promise<Record<string, unknown>[]>
    /** Returns the differences in usage that the ledger check finds. */
    findWrongUsage(): Promise<string[]>
    close(): Promise<void>
  }>
}

const firstDay = 20_000

interface OldTask {
  day: number
  account?: number
  key?: number
  charged?: number
  seconds?: number
  attempts?: readonly OldAttempt[]
}

interface OldAttempt {
  state: 'succeeded' | 'failed' | 'not_accepted'
  snapshot: number
  unresolved?: string
  closing?: string
  /** Set for an attempt that ended before its task did. */
  isEarlier?: true
}

/** The tasks in the database. A task with a charge is completed, and any other task has failed. */
const tasks: readonly OldTask[] = [
  { day: 0, key: 5, charged: 7, seconds: 4, attempts: [{ state: 'succeeded', snapshot: 1 }] },
  { day: 0, key: 5, charged: 9, seconds: 6, attempts: [{ state: 'succeeded', snapshot: 1 }] },
  { day: 0, account: 2, charged: 3, attempts: [{ state: 'succeeded', snapshot: 0 }] },
  { day: 0, attempts: [{ state: 'failed', snapshot: 1 }] },
  { day: 0, attempts: [{ state: 'failed', snapshot: 1, unresolved: 'lost_reply' }] },
  { day: 0, attempts: [{ state: 'failed', snapshot: 1, unresolved: 'lost_reply', closing: 'was_not_started' }] },
  { day: 1 },
  {
    day: 1,
    charged: 11,
    attempts: [
      { state: 'not_accepted', snapshot: 1, isEarlier: true },
      { state: 'succeeded', snapshot: 2 },
    ],
  },
  { day: 1, attempts: [{ state: 'failed', snapshot: 0, isEarlier: true }] },
]

export function describeUsageMigration(engine: EngineBeforeMigration): void {
  describe(`the migration to usage by route: ${engine.name}`, () => {
    it(
      'the migration computes the usage by route from the existing tasks, attempts, entries and results',
      { timeout: 60_000 },
      async () => {
        const database = await engine.open()
        try {
          await database.run(
            `insert into route_snapshots (no, digest, definition, created_at)
           values (1, 'a', '{"name":"fast","upstream":"north"}', 0), (2, 'b', '{"name":"cheap","upstream":"south"}', 0)`,
          )
          for (const [index, task] of tasks.entries()) for (const sql of insertsOf(index, task)) await database.run(sql)
          await database.migrate()
          const usage = await database.readRows(
            `select day - ${firstDay} as day, account_no, key_no, route_no, completed, failed, charged, produced_ms, cost, cost_unknown
           from usage order by day, account_no, key_no, route_no`,
          )
          const columns = [
            'day',
            'account_no',
            'key_no',
            'route_no',
            'completed',
            'failed',
            'charged',
            'produced_ms',
            'cost',
            'cost_unknown',
          ]
          expect(usage.map((row) => columns.map((column) => Number(row[column])))).toEqual([
            [0, 1, 0, 1, 0, 3, 0, 0, 0, 3],
            [0, 1, 5, 1, 2, 0, 16, 10_000, 0, 2],
            [0, 2, 0, 0, 1, 0, 3, 0, 0, 0],
            [1, 1, 0, -1, 0, 2, 0, 0, 0, 0],
            [1, 1, 0, 2, 1, 0, 11, 0, 0, 1],
          ])
          expect(await database.findWrongUsage()).toEqual([])
          expect(await database.readRows('select name, upstream from route_snapshots order by no')).toEqual([
            { name: 'fast', upstream: 'north' },
            { name: 'cheap', upstream: 'south' },
          ])
        } finally {
          await database.close()
        }
      },
    )
  })

  /** Returns the statements that insert a task with its attempts, entry and result. */
  function insertsOf(index: number, { day, account = 1, key, charged, seconds, attempts = [] }: OldTask): string[] {
    const no = firstTaskNoAt((firstDay + day) * dayMs) + index
    const endedAt = 1_000 + index
    const status = charged === undefined ? 'failed' : 'completed'
    const { engineColumns } = engine
    return [
      `insert into tasks (no, tail, account_no, key_no, model, object, parameters, status, price, charged, ended_at
         ${engineColumns.map(([name]) => `, ${name}`).join('')})
       values (${no}, '', ${account}, ${key ?? 'null'}, 'a model', 'video', '{}', '${status}', 20, ${charged ?? 0}, ${endedAt}
         ${engineColumns.map(([, value]) => `, ${value}`).join('')})`,
      ...attempts.map(
        ({ state, snapshot, unresolved, closing, isEarlier }, attemptIndex) =>
          `insert into task_attempts (task_no, number, state, route, snapshot_no, started_at, ended_at, unresolved, closing)
           values (${no}, ${attemptIndex + 1}, '${state}', 'r', ${snapshot}, 0, ${isEarlier ? 1 : endedAt}, ${sqlText(unresolved)}, ${sqlText(closing)})`,
      ),
      ...(charged === undefined ? [] : [insertEntry(no, account, { position: index + 1, amount: 20 - charged })]),
      ...(charged === undefined || seconds === undefined ? [] : [insertResult(no, seconds)]),
    ]
  }
}

function insertEntry(no: number, account: number, { position, amount }: { position: number; amount: number }): string {
  return `insert into entries (account_no, position, task_no, kind, amount, held, balance_after, at)
    values (${account}, ${position}, ${no}, 'settle', ${amount}, -20, 100, 0)`
}

function insertResult(no: number, seconds: number): string {
  return `insert into results (task_no, position, object_key, content_type, size_bytes, sha256, width, height, duration_ms, expires_at)
    values (${no}, 0, 'asset', 'video/mp4', 1, '', 1, 1, ${seconds * 1000}, 0)`
}

function sqlText(value: string | undefined): string {
  return value === undefined ? 'null' : `'${value}'`
}
