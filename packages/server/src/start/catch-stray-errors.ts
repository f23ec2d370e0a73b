import type { LevelWithSilent } from 'pino'
import { createLogger } from '../lib/logger.ts'

/**
 * The last resort for errors that no promise and no `try` has caught: in an event handler, a timer, the callback of a stream. Nobody
 * knows what such an error has left half done, so the process must not go on. Each is logged; `onStray` is called with the first, to
 * stop taking work, finish commits and end the process. Without this Node ends it at once, with every request that is in progress.
 */
export function catchStrayErrors(logLevel: LevelWithSilent, onStray: () => void): Disposable {
  const logger = createLogger(logLevel)
  let isFirst = true

  // An unhandled rejection arrives here too, which is Node's default.
  function stop(err: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
    // Whatever comes next, this process has failed.
    process.exitCode = 1
    logger.fatal({ err, origin }, 'an error that nothing has caught: the service stops and must be started again')
    if (!isFirst) return
    isFirst = false
    onStray()
  }

  process.on('uncaughtException', stop)
  return { [Symbol.dispose]: () => void process.off('uncaughtException', stop) }
}
