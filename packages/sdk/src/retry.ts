import type { RequestOptions } from './call-options.ts'
import { FramegateError } from './framegate-error.ts'

/**
 * Longest Retry-After that the client waits for. Beyond it the error goes to the caller, which can
 * decide.
 */
const retryAfterSecondsMax = 60
const firstPauseSeconds = 1
const pauseSecondsMax = 16

export interface Retries extends Pick<RequestOptions, 'signal' | 'onRetry'> {
  maxRetries: number
  /** Whether an error is worth another attempt. Default: one that may succeed when it is repeated. */
  isWorth?: (error: unknown) => error is FramegateError
}

/** Makes attempts until one succeeds, one fails permanently, or the retries are used up. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { maxRetries, signal, onRetry, isWorth = isWorthRepeating }: Retries,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (count > maxRetries || !isWorth(error)) throw error
      const delaySeconds = pauseSecondsBefore(count, error.retryAfterSeconds)
      onRetry?.({ error, count, delaySeconds })
      await pause(delaySeconds, signal)
    }
  }
}

/** True when the same request may succeed later. */
export function isWorthRepeating(error: unknown): error is FramegateError {
  if (!(error instanceof FramegateError) || (error.retryAfterSeconds ?? 0) > retryAfterSecondsMax) return false
  const { code, status } = error
  if (status === null) return code === 'connection_failed' || code === 'timed_out'
  return status === 408 || status === 429 || status >= 500
}

/**
 * Exponential back-off with a random reduction of up to one half, so that many clients do not
 * return together. A Retry-After of the service takes precedence, with a little jitter added.
 */
export function pauseSecondsBefore(count: number, retryAfterSeconds: number | null, random: () => number = Math.random): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * (1 + random() / 10)
  return Math.min(firstPauseSeconds * 2 ** (count - 1), pauseSecondsMax) * (0.5 + random() / 2)
}

/** Rejects with the reason of the signal as soon as it is aborted. */
export async function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(end, seconds * 1000)
    signal?.addEventListener('abort', end)
    function end(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve()
    }
  })
}
