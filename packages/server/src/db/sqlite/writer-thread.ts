import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { LogFlags } from './write-ahead-log.ts'
import { DatabaseOwner } from './database-owner.ts'
import { holdRestored } from './hold-restored.ts'
import { migrate } from './migrate.ts'
import { openWritingConnection } from './open-database.ts'
import { returnLeases } from './return-leases.ts'
import type { WriteBatch, WriteReply } from '../write-operations.ts'
import { findErrcode } from './unusable-database.ts'
import { Writer } from './writer.ts'

/**
 * The thread that writes to the database.
 *
 *   main -> WriteBatch          writer -> WriteReply, one for each batch, in order
 *   main -> 'close'             writer -> 'closed', after a last checkpoint
 *   at start                    writer -> 'ready', or a `StartFailure` before the thread ends
 *
 * The thread ends with an error when another process has opened the database for writing.
 */
export interface WriterThreadData {
  file: string
  nowMs: number
  /** Shared memory of the `LogFlags`. */
  logFlags: SharedArrayBuffer
  isRestored: boolean
}

export interface StartFailure {
  /** Message of the error. */
  startFailed: string
  /** Result code of SQLite; null for other errors. */
  errcode: number | null
}

if (parentPort === null) throw new Error('this file is the entry of a worker thread')
const main = parentPort
const { file, nowMs, logFlags, isRestored } = workerData as WriterThreadData
const flags = new LogFlags(logFlags)

try {
  const database = openWritingConnection(file)
  migrate(database, nowMs)
  const owner = new DatabaseOwner(database)
  returnLeases(database, nowMs)
  holdRestored(database, isRestored, nowMs)
  serve(database, new Writer(database, nowMs, owner))
  main.postMessage('ready')
} catch (error) {
  main.postMessage({
    startFailed: error instanceof Error ? error.message : String(error),
    errcode: findErrcode(error),
  } satisfies StartFailure)
}

function serve(database: DatabaseSync, writer: Writer): void {
  main.on('message', (message: WriteBatch | 'close') => {
    if (message === 'close') {
      tryCheckpoint(database, 'truncate')
      database.close()
      main.postMessage('closed')
      main.close()
      return
    }
    const startedAt = performance.now()
    const outcomes = writer.apply(message)
    const hasEvents = writer.takeRecordedEvents()
    main.postMessage({ outcomes, tookMs: performance.now() - startedAt, hasEvents } satisfies WriteReply)
    if (writer.takeErased()) flags.setErased()
    if (flags.takeEmptyRequest() && tryCheckpoint(database, 'truncate')) flags.setEmptied()
    if (flags.takeRestartRequest()) flags.hasRestartFailed = !tryCheckpoint(database, 'restart')
  })
}

/**
 * Makes a checkpoint without waiting for readers, because a reader may take hours. Returns false if
 * a reader or a full disk prevented it. All commits are still in the log, and the next checkpoint
 * tries again.
 */
function tryCheckpoint(database: DatabaseSync, mode: 'restart' | 'truncate'): boolean {
  // The writer lowers this value while another process holds the lock, so it is read from the
  // connection.
  const busyTimeoutMs = Number(database.prepare('pragma busy_timeout').get()?.['timeout'])
  try {
    database.exec('pragma busy_timeout = 0')
    return database.prepare(`pragma wal_checkpoint(${mode})`).get()?.['busy'] === 0
  } catch {
    return false
  } finally {
    database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  }
}
