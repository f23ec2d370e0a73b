const idsPerGenerationMax = 10_000

/**
 * Tasks whose content was removed recently. A read that began before the removal must not put the
 * content back into the cache. When the current generation of ids is full, it becomes the previous
 * one, and the earlier previous one is dropped. A task therefore stays listed for much longer than
 * a read takes.
 */
export class RecentlyErased {
  /** For each task id, whether the task was deleted. */
  #currentGeneration = new Map<string, boolean>()
  #previousGeneration = new Map<string, boolean>()

  has(id: string): boolean {
    return this.#currentGeneration.has(id) || this.#previousGeneration.has(id)
  }

  hasDeleted(id: string): boolean {
    return this.#currentGeneration.get(id) === true || this.#previousGeneration.get(id) === true
  }

  add(id: string, isDeleted: boolean): void {
    this.#currentGeneration.set(id, isDeleted)
    if (this.#currentGeneration.size < idsPerGenerationMax) return
    this.#previousGeneration = this.#currentGeneration
    this.#currentGeneration = new Map()
  }
}
