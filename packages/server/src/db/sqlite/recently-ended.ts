import type { TaskRecord } from '../store.ts'

/** Two generations of this many; a record with its rendered view takes about 2 kB. */
const recordsPerGenerationMax = 5_000

/**
 * Ended tasks that are asked for again soon. Two generations, swapped when the young one is full: forgetting one by one
 * from a large Map costs more than the look-ups it serves.
 */
export class RecentlyEnded {
  #young = new Map<string, TaskRecord>()
  #old = new Map<string, TaskRecord>()

  get(id: string): TaskRecord | undefined {
    return this.#young.get(id) ?? this.#old.get(id)
  }

  set(task: TaskRecord): void {
    this.#old.delete(task.id)
    this.#young.set(task.id, task)
    if (this.#young.size >= recordsPerGenerationMax) {
      this.#old = this.#young
      this.#young = new Map()
    }
  }
}
