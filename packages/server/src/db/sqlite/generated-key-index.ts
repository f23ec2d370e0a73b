import { retryWindowMs } from '../../identity/generated-key.ts'
import { hashOfKey } from './idempotency-index.ts'

/** The tasks that were added within at most one retry window (`retryWindowMs`). */
class IndexPart {
  /** Most hashes have one task. A number takes a third of the memory of a set. */
  readonly #tasksByHash = new Map<number, number | Set<number>>()
  readonly #hashByTask = new Map<number, number>()

  add(hash: number, taskNo: number): void {
    this.#hashByTask.set(taskNo, hash)
    const existing = this.#tasksByHash.get(hash)
    if (existing === undefined) this.#tasksByHash.set(hash, taskNo)
    else if (typeof existing === 'number') this.#tasksByHash.set(hash, new Set([existing, taskNo]))
    else existing.add(taskNo)
  }

  candidatesOf(hash: number): number[] {
    const taskNos = this.#tasksByHash.get(hash) ?? []
    return typeof taskNos === 'number' ? [taskNos] : [...taskNos]
  }

  remove(taskNos: readonly number[]): void {
    for (const taskNo of taskNos) {
      const hash = this.#hashByTask.get(taskNo)
      if (hash === undefined) continue
      this.#hashByTask.delete(taskNo)
      const remaining = this.#tasksByHash.get(hash)
      if (typeof remaining === 'object') remaining.delete(taskNo)
      if (typeof remaining === 'number' || remaining?.size === 0) this.#tasksByHash.delete(hash)
    }
  }
}

/**
 * Finds tasks by the digest in the idempotency key that the service generated for their request. An
 * index on disk would write to a random page for each accepted task. Two digests may have the same
 * hash, so the caller compares the row on disk for each candidate.
 *
 * A search needs only the tasks of the last retry window. The index therefore has two parts. When
 * the newer part is older than the window, it replaces the older part, and an empty part begins.
 */
export class GeneratedKeyIndex {
  #newer = new IndexPart()
  #older = new IndexPart()
  #newerSinceMs: number

  constructor(nowMs: number) {
    this.#newerSinceMs = nowMs
  }

  add(accountNo: number, digest: string, taskNo: number, nowMs: number): void {
    if (Math.abs(nowMs - this.#newerSinceMs) > retryWindowMs) {
      this.#older = this.#newer
      this.#newer = new IndexPart()
      this.#newerSinceMs = nowMs
    }
    this.#newer.add(shortHashOf(accountNo, digest), taskNo)
  }

  /**
   * Returns the numbers of the tasks that may have a key with this digest, in the order of `add`.
   */
  candidatesOf(accountNo: number, digest: string): number[] {
    const hash = shortHashOf(accountNo, digest)
    return [...new Set([this.#older, this.#newer].flatMap((part) => part.candidatesOf(hash)))]
  }

  remove(taskNos: readonly number[]): void {
    this.#older.remove(taskNos)
    this.#newer.remove(taskNos)
  }
}

/** Returns 30 bits: V8 stores and finds small integers in a map faster than other numbers. */
function shortHashOf(accountNo: number, digest: string): number {
  return hashOfKey(accountNo, digest) % (1 << 30)
}
