import { repeatedWithinMs } from '../../identity/generated-key.ts'
import { hashOfKey } from './idempotency-index.ts'

/**
 * Finds the tasks with a generated key of a digest. An index on disk would write to a random page
 * for each accepted task. Two digests may have the same hash, so the caller compares the row on disk
 * for each candidate.
 *
 * A search needs only the tasks of the last minutes. The index therefore consists of two parts, of
 * which the older is dropped when the newer contains the tasks of such a time.
 */
export class GeneratedKeyIndex {
  #newer = new Map<number, number[]>()
  #older = new Map<number, number[]>()
  #newerSinceMs: number

  constructor(nowMs: number) {
    this.#newerSinceMs = nowMs
  }

  add(accountNo: number, digest: string, taskNo: number, nowMs: number): void {
    if (Math.abs(nowMs - this.#newerSinceMs) > repeatedWithinMs) {
      this.#older = this.#newer
      this.#newer = new Map()
      this.#newerSinceMs = nowMs
    }
    const hash = hashOfKey(accountNo, digest)
    const taskNos = this.#newer.get(hash)
    if (taskNos === undefined) this.#newer.set(hash, [taskNo])
    else taskNos.push(taskNo)
  }

  /** Returns the numbers of the tasks that may have a key of this digest, in the order in which they were added. */
  candidates(accountNo: number, digest: string): number[] {
    const hash = hashOfKey(accountNo, digest)
    return [...new Set([...(this.#older.get(hash) ?? []), ...(this.#newer.get(hash) ?? [])])]
  }

  remove(accountNo: number, digest: string, removed: ReadonlySet<number>): void {
    const hash = hashOfKey(accountNo, digest)
    for (const part of [this.#older, this.#newer]) {
      const remaining = part.get(hash)?.filter((taskNo) => !removed.has(taskNo)) ?? []
      if (remaining.length === 0) part.delete(hash)
      else part.set(hash, remaining)
    }
  }
}
