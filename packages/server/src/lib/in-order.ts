/** Runs pieces of work one after the other: what is asked for later also reads later and takes effect later. */
export class InOrder {
  #last: Promise<unknown> = Promise.resolve()

  /** Fulfilled, or rejected, with this work, whatever has become of the work before it. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }

  /** Fulfilled when all that was asked for has ended, however. */
  settled(): Promise<unknown> {
    return this.#last
  }
}
