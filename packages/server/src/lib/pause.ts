import { setImmediate } from 'node:timers/promises'

const stepMsMax = 10

/**
 * Returns a function for long work on the thread that serves requests. It lets other work run if
 * the last pause was more than some milliseconds ago.
 */
export function createPause(): () => Promise<void> {
  let startedMs = performance.now()
  return async () => {
    if (performance.now() - startedMs < stepMsMax) return
    await setImmediate()
    startedMs = performance.now()
  }
}
