import type { FramegateError } from './framegate-error.ts'

/** Options of calls that send one API request. Waits, streams and downloads accept some of them. */
export interface RequestOptions {
  /** Aborts the call. The call then rejects with the reason of the signal. Default: none. */
  signal?: AbortSignal | undefined
  /**
   * Timeout in seconds for one attempt, until the complete response has arrived. Default: the
   * `timeoutSeconds` of the client.
   */
  timeoutSeconds?: number | undefined
  /**
   * Maximum number of retries after a lost connection, a timeout, or a response with the status
   * 408, 429 or 5xx. Retries are safe, because requests that create or end a task are idempotent.
   * Default: the `maxRetries` of the client.
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
