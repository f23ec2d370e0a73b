import path from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { isTaskId } from '../../identity/task-id.ts'
import { subscribe } from '../../lib/subscribe.ts'
import type { TaskChanges } from '../task-changes.ts'
import { RecentTasks } from '../recent-tasks.ts'
import type { TaskOfKey } from '../retried-requests.ts'
import type { Statement } from '../statement.ts'
import type { Tables } from '../tables.ts'
import type { TaskRecord } from '../task-queries.ts'
import type { AcceptOutcome, NewTask, PoolChange, PoolState } from '../task-queue.ts'
import type { MainStore, ThreadStore } from '../thread-store.ts'
import { acceptedRecord } from '../write-outcomes.ts'
import { ConfigWatch } from './config-watch.ts'
import { createSqliteDialect } from './kysely-dialect.ts'
import { openReadingConnection } from './open-database.ts'
import { prepareReadTask, readTask } from './read-tasks.ts'

export interface SqliteThreadStoreOptions {
  dataDir: string
  main: MainStore
  taskChanges: TaskChanges
}

/**
 * The store of an HTTP thread. It keeps recently read tasks in memory until the main thread changes
 * them. A read sees every commit whose result any thread has received.
 */
export class SqliteThreadStore implements ThreadStore {
  /** True, so that an API key that another thread has just created is looked up in the database. */
  readonly isShared = true
  readonly workers = { count: 1, rank: 0 }
  readonly database: Kysely<Tables>
  readonly #main: MainStore
  readonly #reader: DatabaseSync
  readonly #readTask: StatementSync
  readonly #configWatch: ConfigWatch
  readonly #recent = new RecentTasks()
  readonly #taskChanges: TaskChanges
  /** The count of changes (`TaskChanges`) before each record in `#recent` was read. */
  readonly #counts = new WeakMap<TaskRecord, number>()

  constructor({ dataDir, main, taskChanges }: SqliteThreadStoreOptions) {
    this.#main = main
    this.#taskChanges = taskChanges
    this.#reader = openReadingConnection(path.join(dataDir, 'framegate.db'))
    this.#readTask = prepareReadTask(this.#reader)
    this.#configWatch = new ConfigWatch(this.#reader, async () => {})
    this.database = new Kysely<Tables>({
      dialect: createSqliteDialect(this.#reader, async ({ sql, parameters }) => ({
        kind: 'rows',
        ...(await main.writeStatement({ sql, parameters })),
      })),
    })
  }

  async accept(task: NewTask): Promise<AcceptOutcome> {
    const outcome = await this.#main.accept(task)
    switch (outcome.kind) {
      case 'accepted':
        return { kind: 'accepted', task: acceptedRecord({ ...task, id: outcome.id }) }
      case 'failed':
        return { kind: 'failed', cause: new Error(outcome.message) }
      default:
        return outcome
    }
  }

  peek(id: string): TaskRecord | undefined {
    const task = this.#recent.get(id)
    return task !== undefined && this.#counts.get(task) === this.#taskChanges.countOf(id) ? task : undefined
  }

  async find(id: string): Promise<TaskRecord | undefined> {
    const cachedTask = this.peek(id)
    if (cachedTask !== undefined || !isTaskId(id)) return cachedTask
    const count = this.#taskChanges.countOf(id)
    const task = readTask(this.#readTask, id)
    if (task === undefined) this.#recent.delete(id)
    else {
      this.#counts.set(task, count)
      this.#recent.set(task)
    }
    return task
  }

  findTaskOfKey(accountNo: number, key: string): Promise<TaskOfKey | undefined> {
    return this.#main.findTaskOfKey(accountNo, key)
  }

  writeAtomically(statement: Statement, ...others: Statement[]): Promise<boolean> {
    const [firstCopy, ...otherCopies] = [statement, ...others].map(({ sql, parameters }) => ({ sql, parameters }))
    return this.#main.writeAtomically(firstCopy ?? statement, ...otherCopies)
  }

  recordKeyUses(uses: (readonly [keyNo: number, atMs: number])[]): Promise<void> {
    return this.#main.recordKeyUses(uses)
  }

  changePool(pool: number, change: PoolChange): Promise<void> {
    return this.#main.changePool(pool, change)
  }

  readPools(): Promise<PoolState[]> {
    return this.#main.readPools()
  }

  onConfigChanged(listener: () => Promise<void>): () => void {
    return subscribe(this.#configWatch.listeners, listener)
  }

  applyConfigChanges(): Promise<void> {
    return this.#configWatch.check()
  }

  [Symbol.dispose](): void {
    this.#configWatch[Symbol.dispose]()
    this.#reader.close()
  }
}
