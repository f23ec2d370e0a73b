import { FramegateError } from './framegate-error.ts'
import { startTimeout } from './start-timeout.ts'

export interface AttemptLimits {
  /** The server's address, for error messages. */
  address: string
  timeoutSeconds: number
  signal: AbortSignal | undefined
}

/**
 * Calls `work` with a signal that aborts when the caller's signal aborts or the timeout expires. If
 * `work` fails, the promise rejects with the first of these that applies:
 *
 *   the abort reason    the caller's signal is aborted
 *   the error itself    it is a `FramegateError`
 *   timed_out           the timeout has expired
 *   connection_failed   in all other cases
 */
export async function attempt<T>(
  { address, timeoutSeconds, signal }: AttemptLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const timeout = startTimeout(timeoutSeconds, signal)
  try {
    return await work(timeout.signal)
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (cause instanceof FramegateError) throw cause
    throw timeout.signal.aborted
      ? new FramegateError({ code: 'timed_out', message: `No response from ${address} within ${timeoutSeconds} s.`, cause })
      : new FramegateError({ code: 'connection_failed', message: `No response from ${address} (${reasonOf(cause)}).`, cause })
  } finally {
    timeout.stop()
  }
}

/**
 * Describes why `fetch` failed. In Node, the error only says "fetch failed"; the useful code, such
 * as `ECONNREFUSED`, is in its `cause`.
 */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const cause = (thrown.cause ?? thrown) as Error & { code?: unknown }
  return typeof cause.code === 'string' ? cause.code : cause.message || cause.name
}
