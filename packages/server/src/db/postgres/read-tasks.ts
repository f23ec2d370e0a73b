import { taskNoOf } from '../../identity/task-id.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import type { TaskRecord } from '../task-queries.ts'
import { allTaskTables, taskColumns, taskRecordOf, taskTables } from '../task-record.ts'
import type { ConnectionPool } from './connections.ts'

const idsPerReadMax = 1_000
/**
 * Maximum number of statements in flight. While this many are in flight, the ids of further calls
 * are collected for the next statement.
 */
const readsInFlightMax = 2
/**
 * Time after which the callers that wait for a statement get an error, measured from the first
 * call. Ids beyond `idsPerReadMax` move to the next statement, and their time starts again. After
 * the error, the statement keeps its connection until the server finishes or cancels it.
 */
const timeoutMs = 5_000

interface Waiter {
  resolve: (task: TaskRecord | undefined) => void
  reject: (error: unknown) => void
}

/** The ids of the tasks that one statement reads, and the callers that wait for them. */
class PendingReads {
  readonly waitersById = new Map<string, Waiter[]>()
  #timer: NodeJS.Timeout | undefined

  get size(): number {
    return this.waitersById.size
  }

  add(id: string, ...newWaiters: Waiter[]): void {
    this.#timer ??= setTimeout(() => this.reject(new StoreUnavailable()), timeoutMs)
    const waiters = this.waitersById.get(id)
    if (waiters === undefined) this.waitersById.set(id, newWaiters)
    else waiters.push(...newWaiters)
  }

  resolve(tasksById: ReadonlyMap<string, TaskRecord>): void {
    for (const [id, { resolve }] of this.#takeWaiters()) resolve(tasksById.get(id))
  }

  reject(error: unknown): void {
    for (const [, { reject }] of this.#takeWaiters()) reject(error)
  }

  #takeWaiters(): (readonly [id: string, Waiter])[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const allWaiters = [...this.waitersById].flatMap(([id, waiters]) => waiters.map((waiter) => [id, waiter] as const))
    this.waitersById.clear()
    return allWaiters
  }
}

/**
 * Reads tasks by their ids. One statement reads the ids that were requested in one tick, up to
 * `idsPerReadMax`. A second statement reads those that are past tasks: tasks that were moved to the
 * tables of their month.
 */
export class TaskReader {
  readonly #connections: ConnectionPool
  #pending = new PendingReads()
  #inFlight = 0
  #isScheduled = false

  constructor(connections: ConnectionPool) {
    this.#connections = connections
  }

  find(id: string): Promise<TaskRecord | undefined> {
    return new Promise((resolve, reject) => {
      this.#pending.add(id, { resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled || this.#pending.size === 0 || this.#inFlight >= readsInFlightMax) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#read()
    })
  }

  async #read(): Promise<void> {
    const pending = this.#takePending()
    this.#inFlight += 1
    try {
      pending.resolve(await this.#recordsOf([...pending.waitersById.keys()]))
    } catch (error) {
      pending.reject(error)
    } finally {
      this.#inFlight -= 1
      this.#schedule()
    }
  }

  #takePending(): PendingReads {
    const pending = this.#pending
    this.#pending = new PendingReads()
    for (const [id, waiters] of [...pending.waitersById].slice(idsPerReadMax)) {
      pending.waitersById.delete(id)
      this.#pending.add(id, ...waiters)
    }
    return pending
  }

  async #recordsOf(ids: string[]): Promise<Map<string, TaskRecord>> {
    const rows = await this.#connections.read({
      name: 'find_tasks',
      text: `select ${taskColumns.postgres} from ${taskTables.postgres} where t.no = any ($1)`,
      values: [ids.map(taskNoOf)],
    })
    const tasksById = new Map(rows.map(taskRecordOf).map((task) => [task.id, task]))
    const missingIds = ids.filter((id) => !tasksById.has(id))
    if (missingIds.length === 0) return tasksById
    for (const row of await this.#readIncludingPast(missingIds.map(taskNoOf))) {
      const task = taskRecordOf(row)
      tasksById.set(task.id, task)
    }
    return tasksById
  }

  /**
   * Reads tasks that may be past tasks. The condition also has the range of their numbers, so that
   * PostgreSQL reads only the tables of the months in this range. The statement has no name and is
   * therefore not prepared: PostgreSQL could plan a prepared statement for all parameter values,
   * and such a plan covers every month.
   */
  #readIncludingPast(taskNos: number[]): ReturnType<ConnectionPool['read']> {
    return this.#connections.read({
      text: `
        select ${taskColumns.postgresWithPast}
        from ${allTaskTables}
        where t.no = any ($1) and t.no between $2 and $3`,
      values: [taskNos, Math.min(...taskNos), Math.max(...taskNos)],
    })
  }
}
