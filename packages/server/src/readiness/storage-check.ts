import { StoreUnavailable } from '../db/store-unavailable.ts'
import { MediaStoreError } from '../media/media-store.ts'

export interface StorageCheckOptions {
  tryOnce: () => Promise<void>
  /** An outcome is valid for this long. */
  cacheMs: number
  /** A caller waits this long for the current try, and then gets the last outcome. */
  waitMs: number
  /** Without an outcome for this long, the part counts as failed. */
  slowMsMax: number
  /** Whether the error means that there was no response. */
  isSilence: (cause: unknown) => boolean
  failed: (code: string | null) => string
  slow: (seconds: number) => string
  onError: (cause: unknown) => void
  nowMs: () => number
}

/**
 * Checks a part of the storage for any number of callers. There is one try at a time, and its
 * outcome is valid for a while. A part that refuses a write counts as failed at once. A part
 * without a response may only be slow, so it counts as failed after `slowMsMax`.
 */
export class StorageCheck {
  readonly #options: StorageCheckOptions
  #running: Promise<void> | null = null
  #triedAtMs = -Infinity
  #refusal: { code: string | null } | null = null
  /** Start of the first try since the last outcome. */
  #unansweredSinceMs: number | null = null

  constructor(options: StorageCheckOptions) {
    this.#options = options
  }

  /** A sentence that says what fails; null when nothing does. */
  async findError(): Promise<string | null> {
    const { cacheMs, waitMs, slowMsMax, nowMs, failed, slow } = this.#options
    if (this.#running === null && nowMs() - this.#triedAtMs >= cacheMs) this.#running = this.#try()
    // Counts `waitMs` instead of reading the clock, because a timer may fire slightly early.
    const waitedMs = this.#running !== null && !(await settledWithin(this.#running, waitMs)) ? waitMs : 0
    if (this.#refusal !== null) return failed(this.#refusal.code)
    if (this.#unansweredSinceMs === null) return null
    const unansweredMs = Math.max(waitedMs, nowMs() - this.#unansweredSinceMs)
    return unansweredMs >= slowMsMax ? slow(Math.round(unansweredMs / 1000)) : null
  }

  /** Never rejects. */
  async #try(): Promise<void> {
    const { tryOnce, nowMs, isSilence, onError } = this.#options
    this.#unansweredSinceMs ??= nowMs()
    try {
      await tryOnce()
      this.#refusal = null
      this.#unansweredSinceMs = null
    } catch (cause) {
      if (isSilence(cause)) {
        this.#refusal = null
      } else {
        const code = codeIn(cause)
        if (this.#refusal?.code !== code) onError(cause)
        this.#refusal = { code }
        this.#unansweredSinceMs = null
      }
    } finally {
      this.#triedAtMs = nowMs()
      this.#running = null
    }
  }
}

/**
 * The error code of the operating system, of a database or of a bucket, such as ENOSPC. Messages
 * are omitted, because they may contain paths.
 */
function codeIn(thrown: unknown): string | null {
  for (let each = thrown; each instanceof Error; each = each.cause) {
    if (each instanceof StoreUnavailable && each.reason !== null) return each.reason
    if ('syscall' in each && 'code' in each) return String(each.code)
    // The error code of a bucket.
    if (each instanceof MediaStoreError && each.code === 'refused' && each.cause instanceof Error) return each.cause.name
  }
  return null
}

async function settledWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)))
  const isSettled = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return isSettled
}
