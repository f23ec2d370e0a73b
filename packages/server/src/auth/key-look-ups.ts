import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../db/store-unavailable.ts'

/** The database is asked for unknown keys by one query at a time, and by the next one so long after it, however many strangers come. */
const restMs = 20
const digestsWaitingMax = 500
/** An answer that takes longer is not waited for. */
const patienceMs = 2_000
/** A key is not asked for again so soon after it was not there. */
const absentForMs = 1_000
const absentMax = 10_000

interface LookUp {
  promise: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Keys that this process does not know, looked for in the database: another process may just have made them. Whoever is one too many,
 * or is not answered in time, is rejected with `StoreUnavailable`: nothing is known of that key.
 */
export class KeyLookUps {
  readonly #load: (digests: readonly string[]) => Promise<void>
  #waiting = new Map<string, LookUp>()
  readonly #absentUntilMs = new Map<string, number>()
  #isAsking = false

  /** `load` makes those of the digests known that are there. */
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

  /** Resolves when the database was asked for it. */
  ask(digest: string): Promise<void> {
    const known = this.#waiting.get(digest)
    if (known !== undefined) return known.promise
    if (this.#waiting.size >= digestsWaitingMax) return Promise.reject(new StoreUnavailable())
    const lookUp: LookUp = Promise.withResolvers<void>()
    this.#waiting.set(digest, lookUp)
    const timer = setTimeout(() => {
      if (this.#waiting.get(digest) === lookUp) this.#waiting.delete(digest)
      lookUp.reject(new StoreUnavailable())
    }, patienceMs).unref()
    if (!this.#isAsking) void this.#askForAll()
    return lookUp.promise.finally(() => clearTimeout(timer))
  }

  /** Never rejects. */
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
      await sleep(restMs, undefined, { ref: false })
    }
    this.#isAsking = false
  }
}
