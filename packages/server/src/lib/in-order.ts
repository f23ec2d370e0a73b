export interface InOrder {
  /** Fulfilled, or rejected, when the run that this call asks for has ended. */
  run: () => Promise<void>
  /** Fulfilled when every run that was asked for has ended, however. */
  settled: () => Promise<void>
}

/** Runs a task each time it is asked for, one run after the other: what is read later also takes effect later. */
export function inOrder(task: () => Promise<void>): InOrder {
  let last: Promise<void> = Promise.resolve()
  return {
    run: () => {
      const mine = last.then(task)
      last = mine.catch(() => undefined)
      return mine
    },
    settled: () => last,
  }
}
