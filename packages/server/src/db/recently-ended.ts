import type { TaskRecord } from './store.ts'

/** Two generations of this many characters: of each task about 2 kB for its record and view, and its parameters, which the view repeats. */
const charactersPerGenerationMax = 16 * 1024 * 1024
const charactersPerRecord = 2_000

/**
 * Ended tasks that are asked for again soon. Two generations, swapped when the young one is full: forgetting one by one
 * from a large Map costs more than the look-ups it serves.
 */
export class RecentlyEnded {
  #young = new Map<string, TaskRecord>()
  #old = new Map<string, TaskRecord>()
  #youngCharacters = 0

  get(id: string): TaskRecord | undefined {
    return this.#young.get(id) ?? this.#old.get(id)
  }

  delete(id: string): void {
    this.#young.delete(id)
    this.#old.delete(id)
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
    this.#youngCharacters = 0
  }

  set(task: TaskRecord): void {
    this.#old.delete(task.id)
    this.#young.set(task.id, task)
    this.#youngCharacters += charactersPerRecord + 2 * task.parameters.length
    if (this.#youngCharacters >= charactersPerGenerationMax) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngCharacters = 0
    }
  }
}
