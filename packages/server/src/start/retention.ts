import type { Assets } from '../assets/assets.ts'
import type { Store } from '../db/store.ts'
import type { PromptRetention } from '../deletion/prompt-retention.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { MediaStore } from '../media/media-store.ts'
import { sweepExpiredMedia } from '../media/sweep-expired-media.ts'

const sweepEveryMs = 60_000
/** What may take long goes on with the next sweep, so that the others get their turn. */
const longSweepMsMax = 30_000
/** Buckets charge for being listed. */
const leftoversEveryMs = 60 * 60_000
/** Longer than any upload takes. */
const leftoverAgeMs = 24 * 60 * 60_000

export interface RetentionOptions {
  store: Pick<Store, 'expiredResults' | 'markResultsRemoved'>
  mediaStore: Pick<MediaStore, 'remove' | 'removeLeftovers'>
  assets: Pick<Assets, 'sweep'>
  prompts: PromptRetention
  /** Does what deletions and erasures have left. */
  sweepDeletions: (signal: AbortSignal) => Promise<void>
  clock: Clock
  logger: Logger
}

/**
 * Removes results and prompts whose retention has run out, assets that nobody needs and what deletions have left, once a minute, and what
 * uploads that were cut short have left in the media store, once an hour, for as long as it is not disposed of.
 */
export function startRetention(options: RetentionOptions): AsyncDisposable {
  const { store, mediaStore, assets, prompts, sweepDeletions, clock, logger } = options
  const stopped = new AbortController()
  const { signal } = stopped
  let sweep = Promise.resolve()
  let leftoversDueAtMs = 0

  const forATime = () => AbortSignal.any([signal, AbortSignal.timeout(longSweepMsMax)])

  async function removeLeftovers(): Promise<void> {
    if (mediaStore.removeLeftovers === undefined || signal.aborted || clock() < leftoversDueAtMs) return
    leftoversDueAtMs = clock() + leftoversEveryMs
    const removed = await mediaStore.removeLeftovers(clock() - leftoverAgeMs, signal)
    if (removed > 0) logger.info({ removed }, 'uploads that were cut short more than a day ago have been removed')
  }

  async function removeResults(): Promise<void> {
    await sweepExpiredMedia({
      store: mediaStore,
      listExpired: (limit) => store.expiredResults(limit, clock()),
      async markRemoved(results) {
        await prompts.removeWithResults(results)
        await store.markResultsRemoved(results, clock())
      },
      signal,
    })
  }

  const steps: readonly (readonly [what: string, work: () => Promise<unknown>])[] = [
    ['expired results could not be removed', removeResults],
    ['prompts could not be removed', () => prompts.sweep(forATime())],
    ['what deletions have left could not be removed', () => sweepDeletions(forATime())],
    ['deleted assets could not be removed', () => assets.sweep(signal)],
    ['what uploads have left could not be removed', removeLeftovers],
  ]

  async function sweepAll(): Promise<void> {
    for (const [what, work] of steps) {
      try {
        if (!signal.aborted) await work()
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, `${what}; this is tried again`)
      }
    }
  }

  const sweepNow = () => {
    sweep = sweep.then(sweepAll)
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
