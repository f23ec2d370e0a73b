import type { Kysely } from 'kysely'
import type { ChangeFeed } from './change-feed.ts'
import type { EventLog } from './event-log.ts'
import type { ForwardedRequests } from './forwarded-requests.ts'
import type { Ledger } from './ledger.ts'
import type { RetriedRequests } from './retried-requests.ts'
import type { Statement } from './statement.ts'
import type { TaskHistory } from './task-history.ts'
import type { TaskQueries } from './task-queries.ts'
import type { TaskQueue } from './task-queue.ts'
import type { Workers } from './workers.ts'
import type { Tables } from './tables.ts'

/**
 * The data of the service. The speed and the guarantees of the service depend on these operations,
 * so SQLite and PostgreSQL have an implementation each. Both must pass the same suites
 * (`suites/`). All other queries go through `database`.
 *
 * The promise of a write resolves only after the commit. From then on, the write survives even a
 * power failure, except for writes that matter only while the process runs, such as claims and
 * leases. Writes of one tick share one commit or a few. If one of them is faulty, the others are
 * still written.
 */
export interface Store
  extends
    TaskQueue,
    RetriedRequests,
    TaskQueries,
    TaskHistory,
    Ledger,
    ForwardedRequests,
    ChangeFeed,
    EventLog,
    Workers,
    AsyncDisposable {
  /**
   * Writes one small row on the same path as every other write. Rejects if the database accepts no
   * writes.
   */
  checkWrite(): Promise<void>
  /** State of the write-ahead log of SQLite. Null on PostgreSQL, which manages its log itself. */
  writeAheadLog(): WriteAheadLog | null
  /**
   * Stores when API keys were last used. Each element has the number of a key and the time of its
   * last use in Unix milliseconds.
   */
  recordKeyUses(uses: (readonly [keyNo: number, atMs: number])[]): Promise<void>
  /**
   * Writes the statements in one commit, in order: either all of them are written or none. If the
   * first statement changes no row, the others are not executed, and the result is false.
   */
  writeAtomically(statement: Statement, ...others: Statement[]): Promise<boolean>
  /** Reads rows that may be many, without delaying other reads and writes. */
  readMany(statement: Statement): Promise<Record<string, unknown>[]>
  /**
   * The listener is called once, when the store fails permanently. The service then stops. Returns
   * a function that removes the listener.
   */
  onFatal(listener: (cause: Error) => void): () => void
  /** The database, for ordinary reads and writes. */
  readonly database: Kysely<Tables>
}

export interface WriteAheadLog {
  /** Size of the file. */
  bytes: number
  /** Whether a long read transaction makes the log grow. */
  isBlocked: boolean
}
