import { DatabaseSync } from 'node:sqlite'

/** How long a connection waits for another one's lock. Only checkpoints and the writer ever meet. */
const busyTimeoutMs = 5_000

/**
 * Of the writing connection, in KiB. When a tree of an index is balanced, SQLite looks through the whole of it at the commit;
 * four times as much took a tenth of the writer's time, and what does not fit is in the system's cache anyway.
 */
const writerCacheKib = 8_000

/**
 * The writing connection. WAL with synchronous=FULL: a commit is on disk when it returns. Checkpoints are made by a
 * thread of their own (`checkpoint-thread.ts`), so that no commit waits for one.
 */
export function openWritingConnection(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma wal_autocheckpoint = 0;
    pragma journal_size_limit = 67108864;
    pragma cache_size = -${writerCacheKib};
    pragma temp_store = memory;
    pragma foreign_keys = on`)
  return database
}

/** A connection that reads. Balances that are written behind their lines are counted in, whoever asks for an account. */
export function openReadingConnection(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
  database.exec(`
    pragma cache_size = -16000;
    pragma temp_store = memory;
    create temp view accounts as select * from main.accounts_now`)
  return database
}
