import { setImmediate } from 'node:timers/promises'

const stepMsMax = 10

/**
 * For long work on the thread that serves requests: the returned function lets other work run if
 * the last pause was some milliseconds ago.
 */
export function createPause(): () => Promise<void> {
  let startedMs = performance.now()
  return async () => {
    if (performance.now() - startedMs < stepMsMax) return
    await setImmediate()
    startedMs = performance.now()
  }
}
