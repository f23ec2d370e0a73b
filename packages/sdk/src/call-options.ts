import type { FramegateError } from './framegate-error.ts'

/** What every method takes. */
export interface RequestOptions {
  /** Ends the call: it rejects with the reason of the signal. Default: none. */
  signal?: AbortSignal | undefined
  /** How long one attempt may take until its answer is complete. Default: the client's, 60. */
  timeoutSeconds?: number | undefined
  /**
   * How often the same request is sent again when no answer came, or one of 408, 429 and 5xx. Default: the client's, 3.
   * It is always safe: what makes or ends a task has the same meaning the second time.
   */
  maxRetries?: number | undefined
  /** Called before each repetition. Default: nobody is told. */
  onRetry?: ((retry: Retry) => void) | undefined
}

export interface Retry {
  /** Why it is repeated. */
  error: FramegateError
  /** 1 for the first repetition. */
  count: number
  /** How long is paused before it. */
  delaySeconds: number
}
