import type { StartContext } from '../src/drivers/driver.ts'

/** The context of a start that is never aborted and may always submit. */
export const startContext: StartContext = { signal: new AbortController().signal, beforeSubmit: async () => {} }
