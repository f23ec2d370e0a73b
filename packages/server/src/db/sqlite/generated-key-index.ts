import { retryWindowMs } from '../../identity/generated-key.ts'
import { hashOfKey } from './idempotency-index.ts'

/** Most hashes have one task. A number takes a third of the memory of an array. */
type TasksByHash = Map<number, number | number[]>

/**
 * Finds tasks by the digest in their generated keys. An index on disk would write to a random page
 * for each accepted task. Two digests may have the same hash, so the caller compares the row on
 * disk for each candidate.
 *
 * A search needs only the tasks of the last minutes. The index therefore has two parts. When the
 * newer part covers these minutes, it replaces the older part, and an empty part begins.
 */
export class GeneratedKeyIndex {
  #newer: TasksByHash = new Map()
  #older: TasksByHash = new Map()
  #newerSinceMs: number

  constructor(nowMs: number) {
    this.#newerSinceMs = nowMs
  }

  add(accountNo: number, digest: string, taskNo: number, nowMs: number): void {
    if (Math.abs(nowMs - this.#newerSinceMs) > retryWindowMs) {
      this.#older = this.#newer
      this.#newer = new Map()
      this.#newerSinceMs = nowMs
    }
    const hash = hashOfKey(accountNo, digest)
    const earlier = this.#newer.get(hash)
    if (earlier === undefined) this.#newer.set(hash, taskNo)
    else if (typeof earlier === 'number') this.#newer.set(hash, [earlier, taskNo])
    else earlier.push(taskNo)
  }

  /** Returns the numbers of the tasks that may have a key with this digest, oldest first. */
  candidates(accountNo: number, digest: string): number[] {
    const hash = hashOfKey(accountNo, digest)
    return [...new Set([this.#older, this.#newer].flatMap((part) => part.get(hash) ?? []))]
  }

  /** Removes tasks. `hashes` contains the hash of each task's account and digest (`hashOfKey`). */
  remove(hashes: ReadonlySet<number>, removed: ReadonlySet<number>): void {
    for (const part of [this.#older, this.#newer]) {
      for (const hash of hashes) {
        const taskNos = part.get(hash)
        if (taskNos === undefined) continue
        const remaining = typeof taskNos === 'number' ? [] : taskNos.filter((taskNo) => !removed.has(taskNo))
        if (remaining.length > 0) part.set(hash, remaining)
        else if (typeof taskNos !== 'number' || removed.has(taskNos)) part.delete(hash)
      }
    }
  }
}
