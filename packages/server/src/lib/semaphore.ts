/** Limits the number of concurrent holders. Further callers wait in order of arrival. */
export class Semaphore {
  readonly #concurrencyMax: number
  readonly #waiting: (() => void)[] = []
  #acquiredCount = 0

  constructor(concurrencyMax: number) {
    this.#concurrencyMax = concurrencyMax
  }

  /**
   * Resolves to true once the caller has acquired a slot, which it must then release. Resolves to
   * false if the signal aborts first.
   */
  async acquire(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#acquiredCount < this.#concurrencyMax) {
      this.#acquiredCount++
      return true
    }
    return await new Promise<boolean>((resolve) => {
      const proceed = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(proceed), 1)
        resolve(false)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(proceed)
    })
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#acquiredCount--
    else next()
  }
}
