const idsPerGenerationMax = 10_000

/**
 * Tasks whose content was removed recently. A read that began before the removal must not bring the
 * content back into memory. A task stays in one of the two generations for many times the duration
 * of a read.
 */
export class RecentlyErased {
  #young = new Map<string, boolean>()
  #old = new Map<string, boolean>()

  has(id: string): boolean {
    return this.#young.has(id) || this.#old.has(id)
  }

  hasDeleted(id: string): boolean {
    return this.#young.get(id) === true || this.#old.get(id) === true
  }

  add(id: string, isDeleted: boolean): void {
    this.#young.set(id, isDeleted)
    if (this.#young.size < idsPerGenerationMax) return
    this.#old = this.#young
    this.#young = new Map()
  }
}
