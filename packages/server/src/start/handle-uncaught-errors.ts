import type { LevelWithSilent } from 'pino'
import { workFields } from '../identity/current-work.ts'
import { createLogger } from '../lib/logger.ts'

/**
 * Handles errors that no promise and no `try` has caught, for example in an event handler, a timer
 * or the callback of a stream. Such an error leaves unknown state, so the process must not
 * continue. Every such error is logged. The first error calls `onUncaught`, which must stop accepting
 * work, finish commits and end the process. Without this handler, Node would end the process at
 * once, and every request in progress would fail.
 */
export function handleUncaughtErrors(logLevel: LevelWithSilent, onUncaught: () => void): Disposable {
  const logger = createLogger(logLevel, workFields)
  let isFirst = true

  // Unhandled rejections also arrive here, by Node's default.
  function stop(err: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
    // The exit code reports the failure, even if the process then ends in order.
    process.exitCode = 1
    logger.fatal({ err, origin }, 'uncaught error: the service stops and must be started again')
    if (!isFirst) return
    isFirst = false
    onUncaught()
  }

  process.on('uncaughtException', stop)
  return { [Symbol.dispose]: () => void process.off('uncaughtException', stop) }
}
