import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Maximum time for which the writer waits for another process that writes. Commits never wait for
 * readers.
 */
export const writerBusyTimeoutMs = 5_000
const readerBusyTimeoutMs = 5_000

/**
 * Size of the page cache of the writing connection, in KiB. It is small, because SQLite scans the
 * whole cache at each commit that follows the rebalancing of an index. With a cache four times as
 * large, these scans take a tenth of the writer's time. Other pages are in the operating system's
 * cache.
 */
const writerCacheKib = 8_000

/**
 * Opens the writing connection. The database uses WAL with synchronous=FULL, so a commit is on disk
 * when it returns. The writer lowers this setting for some operations (`writer.ts`). The regular
 * checkpoints run on another thread (`checkpoint-thread.ts`), so that no commit waits for them.
 * secure_delete overwrites deleted and replaced content with zeros. The checkpoint thread removes
 * the copies that secure_delete misses.
 */
export function openWritingConnection(file: string): DatabaseSync {
  createPrivate(file)
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
 * Creates an empty file that only its owner can read, unless the file exists. SQLite itself would
 * create a database that all users can read. It gives the files beside the database the same
 * permissions.
 */
export function createPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/**
 * Opens a reading connection. It reads current balances, including movements that are not yet in
 * the table of accounts (`balances.ts`). `tempStore` is where SQLite sorts rows. A sort that may
 * exceed the memory needs files.
 */
export function openReadingConnection(file: string, tempStore: 'memory' | 'file' = 'memory'): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: readerBusyTimeoutMs })
  database.exec(`
    pragma cache_size = -16000;
    pragma temp_store = ${tempStore};
    create temp view accounts as select * from main.accounts_now`)
  return database
}
