import { DatabaseSync } from 'node:sqlite'

/** How long the writer waits for another process that writes. It waits for no reader. */
export const writerBusyTimeoutMs = 5_000
const readerBusyTimeoutMs = 5_000

/**
 * Of the writing connection, in KiB. When a tree of an index is balanced, SQLite looks through the whole of it at the commit;
 * four times as much took a tenth of the writer's time, and what does not fit is in the system's cache anyway.
 */
const writerCacheKib = 8_000

/**
 * The writing connection. WAL with synchronous=FULL: a commit is on disk when it returns. Checkpoints are made by a
 * thread of their own (`checkpoint-thread.ts`), so that no commit waits for one. With secure_delete what is deleted or replaced is
 * overwritten with zeros in its page, so that nothing of it stays in the file.
 */
export function openWritingConnection(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: writerBusyTimeoutMs })
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma wal_autocheckpoint = 0;
    pragma journal_size_limit = 67108864;
    pragma cache_size = -${writerCacheKib};
    pragma secure_delete = on;
    pragma temp_store = memory;
    pragma foreign_keys = on`)
  return database
}

/**
 * A connection that reads. Balances that are written behind their lines are counted in, whoever asks for an account. `temporary`: where it
 * sorts; what may be larger than memory belongs into files.
 */
export function openReadingConnection(file: string, temporary: 'memory' | 'file' = 'memory'): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: readerBusyTimeoutMs })
  database.exec(`
    pragma cache_size = -16000;
    pragma temp_store = ${temporary};
    create temp view accounts as select * from main.accounts_now`)
  return database
}
