import type { LevelWithSilent } from 'pino'
import { workFields } from '../identity/current-work.ts'
import { createLogger } from '../lib/logger.ts'

/**
 * Handles uncaught errors, for example in an event handler, a timer or the callback of a stream.
 * They leave the process in an unknown state, so it must not continue. Every error is logged. For
 * the first one, `onUncaught` is called, which must stop accepting work, finish commits and end the
 * process. Without this handler, Node would end the process immediately, and all requests in
 * progress would fail.
 */
export function handleUncaughtErrors(logLevel: LevelWithSilent, onUncaught: () => void): Disposable {
  const logger = createLogger(logLevel, workFields)
  let isFirstError = true

  // Unhandled rejections also arrive here, by Node's default.
  function stop(err: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
    // The exit code shows the failure, even if the process then shuts down cleanly.
    process.exitCode = 1
    logger.fatal({ err, origin }, 'uncaught error: the service shuts down and must be restarted')
    if (!isFirstError) return
    isFirstError = false
    onUncaught()
  }

  process.on('uncaughtException', stop)
  return { [Symbol.dispose]: () => void process.off('uncaughtException', stop) }
}
