import { vi } from 'vitest'

/** As in `expect.poll`, see vitest.config.ts. */
const defaults = { timeout: 10_000 }

/**
 * Extends the default timeout of `vi.waitFor` and `vi.waitUntil`, which Vitest cannot configure. It
 * is one second, which is too short on a busy machine.
 */
export function extendWaits(): void {
  const { waitFor, waitUntil } = vi
  vi.waitFor = (callback, options) => waitFor(callback, withDefaults(options))
  vi.waitUntil = (callback, options) => waitUntil(callback, withDefaults(options))
}

function withDefaults(options: number | object = {}) {
  return { ...defaults, ...(typeof options === 'number' ? { timeout: options } : options) }
}
