import type { RequestOptions } from './call-options.ts'
import { FramegateError } from './framegate-error.ts'

/**
 * Maximum Retry-After, in seconds, that the client waits for. If the service requests a longer
 * delay, the call fails, and the caller can decide whether to wait.
 */
const retryAfterSecondsMax = 60
const firstPauseSeconds = 1
const pauseSecondsMax = 16

export interface Retries extends Pick<RequestOptions, 'signal' | 'onRetry'> {
  maxRetries: number
  /** Whether to retry after this error. Default: if the same request may succeed later. */
  shouldRetry?: (error: unknown) => error is FramegateError
}

/** Calls `attempt` until it succeeds, fails permanently, or `maxRetries` is reached. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { maxRetries, signal, onRetry, shouldRetry = isRetryable }: Retries,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (count > maxRetries || !shouldRetry(error)) throw error
      const delaySeconds = pauseSecondsBefore(count, error.retryAfterSeconds)
      onRetry?.({ error, count, delaySeconds })
      await pause(delaySeconds, signal)
    }
  }
}

/** Whether the same request may succeed later. */
export function isRetryable(error: unknown): error is FramegateError {
  if (!(error instanceof FramegateError) || (error.retryAfterSeconds ?? 0) > retryAfterSecondsMax) return false
  const { code, status } = error
  if (status === null) return code === 'connection_failed' || code === 'timed_out'
  return status === 408 || status === 429 || status >= 500
}

/**
 * Returns the delay before a retry in seconds: exponential back-off with random jitter, so that
 * clients do not retry at the same time. The service's Retry-After takes precedence, also with
 * jitter.
 */
export function pauseSecondsBefore(count: number, retryAfterSeconds: number | null, random: () => number = Math.random): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * (1 + random() / 10)
  return Math.min(firstPauseSeconds * 2 ** (count - 1), pauseSecondsMax) * (0.5 + random() / 2)
}

/** Waits. Rejects with the reason of the signal as soon as the signal is aborted. */
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
