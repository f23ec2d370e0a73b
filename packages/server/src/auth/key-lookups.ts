import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../db/store-unavailable.ts'

/**
 * Pause between two queries for unknown keys. Only one query runs at a time, regardless of the
 * number of callers.
 */
const cooldownMs = 20
const waitingDigestsMax = 500
/** Timeout of a lookup. */
const timeoutMs = 2_000
/** Time for which a key that was not found is not looked up again. */
const absentCacheMs = 1_000
const absentDigestsMax = 10_000

interface PendingLookup {
  promise: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Looks up unknown keys in the database, because another process may just have created them. A
 * lookup rejects with `StoreUnavailable` if too many are waiting or if it times out, because it is
 * then unknown whether the key exists.
 */
export class KeyLookups {
  readonly #load: (digests: readonly string[]) => Promise<void>
  #waiting = new Map<string, PendingLookup>()
  readonly #absentUntilMs = new Map<string, number>()
  #isQuerying = false

  /** `load` adds the keys with these digests to the keys in memory. */
  constructor(load: (digests: readonly string[]) => Promise<void>) {
    this.#load = load
  }

  isCachedAsAbsent(digest: string): boolean {
    const untilMs = this.#absentUntilMs.get(digest)
    return untilMs !== undefined && untilMs > performance.now()
  }

  cacheAbsence(digest: string): void {
    if (this.#absentUntilMs.size >= absentDigestsMax) this.#absentUntilMs.clear()
    this.#absentUntilMs.set(digest, performance.now() + absentCacheMs)
  }

  /** Looks up this digest in the database. Resolves after the query. */
  load(digest: string): Promise<void> {
    const pendingLookup = this.#waiting.get(digest)
    if (pendingLookup !== undefined) return pendingLookup.promise
    if (this.#waiting.size >= waitingDigestsMax) return Promise.reject(new StoreUnavailable())
    const lookup: PendingLookup = Promise.withResolvers<void>()
    this.#waiting.set(digest, lookup)
    const timer = setTimeout(() => {
      if (this.#waiting.get(digest) === lookup) this.#waiting.delete(digest)
      lookup.reject(new StoreUnavailable())
    }, timeoutMs).unref()
    if (!this.#isQuerying) void this.#queryWaiting()
    return lookup.promise.finally(() => clearTimeout(timer))
  }

  /** Queries the database until no digest is waiting. Never rejects. */
  async #queryWaiting(): Promise<void> {
    this.#isQuerying = true
    while (this.#waiting.size > 0) {
      const batch = this.#waiting
      this.#waiting = new Map()
      try {
        await this.#load([...batch.keys()])
        for (const { resolve } of batch.values()) resolve()
      } catch (error) {
        for (const { reject } of batch.values()) reject(error)
      }
      await sleep(cooldownMs, undefined, { ref: false })
    }
    this.#isQuerying = false
  }
}
