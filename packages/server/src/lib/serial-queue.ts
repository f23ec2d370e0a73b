/** Runs operations one after another, in the order of the calls. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Settles with the result of this operation. Errors of previous operations have no effect. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Fulfilled when all previous operations have ended, even if some have failed. */
  settled(): Promise<unknown> {
    return this.#last
  }
}
