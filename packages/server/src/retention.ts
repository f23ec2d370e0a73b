import type { Assets } from './assets/assets.ts'
import type { Store } from './db/store.ts'
import type { Clock } from './lib/clock.ts'
import type { Logger } from './lib/logger.ts'
import type { MediaStore } from './media/media-store.ts'
import { sweepExpiredMedia } from './media/sweep-expired-media.ts'

const sweepEveryMs = 60_000

export interface RetentionOptions {
  store: Store
  mediaStore: MediaStore
  assets: Pick<Assets, 'sweep'>
  clock: Clock
  logger: Logger
}

/** Removes results whose retention has run out and assets that nobody needs, once a minute, for as long as it is not disposed of. */
export function startRetention({ store, mediaStore, assets, clock, logger }: RetentionOptions): AsyncDisposable {
  const stopped = new AbortController()
  let sweep = Promise.resolve()
  const sweepNow = () => {
    sweep = sweep
      .then(() =>
        sweepExpiredMedia({
          store: mediaStore,
          listExpired: (limit) => store.expiredResults(limit, clock()),
          markRemoved: (results) => store.markResultsRemoved(results, clock()),
          signal: stopped.signal,
        }),
      )
      .catch((error: unknown) => logger.error({ err: error }, 'expired results could not be removed; this is tried again'))
      .then(() => assets.sweep(stopped.signal))
      .catch((error: unknown) => logger.error({ err: error }, 'deleted assets could not be removed; this is tried again'))
  }
  sweepNow()
  const timer = setInterval(sweepNow, sweepEveryMs)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopped.abort()
      await sweep
    },
  }
}
