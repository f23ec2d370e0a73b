import { FramegateError } from './framegate-error.ts'

export interface AttemptLimits {
  /** Names the other side in messages. */
  address: string
  timeoutSeconds: number
  signal: AbortSignal | undefined
}

/**
 * Runs `work` under a signal of its own, which the caller's signal and the timeout abort. What is thrown becomes the reason
 * of the caller's signal, `timed_out` or `connection_failed`; errors that are ours already stay as they are.
 *
 * By hand, because `AbortSignal.any` is younger than some runtimes and keeps listening on signals that live long.
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
      ? new FramegateError({ code: 'timed_out', message: `No answer from ${address} within ${timeoutSeconds} s.`, cause })
      : new FramegateError({ code: 'connection_failed', message: `No answer from ${address} (${reasonOf(cause)}).`, cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Node hides the reason in the cause: `ECONNREFUSED` instead of "fetch failed". */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const cause = (thrown.cause ?? thrown) as Error & { code?: unknown }
  return typeof cause.code === 'string' ? cause.code : cause.message || cause.name
}
