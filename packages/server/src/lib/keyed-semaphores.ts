import { Semaphore } from './semaphore.ts'

/** Semaphores by key. Each exists only while it is in use. */
export class KeyedSemaphores<Key> {
  readonly #concurrencyMax: number
  readonly #semaphores = new Map<Key, { semaphore: Semaphore; userCount: number }>()

  constructor(concurrencyMax: number) {
    this.#concurrencyMax = concurrencyMax
  }

  /**
   * Runs the work when the key's semaphore has a free slot. Resolves to undefined if the signal
   * aborts first.
   */
  async use<Result>(key: Key, signal: AbortSignal, work: () => Promise<Result>): Promise<Result | undefined> {
    const entry = this.#semaphores.get(key) ?? { semaphore: new Semaphore(this.#concurrencyMax), userCount: 0 }
    this.#semaphores.set(key, entry)
    entry.userCount += 1
    try {
      if (!(await entry.semaphore.acquire(signal))) return undefined
      try {
        return await work()
      } finally {
        entry.semaphore.release()
      }
    } finally {
      entry.userCount -= 1
      if (entry.userCount === 0) this.#semaphores.delete(key)
    }
  }
}
