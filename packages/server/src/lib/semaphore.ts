/** Limits the number of concurrent holders. Further callers wait in order of arrival. */
export class Semaphore {
  readonly #atOnceMax: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Resolves to true when the caller has acquired a slot. The caller must then call `release`.
   * Resolves to false when the signal aborts first.
   */
  async acquire(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#taken < this.#atOnceMax) {
      this.#taken++
      return true
    }
    return await new Promise<boolean>((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        resolve(false)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(go)
    })
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#taken--
    else next()
  }
}
