import type { Assets } from '../assets/assets.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { MediaStore } from '../media/media-store.ts'
import { sweepExpiredMedia } from '../media/sweep-expired-media.ts'

const sweepEveryMs = 60_000
/** Buckets charge for being listed. */
const leftoversEveryMs = 60 * 60_000
/** Longer than any upload takes. */
const leftoverAgeMs = 24 * 60 * 60_000

export interface RetentionOptions {
  store: Pick<Store, 'expiredResults' | 'markResultsRemoved'>
  mediaStore: Pick<MediaStore, 'remove' | 'removeLeftovers'>
  assets: Pick<Assets, 'sweep'>
  clock: Clock
  logger: Logger
}

/**
 * Removes results whose retention has run out and assets that nobody needs, once a minute, and what uploads that were cut short have
 * left in the media store, once an hour, for as long as it is not disposed of.
 */
export function startRetention({ store, mediaStore, assets, clock, logger }: RetentionOptions): AsyncDisposable {
  const stopped = new AbortController()
  let sweep = Promise.resolve()
  let leftoversDueAtMs = 0

  async function removeLeftovers(): Promise<void> {
    if (mediaStore.removeLeftovers === undefined || stopped.signal.aborted || clock() < leftoversDueAtMs) return
    leftoversDueAtMs = clock() + leftoversEveryMs
    const removed = await mediaStore.removeLeftovers(clock() - leftoverAgeMs, stopped.signal)
    if (removed > 0) logger.info({ removed }, 'uploads that were cut short more than a day ago have been removed')
  }

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
      .then(() => removeLeftovers())
      .catch((error: unknown) => {
        if (!stopped.signal.aborted)
          logger.error({ err: error }, 'what uploads have left could not be removed; this is tried again')
      })
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
