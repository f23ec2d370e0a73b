import type { TaskRecord } from './task-queries.ts'

/**
 * Maximum size of each of the two generations, in characters. A task counts as
 * `charactersPerRecord` plus twice the size of its parameters and of its generated text, because
 * both its record and its view contain them.
 */
const charactersPerGenerationMax = 16 * 1024 * 1024
const charactersPerRecord = 2_000

/**
 * Cache of tasks that clients are likely to read again soon, such as ended tasks. When the current
 * generation is full, it becomes the previous one, and the earlier previous one is dropped.
 * Deleting tasks one by one from a large Map would cost more time than the cache saves.
 */
export class RecentTasks {
  #currentGeneration = new Map<string, TaskRecord>()
  #previousGeneration = new Map<string, TaskRecord>()
  #currentCharacters = 0

  get(id: string): TaskRecord | undefined {
    return this.#currentGeneration.get(id) ?? this.#previousGeneration.get(id)
  }

  delete(id: string): void {
    this.#currentGeneration.delete(id)
    this.#previousGeneration.delete(id)
  }

  clear(): void {
    this.#currentGeneration = new Map()
    this.#previousGeneration = new Map()
    this.#currentCharacters = 0
  }

  set(task: TaskRecord): void {
    this.#previousGeneration.delete(task.id)
    this.#currentGeneration.set(task.id, task)
    this.#currentCharacters += charactersPerRecord + 2 * (task.parameters.length + (task.generatedText?.text.length ?? 0))
    if (this.#currentCharacters >= charactersPerGenerationMax) {
      this.#previousGeneration = this.#currentGeneration
      this.#currentGeneration = new Map()
      this.#currentCharacters = 0
    }
  }
}
