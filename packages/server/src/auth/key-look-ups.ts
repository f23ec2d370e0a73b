import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../db/store-unavailable.ts'

/**
 * Pause between two queries for unknown keys. Only one such query runs at a time, regardless of the
 * number of callers.
 */
const cooldownMs = 20
const digestsWaitingMax = 500
/** A lookup that takes longer is rejected. */
const timeoutMs = 2_000
/** Time for which an absent key is not looked up again. */
const absentForMs = 1_000
const absentMax = 10_000

interface LookUp {
  promise: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Looks up unknown keys in the database, because another process may have just created them. A
 * lookup that exceeds the limit or times out rejects with `StoreUnavailable`, because it is unknown
 * whether the key exists.
 */
export class KeyLookUps {
  readonly #load: (digests: readonly string[]) => Promise<void>
  #waiting = new Map<string, LookUp>()
  readonly #absentUntilMs = new Map<string, number>()
  #isAsking = false

  /** `load` adds the existing keys of these digests to the keys in memory. */
  constructor(load: (digests: readonly string[]) => Promise<void>) {
    this.#load = load
  }

  isAbsent(digest: string): boolean {
    const untilMs = this.#absentUntilMs.get(digest)
    return untilMs !== undefined && untilMs > performance.now()
  }

  noteAbsent(digest: string): void {
    if (this.#absentUntilMs.size >= absentMax) this.#absentUntilMs.clear()
    this.#absentUntilMs.set(digest, performance.now() + absentForMs)
  }

  /** Queries the database for this digest. Resolves after the query. */
  ask(digest: string): Promise<void> {
    const known = this.#waiting.get(digest)
    if (known !== undefined) return known.promise
    if (this.#waiting.size >= digestsWaitingMax) return Promise.reject(new StoreUnavailable())
    const lookUp: LookUp = Promise.withResolvers<void>()
    this.#waiting.set(digest, lookUp)
    const timer = setTimeout(() => {
      if (this.#waiting.get(digest) === lookUp) this.#waiting.delete(digest)
      lookUp.reject(new StoreUnavailable())
    }, timeoutMs).unref()
    if (!this.#isAsking) void this.#askForAll()
    return lookUp.promise.finally(() => clearTimeout(timer))
  }

  /** Queries the database until no digest is waiting. Never rejects. */
  async #askForAll(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.size > 0) {
      const asked = this.#waiting
      this.#waiting = new Map()
      try {
        await this.#load([...asked.keys()])
        for (const { resolve } of asked.values()) resolve()
      } catch (error) {
        for (const { reject } of asked.values()) reject(error)
      }
      await sleep(cooldownMs, undefined, { ref: false })
    }
    this.#isAsking = false
  }
}
