/** Maximum delay of a timer. A timer with a longer delay would fire immediately. */
const timerMsMax = 2 ** 31 - 1

export interface Timeout {
  /** Aborts when the caller's signal aborts, the timeout expires, or `abort` is called. */
  signal: AbortSignal
  abort(): void
  /** Replaces the remaining time with this number of seconds. */
  restart(seconds: number): void
  /** Stops the timer and ignores the caller's signal. Only `abort` then has an effect. */
  stop(): void
}

/**
 * Starts a timeout. `AbortSignal.any` is not used: some runtimes lack it, and it keeps listeners on
 * long-lived signals.
 */
export function startTimeout(timeoutSeconds: number, signal: AbortSignal | undefined): Timeout {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const start = (seconds: number) => setTimeout(abort, Math.min(seconds * 1000, timerMsMax))
  let timer = start(timeoutSeconds)
  signal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    abort,
    restart(seconds) {
      clearTimeout(timer)
      timer = start(seconds)
    },
    stop() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}
