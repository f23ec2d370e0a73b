/** Lets so many pieces of work run at a time; the others wait in order. */
export function createTurns(turnsMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running === turnsMax) await new Promise<void>((begin) => waiting.push(begin))
    else running += 1
    try {
      return await work()
    } finally {
      // The turn is handed over, so that nobody who comes in between can take it.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
