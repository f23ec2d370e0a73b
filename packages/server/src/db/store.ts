import type { Kysely } from 'kysely'
import type { ChangeFeed } from './change-feed.ts'
import type { EventLog } from './event-log.ts'
import type { ForwardedRequests } from './forwarded-requests.ts'
import type { Ledger } from './ledger.ts'
import type { Statement } from './statement.ts'
import type { TaskQueries } from './task-queries.ts'
import type { TaskQueue } from './task-queue.ts'
import type { Workers } from './workers.ts'
import type { Tables } from './tables.ts'

/**
 * The data of the service, and the few operations on it that decide its speed and its guarantees.
 * Each engine implements this interface by hand, and must pass one suite (`store.suite.ts`). All
 * ordinary queries go through `query`.
 *
 * Every promise here resolves after the commit, never before: a caller with a result can rely on it
 * after a power cut. Writes of one tick share one commit or a few, and a failed write does not fail
 * the others.
 */
export interface Store extends TaskQueue, TaskQueries, Ledger, ForwardedRequests, ChangeFeed, EventLog, Workers, AsyncDisposable {
  /**
   * Writes one small row in the same way as every other write. Rejects if the database accepts no
   * writes.
   */
  checkWrite(): Promise<void>
  /** State of the write-ahead log; null for an engine that manages its log itself. */
  changeLog(): ChangeLog | null
  /** When keys were last used: number and Unix milliseconds of each. */
  keysUsed(uses: (readonly [keyNo: number, atMs: number])[]): Promise<void>
  /**
   * Writes the statements in one commit, in order, so that a change and its additions are written
   * together or not at all. If the first changes no row, the others are not executed, and the
   * result is false.
   */
  writeAtomically(first: Statement, ...others: Statement[]): Promise<boolean>
  /** A read of many rows. It delays no other read and no write. */
  readMany(statement: Statement): Promise<Record<string, unknown>[]>
  /** Called once when the engine fails permanently; the service then stops. */
  onFatal(listener: (cause: Error) => void): () => void
  /** The query layer for ordinary reads and writes. */
  readonly query: Kysely<Tables>
}

export interface ChangeLog {
  bytes: number
  /** Whether a long read transaction makes it grow. */
  isHeld: boolean
}
