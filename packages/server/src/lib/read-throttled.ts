import type { Clock } from './clock.ts'

/**
 * Returns a function that reads at most once per interval, regardless of the number of calls. After
 * a failed read, the next call retries.
 */
export function readThrottled<Result>(clock: Clock, intervalMs: number, read: () => Promise<Result>): () => Promise<Result> {
  let cachedResult: Promise<Result> | null = null
  let readAtMs = 0
  return () => {
    if (cachedResult === null || Math.abs(clock() - readAtMs) >= intervalMs) {
      readAtMs = clock()
      cachedResult = read()
      cachedResult.catch(() => (cachedResult = null))
    }
    return cachedResult
  }
}
