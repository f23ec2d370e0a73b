import { setImmediate } from 'node:timers/promises'

const stepMsMax = 10

/**
 * Returns a function that long work calls between its steps. If the last pause was more than a few
 * milliseconds ago, the event loop first continues with other work, such as requests.
 */
export function createPause(): () => Promise<void> {
  let startedMs = performance.now()
  return async () => {
    if (performance.now() - startedMs < stepMsMax) return
    await setImmediate()
    startedMs = performance.now()
  }
}
