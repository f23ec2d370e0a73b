import type { FramegateError } from './framegate-error.ts'

/** Options of calls that send one API request. Waits, streams and downloads have some of them. */
export interface RequestOptions {
  /** Aborts the call. The call then rejects with the reason of the signal. Default: none. */
  signal?: AbortSignal | undefined
  /**
   * Timeout of one attempt in seconds, including the complete response. Default: the client's, 60.
   */
  timeoutSeconds?: number | undefined
  /**
   * Maximum number of retries after a lost response, 408, 429 or 5xx. Retries are safe, because
   * requests that create or end a task are idempotent. Default: the client's, 3.
   */
  maxRetries?: number | undefined
  /** Called before each retry. Default: none. */
  onRetry?: ((retry: Retry) => void) | undefined
}

export interface Retry {
  /** The reason for the retry. */
  error: FramegateError
  /** Number of the retry, counted from 1. */
  count: number
  /** Pause before the retry, in seconds. */
  delaySeconds: number
}
