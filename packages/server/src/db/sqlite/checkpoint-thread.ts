import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import {
  copiedLogBytesMin,
  emptyIntervalMs,
  emptyRetryMs,
  frameHeaderBytes,
  LogFlags,
  logBytesMax,
  logBytesReported,
  logFileBytes,
  type LogBlocked,
} from './write-ahead-log.ts'
import { openReadingConnection } from './open-database.ts'
import { tryToVerifyCredits, type CheckOutcome } from './verify-credits.ts'

/**
 * A thread for long work that would block the writer thread or the main thread. It copies the
 * write-ahead log into the database, and verifies the ledger on request.
 *
 *   at the start           thread -> 'ready'
 *   main -> 'verify'       thread -> CreditsReport, or { failed }, in the order of the requests
 *   at any time            thread -> LogBlocked, when a reader begins to make the log grow, and
 *                          when the log no longer grows
 *   main -> 'close'        the thread ends
 */
export interface CheckpointThreadData {
  file: string
  /** Shared memory of the `LogFlags`. */
  logFlags: SharedArrayBuffer
}

const checkpointIntervalMs = 100
/**
 * Maximum size of a database that is rewritten after content was removed. Rewriting 16 MiB takes
 * about 100 ms on a laptop.
 */
const rewrittenBytesMax = 16 * 1024 * 1024
/** Maximum time for which a rewrite waits for another connection that writes. */
const rewriteBusyTimeoutMs = 500

const { file, logFlags } = workerData as CheckpointThreadData
const flags = new LogFlags(logFlags)
const database = new DatabaseSync(file, { timeout: 0 })
database.exec('pragma synchronous = full; pragma temp_store = memory')
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')
const truncation = database.prepare('pragma wal_checkpoint(truncate)')
const pageBytes = Number(database.prepare('pragma page_size').get()?.['page_size'])
const frameBytes = pageBytes + frameHeaderBytes
const pageCount = database.prepare('pragma page_count')
let isBlocked = false
/**
 * Whether the log must be emptied. Initially true, because a crash may have left removed content in
 * it.
 */
let mustEmpty = true
/** Time before which the log is not emptied, as `performance.now()`. */
let emptyDueAtMs = 0
/**
 * Whether the database must be rewritten. Initially true, because a crash may have left removed
 * content in it.
 */
let mustRewrite = true

const timer = setInterval(() => {
  try {
    if (logFileBytes(file) >= copiedLogBytesMin) copyLog()
    emptyLog()
  } catch {
    // The checkpoint fails on a full disk. All commits are still in the log, and the next run of
    // the timer tries again.
  }
}, checkpointIntervalMs)

/**
 * Rewrites a small database after content was removed. When a row grows, SQLite may move other rows
 * to another page. Copies of the moved rows then remain in the free space of the old page, where
 * secure_delete does not overwrite them. Commits wait during the rewrite, so a large database is
 * not rewritten.
 */
function rewriteIfSmall(): void {
  if (!mustRewrite) return
  const isSmall = Number(pageCount.get()?.['page_count']) * pageBytes <= rewrittenBytesMax
  mustRewrite = isSmall && !tryRewrite()
}

/**
 * Returns false if another connection keeps writing, or if the disk is full. A later run of the
 * timer tries again.
 */
function tryRewrite(): boolean {
  try {
    database.exec(`pragma busy_timeout = ${rewriteBusyTimeoutMs}; vacuum`)
    return true
  } catch {
    return false
  } finally {
    database.exec('pragma busy_timeout = 0')
  }
}

/**
 * Empties the log after content was removed. Emptying delays commits. Therefore a passive
 * checkpoint, which delays none, first copies most of the log.
 */
function emptyLog(): void {
  if (flags.takeEmptied()) recordEmptied()
  if (flags.takeErased()) mustEmpty = mustRewrite = true
  if (!(mustEmpty || mustRewrite) || performance.now() < emptyDueAtMs) return
  rewriteIfSmall()
  checkpoint.get()
  const { busy } = truncation.get() as { busy: number }
  if (busy === 0) return recordEmptied()
  emptyDueAtMs = performance.now() + emptyRetryMs
  flags.requestEmptying()
}

function recordEmptied(): void {
  mustEmpty = false
  emptyDueAtMs = performance.now() + emptyIntervalMs
}

function copyLog(): void {
  const { log, checkpointed } = checkpoint.get() as { log: number; checkpointed: number }
  // Another process is making a checkpoint.
  if (log < 0) return
  const bytes = log * frameBytes
  if (bytes > logBytesMax && checkpointed === log) flags.requestRestart()
  if (isBlocked ? bytes < logBytesMax : bytes > logBytesReported && (checkpointed < log || flags.hasRestartFailed)) {
    isBlocked = !isBlocked
    parentPort?.postMessage({ kind: 'log_blocked', isBlocked, bytes } satisfies LogBlocked)
  }
}

parentPort?.on('message', (message: 'verify' | 'close') => {
  if (message === 'verify') {
    parentPort?.postMessage(verify())
    return
  }
  clearInterval(timer)
  database.close()
  parentPort?.close()
})

function verify(): CheckOutcome {
  let reader: DatabaseSync | undefined
  try {
    reader = openReadingConnection(file, 'file')
    return tryToVerifyCredits(reader)
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  } finally {
    reader?.close()
  }
}

parentPort?.postMessage('ready')
