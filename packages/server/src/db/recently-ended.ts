import type { TaskRecord } from './task-queries.ts'

/**
 * Maximum size of each of the two generations, in characters. A task counts about 2,000 characters
 * for its record and view, plus twice its parameters, because the view repeats them.
 */
const charactersPerGenerationMax = 16 * 1024 * 1024
const charactersPerRecord = 2_000

/**
 * Cache of ended tasks, which clients are likely to read again soon. When the young generation is
 * full, it replaces the old one. Deleting tasks one by one from a large Map would cost more time
 * than the cache saves.
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
    this.#youngCharacters += charactersPerRecord + 2 * (task.parameters.length + (task.madeText?.text.length ?? 0))
    if (this.#youngCharacters >= charactersPerGenerationMax) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngCharacters = 0
    }
  }
}
