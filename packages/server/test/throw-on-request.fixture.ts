/**
 * Loaded into a started service by `node --import`. Throws an uncaught error when the file
 * THROW_WHEN_THERE appears, in the main thread or in the threads that THROW_IN names. The service
 * itself has no such hook.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isMainThread, threadName } from 'node:worker_threads'

const file = process.env['THROW_WHEN_THERE'] ?? ''
const name = process.env['THROW_IN']

if (name === undefined ? isMainThread : threadName === name) {
  const timer = setInterval(() => {
    if (!existsSync(file)) return
    clearInterval(timer)
    const error = new Error('thrown by a test')
    if (readFileSync(file, 'utf8') === 'rejection') void Promise.reject(error)
    else throw error
  }, 10)
  timer.unref()
}
