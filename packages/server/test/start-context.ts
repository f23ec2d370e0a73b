import type { StartContext } from '../src/drivers/driver.ts'

/** Context for `Driver.start` that is never aborted and always permits the submit. */
export const startContext: StartContext = { signal: new AbortController().signal, beforeSubmit: async () => {} }
