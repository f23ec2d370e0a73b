import { retryWindowMs } from '../../identity/generated-key.ts'
import { hashOfKey } from './idempotency-index.ts'

/** The tasks of at most one retry window. */
class IndexPart {
  /** Most hashes have one task. A number takes a third of the memory that an array takes. */
  readonly #tasksByHash = new Map<number, number | number[]>()
  readonly #hashByTask = new Map<number, number>()

  add(hash: number, taskNo: number): void {
    this.#hashByTask.set(taskNo, hash)
    const existing = this.#tasksByHash.get(hash)
    if (existing === undefined) this.#tasksByHash.set(hash, taskNo)
    else if (typeof existing === 'number') this.#tasksByHash.set(hash, [existing, taskNo])
    else existing.push(taskNo)
  }

  candidatesOf(hash: number): number | number[] {
    return this.#tasksByHash.get(hash) ?? []
  }

  remove(taskNos: readonly number[]): void {
    const hashes = new Set<number>()
    const removedTaskNos = new Set<number>()
    for (const taskNo of taskNos) {
      const hash = this.#hashByTask.get(taskNo)
      if (hash === undefined) continue
      this.#hashByTask.delete(taskNo)
      hashes.add(hash)
      removedTaskNos.add(taskNo)
    }
    // Many tasks may have the same hash. Each hash is therefore searched once.
    for (const hash of hashes) {
      const existing = this.#tasksByHash.get(hash)
      const remaining = typeof existing === 'object' ? existing.filter((taskNo) => !removedTaskNos.has(taskNo)) : []
      if (remaining.length > 0) this.#tasksByHash.set(hash, remaining)
      else this.#tasksByHash.delete(hash)
    }
  }
}

/**
 * Finds tasks by the digest in their generated keys. An index on disk would write to a random page
 * for each accepted task. Two digests may have the same hash, so the caller compares the row on
 * disk for each candidate.
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
    this.#newer.add(hashOfKey(accountNo, digest), taskNo)
  }

  /**
   * Returns the numbers of the tasks that may have a key with this digest, in the order of `add`.
   */
  candidatesOf(accountNo: number, digest: string): number[] {
    const hash = hashOfKey(accountNo, digest)
    return [...new Set([this.#older, this.#newer].flatMap((part) => part.candidatesOf(hash)))]
  }

  remove(taskNos: readonly number[]): void {
    this.#older.remove(taskNos)
    this.#newer.remove(taskNos)
  }
}
