import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../lib/clock.ts'
import { openReadingConnection } from './open-database.ts'
import { SqliteStore } from './sqlite-store.ts'

/** For tests: a store as `openSqliteStore` opens it, whose writer can be stopped at whatever instruction it is. */
export interface CrashableStore {
  store: SqliteStore
  writer: Worker
  /** What has not been committed never was. */
  crash(): Promise<void>
}

export async function openCrashableStore(dataDir: string, clock: Clock): Promise<CrashableStore> {
  const file = path.join(dataDir, 'framegate.db')
  const writer = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { file, nowMs: clock() } })
  const [answer] = (await once(writer, 'message')) as [unknown]
  if (answer !== 'ready') throw new Error(`the store does not open: ${JSON.stringify(answer)}`)
  const checkpointer = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: file })
  const store = new SqliteStore(writer, checkpointer, openReadingConnection(file), clock)
  return {
    store,
    writer,
    async crash() {
      await writer.terminate()
      await store[Symbol.asyncDispose]()
    },
  }
}
