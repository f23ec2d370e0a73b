/**
 * Calls the callback of one of many waiting callers. An error in the callback is rethrown later as
 * an uncaught error. Therefore the other callers still receive the outcome, and the error does not
 * look like a failure of the operation.
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
