import type { TaskRecord } from './task-queries.ts'

/**
 * Characters in each of the two generations: about 2 kB per task for its record and view, plus its
 * parameters, which the view repeats.
 */
const charactersPerGenerationMax = 16 * 1024 * 1024
const charactersPerRecord = 2_000

/**
 * Ended tasks that are likely to be read again soon. Two generations are swapped when the young one
 * is full: deleting tasks one by one from a large Map costs more time than the look-ups in it save.
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
