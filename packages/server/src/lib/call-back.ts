/**
 * Calls back for one of many that wait. An error of the callback is thrown later, where nothing catches it: it must neither keep the
 * others from their outcome, nor look like a failure of what they all waited for.
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
