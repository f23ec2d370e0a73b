import { taskNoOf } from '../../identity/task-id.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import type { TaskRecord } from '../task-queries.ts'
import { allTaskTables, taskColumns, taskRecordOf, taskTables } from '../task-record.ts'
import type { ConnectionPool } from './connections.ts'

const idsPerReadMax = 1_000
/**
 * Maximum number of statements in flight. While this many are in flight, the next statement
 * collects more ids.
 */
const readsInFlightMax = 2
/**
 * Maximum time that a caller waits for a task. Afterwards, the statement keeps its connection until
 * the server finishes or cancels it.
 */
const timeoutMs = 5_000

interface Waiter {
  resolve: (task: TaskRecord | undefined) => void
  reject: (error: unknown) => void
}

/** The ids of the tasks that one statement reads, and the callers that wait for them. */
class PendingReads {
  readonly waiting = new Map<string, Waiter[]>()
  #timer: NodeJS.Timeout | undefined

  get size(): number {
    return this.waiting.size
  }

  add(id: string, ...waiting: Waiter[]): void {
    this.#timer ??= setTimeout(() => this.reject(new StoreUnavailable()), timeoutMs)
    const waiters = this.waiting.get(id)
    if (waiters === undefined) this.waiting.set(id, waiting)
    else waiters.push(...waiting)
  }

  resolve(tasksById: ReadonlyMap<string, TaskRecord>): void {
    for (const [id, { resolve }] of this.#awaitResult()) resolve(tasksById.get(id))
  }

  reject(error: unknown): void {
    for (const [, { reject }] of this.#awaitResult()) reject(error)
  }

  #awaitResult(): (readonly [id: string, Waiter])[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const allWaiters = [...this.waiting].flatMap(([id, waiting]) => waiting.map((read) => [id, read] as const))
    this.waiting.clear()
    return allWaiters
  }
}

/** Reads tasks by their ids. One statement reads all ids that were requested in one tick. */
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
      pending.resolve(await this.#recordsOf([...pending.waiting.keys()]))
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
    for (const [id, waiters] of [...pending.waiting].slice(idsPerReadMax)) {
      pending.waiting.delete(id)
      this.#pending.add(id, ...waiters)
    }
    return pending
  }

  async #recordsOf(ids: string[]): Promise<Map<string, TaskRecord>> {
    const rows = await this.#connections.read({
      name: 'find_tasks',
      text: `select ${taskColumns.postgres} from ${taskTables} where t.no = any ($1)`,
      values: [ids.map(taskNoOf)],
    })
    const tasksById = new Map(rows.map(taskRecordOf).map((task) => [task.id, task]))
    const missingIds = ids.filter((id) => !tasksById.has(id))
    if (missingIds.length === 0) return tasksById
    for (const row of await this.#readPast(missingIds.map(taskNoOf))) {
      const task = taskRecordOf(row)
      tasksById.set(task.id, task)
    }
    return tasksById
  }

  /**
   * Reads tasks that may have been moved to their month. The SQL contains the range of numbers, so
   * that PostgreSQL plans the query for the months of these tasks only. It is therefore not a
   * prepared statement.
   */
  #readPast(numbers: number[]): ReturnType<ConnectionPool['read']> {
    return this.#connections.read({
      text: `
        select ${taskColumns.pastPostgres}
        from ${allTaskTables}
        where t.no = any ($1) and t.no between $2 and $3`,
      values: [numbers, Math.min(...numbers), Math.max(...numbers)],
    })
  }
}
