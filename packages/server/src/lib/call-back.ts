/**
 * Calls back for one of many waiting callers. An error in the callback is rethrown later, where
 * nothing catches it. It must neither keep the others from their outcome, nor look like a failure
 * of the operation that they all waited for.
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
