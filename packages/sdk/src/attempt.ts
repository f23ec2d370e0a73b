import { FramegateError } from './framegate-error.ts'

export interface AttemptLimits {
  /** The server's address, for error messages. */
  address: string
  timeoutSeconds: number
  signal: AbortSignal | undefined
}

/**
 * Calls `work` with a signal that is aborted by the caller's signal or the timeout. If `work`
 * fails, rejects with the abort reason of the caller's signal, the `FramegateError` of `work`,
 * `timed_out` after the timeout, or else `connection_failed`.
 *
 * `AbortSignal.any` is not used: some runtimes lack it, and it keeps listeners on long-lived
 * signals.
 */
export async function attempt<T>(
  { address, timeoutSeconds, signal }: AttemptLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const timer = setTimeout(abort, timeoutSeconds * 1000)
  signal?.addEventListener('abort', abort)
  try {
    return await work(controller.signal)
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (cause instanceof FramegateError) throw cause
    throw controller.signal.aborted
      ? new FramegateError({ code: 'timed_out', message: `No response from ${address} within ${timeoutSeconds} s.`, cause })
      : new FramegateError({ code: 'connection_failed', message: `No response from ${address} (${reasonOf(cause)}).`, cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
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
