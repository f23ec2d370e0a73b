/** Runs operations one after another, in the order of the calls. */
export class InOrder {
  #last: Promise<unknown> = Promise.resolve()

  /** Settles with the result of this operation. Errors of previous operations have no effect. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }

  /** Fulfilled when all previous operations have ended, even if some have failed. */
  settled(): Promise<unknown> {
    return this.#last
  }
}
