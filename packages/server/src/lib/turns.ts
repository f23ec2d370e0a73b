/** At most so many at a time; others wait in order of arrival. */
export class Turns {
  readonly #atOnceMax: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** True when it is the caller's turn, who then gives it back; false when the signal aborts before. */
  async take(signal: AbortSignal): Promise<boolean> {
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

  giveBack(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#taken--
    else next()
  }
}
