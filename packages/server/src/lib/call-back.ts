/**
 * Calls the callback of one of several waiting callers. An error in the callback is rethrown later
 * as an uncaught error, so that the other callers still get the outcome and the operation itself
 * does not fail.
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
