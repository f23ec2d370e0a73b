/**
 * Calls back for one of many waiting callers. An error in the callback is rethrown later as an
 * uncaught error. So it neither keeps the other callers from their outcome, nor looks like a
 * failure of the operation that they all waited for.
 */
export function callBack<Outcome>(callback: (outcome: Outcome) => void, outcome: Outcome): void {
  try {
    callback(outcome)
  } catch (error) {
    setImmediate(() => {
      throw error
    })
  }
}
