import type { Store } from '../db/store.ts'
import type { Logger } from '../lib/logger.ts'

const sweepIntervalMs = 60_000

/**
 * Removes expired credits from balances, at the start and then once a minute. This only updates the
 * ledger: expired credits cannot be spent even before they are removed.
 */
export function startGrantExpiry(store: Pick<Store, 'expireGrants'>, logger: Logger): AsyncDisposable {
  const closing = new AbortController()
  const { signal } = closing
  let sweep = Promise.resolve()
  const sweepNow = () => {
    sweep = sweep
      .then(() => store.expireGrants({ signal }))
      .catch((error: unknown) => logger.error({ err: error }, 'expired grants could not be removed; this will be retried'))
  }
  sweepNow()
  const timer = setInterval(sweepNow, sweepIntervalMs)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      closing.abort()
      await sweep
    },
  }
}
