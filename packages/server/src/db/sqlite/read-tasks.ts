import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { isTerminal } from '@framegate/contract'
import {
  createdAtMsOfNo,
  createTaskIds,
  firstTaskNoAt,
  isTaskId,
  taskIdOf,
  taskNoOf,
  taskTailOf,
} from '../../identity/task-id.ts'
import type { Clock } from '../../lib/clock.ts'
import type { TaskListQuery, TaskRecord } from '../task-queries.ts'
import { taskColumns, taskColumnsWithoutTexts, taskRecordOf, taskTables } from '../task-record.ts'
import type { AccountIndex } from './account-index.ts'
import { readNow } from './sqlite-errors.ts'
import type { TaskMemory } from './task-memory.ts'

/** Maximum number of rows that a list scans before it lets other work of the thread run. */
const rowsPerScan = 500

/** Reads tasks from memory and from the database. */
export class TaskReader {
  readonly #database: DatabaseSync
  readonly #memory: TaskMemory
  readonly #accountIndex: AccountIndex
  readonly #readTask: StatementSync
  readonly #readTaskWithoutText: StatementSync

  /** Fills `memory` with every task that has not ended. */
  constructor(database: DatabaseSync, memory: TaskMemory, accountIndex: AccountIndex) {
    this.#database = database
    this.#memory = memory
    this.#accountIndex = accountIndex
    this.#readTask = prepareReadTask(database)
    this.#readTaskWithoutText = database.prepare(
      `select ${taskColumnsWithoutTexts.sqlite} from ${taskTables.sqlite} where t.no = ?`,
    )
    // Each of these conditions uses one index. Together they select every task that has not ended.
    const queuedCondition = 't.due_at is not null and t.virtual_start is null and t.waits = 0'
    for (const condition of ['t.virtual_start is not null', queuedCondition, 't.waits = 1', 't.waits = 2']) {
      const tasks = database.prepare(`select ${taskColumns.sqlite} from ${taskTables.sqlite} where ${condition}`)
      for (const row of tasks.iterate()) memory.set(taskRecordOf(row))
    }
  }

  createTaskIds(clock: Clock): () => string {
    const highestOfEach = 'select max(no) as no from tasks union all select max(no) from forwarded_requests'
    const highestNo = Number(this.#database.prepare(`select max(no) as no from (${highestOfEach})`).get()?.['no'] ?? 0)
    const findNext = this.#database.prepare(`
      select min(no) as no
      from (select min(no) as no from tasks where no >= ?1 union all select min(no) from forwarded_requests where no >= ?1)`)
    return createTaskIds(clock, highestNo, {
      findNextMs(ms) {
        const no = findNext.get(firstTaskNoAt(ms))?.['no'] ?? null
        return no === null ? null : createdAtMsOfNo(Number(no))
      },
      onReturned: (ms) => this.#accountIndex.restartAt(firstTaskNoAt(ms)),
    })
  }

  readNewestTaskMs(): number | null {
    const no = this.#database.prepare('select max(no) as no from tasks').get()?.['no'] ?? null
    return no === null ? null : createdAtMsOfNo(Number(no))
  }

  idOf(no: number): string {
    const row = this.#readTask.get(no)
    return taskIdOf(no, String(row?.['tail']))
  }

  find(id: string): TaskRecord | undefined {
    const cachedTask = this.#memory.peek(id)
    if (cachedTask !== undefined) return cachedTask
    const task = readTask(this.#readTask, id)
    if (task !== undefined && isTerminal(task.status)) this.#memory.set(task)
    return task
  }

  async list(query: TaskListQuery): Promise<TaskRecord[]> {
    const createdUntilNo = query.createdUntilMs === undefined ? Infinity : firstTaskNoAt(query.createdUntilMs)
    const fromNo = Math.max(
      query.createdFromMs === undefined ? 0 : firstTaskNoAt(query.createdFromMs),
      query.afterId === undefined ? 0 : taskNoOf(query.afterId) + 1,
    )
    const beforeNo = Math.min(
      createdUntilNo,
      query.beforeId === undefined ? Infinity : taskNoOf(query.beforeId),
      Number.MAX_SAFE_INTEGER,
    )
    if (query.status !== undefined && !isTerminal(query.status)) return this.#memory.list(query, beforeNo, fromNo)
    const records: TaskRecord[] = []
    const { accountNo, limit, isOldestFirst } = query
    const isInRange = (no: number): boolean => no >= fromNo && no < beforeNo
    for (let [rangeStart, rangeEnd] = [fromNo, beforeNo]; ;) {
      const taskNos = readNow(() =>
        isOldestFirst
          ? this.#accountIndex.listFrom(accountNo, rangeStart, rowsPerScan)
          : this.#accountIndex.listBefore(accountNo, rangeEnd, rowsPerScan),
      )
      for (const task of this.#tasksOf(taskNos.filter(isInRange), query)) {
        records.push(task)
        if (records.length === limit) return records
      }
      const lastNo = taskNos.at(-1)
      if (lastNo === undefined || taskNos.length < rowsPerScan || !isInRange(lastNo)) return records
      ;[rangeStart, rangeEnd] = [lastNo + 1, lastNo]
      await setImmediate()
    }
  }

  *#tasksOf(taskNos: readonly number[], query: TaskListQuery): Generator<TaskRecord> {
    const statement = query.withTexts === true ? this.#readTask : this.#readTaskWithoutText
    for (const no of taskNos) {
      const row = readNow(() => statement.get(no))
      if (row === undefined || row['deleted_at'] !== null) continue
      if (query.status !== undefined && row['status'] !== query.status) continue
      if (query.model !== undefined && row['model'] !== query.model) continue
      if (query.object !== undefined && row['object'] !== query.object) continue
      const task = taskRecordOf(row)
      yield this.#memory.peek(task.id) ?? task
    }
  }
}

export function prepareReadTask(database: DatabaseSync): StatementSync {
  return database.prepare(`select ${taskColumns.sqlite} from ${taskTables.sqlite} where t.no = ?`)
}

/** Reads a task. Returns undefined if it does not exist or is deleted. */
export function readTask(statement: StatementSync, id: string): TaskRecord | undefined {
  if (!isTaskId(id)) return undefined
  const row = readNow(() => statement.get(taskNoOf(id)))
  if (row === undefined || row['tail'] !== taskTailOf(id)) return undefined
  const task = taskRecordOf(row)
  return task.isDeleted === true ? undefined : task
}
