import type { StartContext } from '../src/drivers/driver.ts'

/** A start that is never aborted and may always submit. */
export const startContext: StartContext = { signal: new AbortController().signal, beforeSubmit: async () => {} }
