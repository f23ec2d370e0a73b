import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { openReadingConnection } from './open-database.ts'
import { verifyCredits } from './verify-credits.ts'

/**
 * What takes long and must let no commit and no request wait: copies the write-ahead log back into the database, and goes
 * through the books when it is asked to.
 *
 *   main -> 'verify'            thread -> CreditsReport, or { failed }, in the order of asking
 *   main -> 'close'             the thread ends
 */
const everyMs = 100
const logBytesMin = 4 * 1024 * 1024

const file = workerData as string
const database = new DatabaseSync(file, { timeout: 0 })
database.exec('pragma synchronous = full')
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')

const timer = setInterval(() => {
  try {
    const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
    if (bytes >= logBytesMin) checkpoint.get()
  } catch {
    // A full disk refuses it. All that is committed stands in the log, and the next turn tries again.
  }
}, everyMs)

parentPort?.on('message', (message: 'verify' | 'close') => {
  if (message === 'verify') {
    parentPort?.postMessage(verify())
    return
  }
  clearInterval(timer)
  database.close()
  parentPort?.close()
})

function verify(): unknown {
  const reader = openReadingConnection(file)
  try {
    return verifyCredits(reader)
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  } finally {
    reader.close()
  }
}
