import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Copies the write-ahead log back into the database on a thread and connection of its own, so that no commit waits. */
const everyMs = 100
const logBytesMin = 4 * 1024 * 1024

const file = workerData as string
const database = new DatabaseSync(file, { timeout: 0 })
database.exec('pragma synchronous = full')
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')

const timer = setInterval(() => {
  const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (bytes < logBytesMin) return
  try {
    checkpoint.get()
  } catch {
    // A full disk refuses it. All that is committed stands in the log, and the next turn tries again.
  }
}, everyMs)

parentPort?.once('message', () => {
  clearInterval(timer)
  database.close()
})
