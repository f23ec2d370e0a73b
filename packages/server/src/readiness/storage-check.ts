import { StoreUnavailable } from '../db/store-unavailable.ts'
import { MediaStoreError } from '../media/media-store.ts'

export interface StorageCheckOptions {
  check: () => Promise<void>
  /** Time for which the outcome of a check is valid. */
  cacheMs: number
  /**
   * Maximum time for which a caller waits for the current check. After that, it gets the previous
   * outcome.
   */
  waitMs: number
  /** Time without a response after which the part counts as failed. */
  slowMsMax: number
  /** Whether an error of `check` means that the part did not respond. */
  isNoResponse: (cause: unknown) => boolean
  failureMessage: (code: string | null) => string
  slowMessage: (seconds: number) => string
  onError: (cause: unknown) => void
  nowMs: () => number
}

/**
 * Checks a part of the storage for any number of callers. Only one check runs at a time, and its
 * outcome is valid for `cacheMs`. A part that rejects a write counts as failed immediately. A part
 * that does not respond may only be slow, and counts as failed after `slowMsMax`.
 */
export class StorageCheck {
  readonly #options: StorageCheckOptions
  #running: Promise<void> | null = null
  #checkedAtMs = -Infinity
  #failure: { code: string | null } | null = null
  /**
   * Start of the running check, or of an earlier one since which the part has not responded. Null
   * if the part has responded to the last check.
   */
  #pendingSinceMs: number | null = null

  constructor(options: StorageCheckOptions) {
    this.#options = options
  }

  /** Returns a sentence that describes the error. Null: the part works. */
  async findError(): Promise<string | null> {
    const { cacheMs, waitMs, slowMsMax, nowMs, failureMessage, slowMessage } = this.#options
    if (this.#running === null && nowMs() - this.#checkedAtMs >= cacheMs) this.#running = this.#checkOnce()
    // Uses `waitMs` instead of the clock, because a timer may fire slightly early.
    const waitedMs = this.#running !== null && !(await settlesWithin(this.#running, waitMs)) ? waitMs : 0
    if (this.#failure !== null) return failureMessage(this.#failure.code)
    if (this.#pendingSinceMs === null) return null
    const pendingMs = Math.max(waitedMs, nowMs() - this.#pendingSinceMs)
    return pendingMs >= slowMsMax ? slowMessage(Math.round(pendingMs / 1000)) : null
  }

  /** Tries the part once and records the outcome. Never rejects. */
  async #checkOnce(): Promise<void> {
    const { check, nowMs, isNoResponse, onError } = this.#options
    this.#pendingSinceMs ??= nowMs()
    try {
      await check()
      this.#failure = null
      this.#pendingSinceMs = null
    } catch (cause) {
      if (isNoResponse(cause)) {
        this.#failure = null
      } else {
        const code = findCode(cause)
        if (this.#failure?.code !== code) onError(cause)
        this.#failure = { code }
        this.#pendingSinceMs = null
      }
    } finally {
      this.#checkedAtMs = nowMs()
      this.#running = null
    }
  }
}

/**
 * The error code of the operating system, of a database or of a bucket, such as ENOSPC. Messages
 * are omitted, because they may contain paths.
 */
function findCode(error: unknown): string | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof StoreUnavailable && current.reason !== null) return current.reason
    if ('syscall' in current && 'code' in current) return String(current.code)
    // The error code of a bucket.
    if (current instanceof MediaStoreError && current.code === 'refused' && current.cause instanceof Error)
      return current.cause.name
  }
  return null
}

async function settlesWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)))
  const isSettled = await Promise.race([promise.then(() => true), timeout])
  clearTimeout(timer)
  return isSettled
}
