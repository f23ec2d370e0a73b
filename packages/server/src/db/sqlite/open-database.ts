import { DatabaseSync } from 'node:sqlite'

/** How long the writer waits for another process that writes. It waits for no reader. */
export const writerBusyTimeoutMs = 5_000
const readerBusyTimeoutMs = 5_000

/**
 * Cache of the writing connection, KiB. It is small, because SQLite scans the whole cache at the
 * commit after an index tree was rebalanced. With a cache four times as large, the scans took a
 * tenth of the writer's time. Pages that do not fit are in the system's cache anyway.
 */
const writerCacheKib = 8_000

/**
 * The writing connection. WAL with synchronous=FULL: a commit is on disk when it returns. A
 * separate thread makes checkpoints (`checkpoint-thread.ts`), so that no commit waits for one.
 * secure_delete overwrites deleted or replaced content with zeros in its page, so that nothing of
 * it stays in the file.
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
 * A reading connection. Its account balances include movements that the table does not have yet.
 * `temporary` is the place of its sorts. Sorts that may exceed memory need files.
 */
export function openReadingConnection(file: string, temporary: 'memory' | 'file' = 'memory'): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: readerBusyTimeoutMs })
  database.exec(`
    pragma cache_size = -16000;
    pragma temp_store = ${temporary};
    create temp view accounts as select * from main.accounts_now`)
  return database
}
