import type { Clock } from './clock.ts'

/**
 * Returns a function that reads at most once in an interval, regardless of the number of calls. A
 * failed read is repeated by the next call.
 */
export function readThrottled<Result>(clock: Clock, intervalMs: number, read: () => Promise<Result>): () => Promise<Result> {
  let cached: Promise<Result> | null = null
  let readAtMs = 0
  return () => {
    if (cached === null || Math.abs(clock() - readAtMs) >= intervalMs) {
      readAtMs = clock()
      cached = read()
      cached.catch(() => (cached = null))
    }
    return cached
  }
}
