/** Runs operations one after another, in the order of the calls. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /**
   * Runs an operation after the previous ones, even if they failed. Settles like the operation.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Resolves when all previous operations have ended, even if some failed. */
  untilSettled(): Promise<unknown> {
    return this.#last
  }
}
