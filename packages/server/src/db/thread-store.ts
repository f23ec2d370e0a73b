import type { CompiledQuery } from 'kysely'
import { sql } from 'kysely'
import type { Statement } from './statement.ts'
import type { Store } from './store.ts'
import type { AcceptOutcome, NewTask } from './task-queue.ts'

/**
 * The part of the store that an HTTP thread uses. It reads the database itself, and writes through
 * the store of the main thread, because that store has every running task in memory.
 */
export interface ThreadStore
  extends
    Pick<
      Store,
      'database' | 'peek' | 'find' | 'accept' | 'findTaskOfKey' | 'writeAtomically' | 'recordKeyUses' | 'onConfigChanged'
    >,
    Pick<Store, 'changePool' | 'readPools' | 'workers' | 'isShared'>,
    Disposable {
  /** Resolves when all listeners have applied the changes that were committed before the call. */
  applyConfigChanges(): Promise<void>
}

/** The operations of the main thread's store that an HTTP thread calls. */
export type MainStore = {
  /** The main thread gives the task its id, because ids rise in the order of acceptance. */
  accept(task: NewTask): Promise<MainAcceptOutcome>
  findTaskOfKey: Store['findTaskOfKey']
  /** Writes a statement that changes no task. */
  writeStatement(statement: Statement): Promise<WrittenStatement>
  writeAtomically: Store['writeAtomically']
  recordKeyUses: Store['recordKeyUses']
  changePool: Store['changePool']
  readPools: Store['readPools']
}

/**
 * The outcome of `accept`. It has only the id of the task, because the HTTP thread creates the
 * record of the task from the request and this id.
 */
export type MainAcceptOutcome =
  | Exclude<AcceptOutcome, { kind: 'accepted' | 'failed' }>
  | { kind: 'accepted'; id: string }
  | { kind: 'failed'; message: string }

export interface WrittenStatement {
  rows: Record<string, unknown>[]
  changes: number
  lastInsertRowid: number
}

/** Creates the operations that HTTP threads call on this store. */
export function createMainStore(store: Store, nextTaskId: () => string): MainStore {
  return {
    async accept(task) {
      const outcome = await store.accept({ ...task, id: nextTaskId() })
      if (outcome.kind === 'accepted') return { kind: 'accepted', id: outcome.task.id }
      return outcome.kind === 'failed' ? { kind: 'failed', message: outcome.cause.message } : outcome
    },
    findTaskOfKey: (accountNo, key) => store.findTaskOfKey(accountNo, key),
    async writeStatement({ sql: text, parameters }) {
      const compiledQuery: CompiledQuery = { ...sql.raw<Record<string, unknown>>(text).compile(store.database), parameters }
      const { rows, numAffectedRows = 0n, insertId = 0n } = await store.database.executeQuery(compiledQuery)
      return { rows: rows as Record<string, unknown>[], changes: Number(numAffectedRows), lastInsertRowid: Number(insertId) }
    },
    writeAtomically: (...statements) => store.writeAtomically(...statements),
    recordKeyUses: (uses) => store.recordKeyUses(uses),
    changePool: (pool, change) => store.changePool(pool, change),
    readPools: () => store.readPools(),
  }
}
