import type { FramegateError } from './framegate-error.ts'

/** Options of every method. */
export interface RequestOptions {
  /** Aborts the call. The call then rejects with the reason of the signal. Default: none. */
  signal?: AbortSignal | undefined
  /** Time limit of one attempt, until its response is complete. Default: the client's, 60. */
  timeoutSeconds?: number | undefined
  /**
   * How often the same request is retried after a lost response, 408, 429 or 5xx. Default: the
   * client's, 3. Retries are always safe: requests that create or end a task are idempotent.
   */
  maxRetries?: number | undefined
  /** Called before each retry. Default: none. */
  onRetry?: ((retry: Retry) => void) | undefined
}

export interface Retry {
  /** The reason for the retry. */
  error: FramegateError
  /** 1 for the first retry. */
  count: number
  /** Pause before the retry. */
  delaySeconds: number
}
