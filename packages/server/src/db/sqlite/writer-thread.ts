import { statSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { migrate } from './migrate.ts'
import { openWritingConnection } from './open-database.ts'
import { returnLeases } from './return-leases.ts'
import type { WriteBatch, WriteReply } from '../write-operations.ts'
import { Writer } from './writer.ts'

/**
 * The thread that writes.
 *
 *   main -> WriteBatch          writer -> WriteReply, one for each batch, in order
 *   main -> 'close'             writer -> 'closed', after a last checkpoint
 *   at start                    writer -> 'ready', or { startFailed } and the thread ends
 */
export interface WriterThreadData {
  file: string
  nowMs: number
}

/** Above this the writer restarts the log itself: passive checkpoints alone never get to its end under a steady load. */
const logBytesMax = 64 * 1024 * 1024
const logCheckEveryBatches = 256

if (parentPort === null) throw new Error('this file is the entry of a worker thread')
const main = parentPort
const { file, nowMs } = workerData as WriterThreadData

try {
  const database = openWritingConnection(file)
  migrate(database, nowMs)
  returnLeases(database, nowMs)
  serve(database, new Writer(database, nowMs))
  main.postMessage('ready')
} catch (error) {
  main.postMessage({ startFailed: error instanceof Error ? error.message : String(error) })
}

function serve(database: DatabaseSync, writer: Writer): void {
  const restartLog = database.prepare('pragma wal_checkpoint(restart)')
  const emptyLog = database.prepare('pragma wal_checkpoint(truncate)')
  let batches = 0
  main.on('message', (message: WriteBatch | 'close') => {
    if (message === 'close') {
      tryCheckpoint(emptyLog)
      database.close()
      main.postMessage('closed')
      main.close()
      return
    }
    const startedAt = performance.now()
    const outcomes = writer.apply(message)
    main.postMessage({ outcomes, tookMs: performance.now() - startedAt } satisfies WriteReply)
    if (++batches % logCheckEveryBatches === 0 && logBytes() > logBytesMax) tryCheckpoint(restartLog)
  })
}

/** A full disk may refuse it. All that is committed stands in the log, and the next checkpoint tries again. */
function tryCheckpoint(statement: StatementSync): void {
  try {
    statement.get()
  } catch {
    // The log stays as long as it is.
  }
}

function logBytes(): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
}
