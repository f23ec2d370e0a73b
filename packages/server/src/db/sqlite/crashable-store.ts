import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../lib/clock.ts'
import { LogFlags } from './write-ahead-log.ts'
import type { CheckpointThreadData } from './checkpoint-thread.ts'
import { openReadingConnection } from './open-database.ts'
import { SqliteStore } from './sqlite-store.ts'
import type { WriterThreadData } from './writer-thread.ts'

/**
 * A store for tests. It works like a store of `openSqliteStore`, but a test can stop its writer at
 * any instruction.
 */
export interface CrashableStore {
  store: SqliteStore
  writer: Worker
  /** The checkpoint thread, which the store starts when it has work. */
  readonly checkpointer: Worker | undefined
  /** Stops the writer. Uncommitted writes are lost. */
  crash(): Promise<void>
}

export async function openCrashableStore(dataDir: string, clock: Clock): Promise<CrashableStore> {
  const file = path.join(dataDir, 'framegate.db')
  const logFlags = new LogFlags()
  const writerData: WriterThreadData = { file, nowMs: clock(), logFlags: logFlags.memory, isRestored: false }
  const writer = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: writerData })
  const [reply] = (await once(writer, 'message')) as [unknown]
  if (reply !== 'ready') throw new Error(`the store does not open: ${JSON.stringify(reply)}`)
  const checkpointData: CheckpointThreadData = { file, logFlags: logFlags.memory }
  let checkpointer: Worker | undefined
  const store = new SqliteStore({
    writer,
    startCheckpointer() {
      checkpointer = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: checkpointData })
      return checkpointer
    },
    logFlags,
    reader: openReadingConnection(file),
    file,
    clock,
  })
  return {
    store,
    writer,
    get checkpointer() {
      return checkpointer
    },
    async crash() {
      await writer.terminate()
      await store[Symbol.asyncDispose]()
    },
  }
}
