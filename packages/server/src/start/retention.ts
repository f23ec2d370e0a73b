import type { Assets } from '../assets/assets.ts'
import type { Store } from '../db/store.ts'
import type { PromptRetention } from '../deletion/prompt-retention.ts'
import type { TaskRetention } from '../deletion/task-retention.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { MediaStore } from '../media/media-store.ts'
import { removeResult } from '../media/remove-result.ts'
import type { WebhookRemoval } from '../webhooks/remove-webhooks.ts'
import { sweepExpiredMedia, type SweepPosition } from '../media/sweep-expired-media.ts'

const sweepIntervalMs = 60_000
/**
 * Maximum time for a long step in one sweep. The step then continues in the next sweep, so that
 * other steps can run.
 */
const longSweepMsMax = 30_000
/**
 * Interval at which leftovers are removed. It is long, because S3 providers charge for listing
 * objects.
 */
const leftoversIntervalMs = 60 * 60_000
/** Age at which the remains of interrupted uploads are removed. No upload takes this long. */
const leftoverAgeMs = 24 * 60 * 60_000

export interface RetentionDependencies {
  store: Pick<Store, 'listExpiredResults' | 'markResultsRemoved'>
  mediaStore: Pick<MediaStore, 'remove' | 'removeLeftovers'>
  assets: Pick<Assets, 'sweep'> & { uploads: Pick<Assets['uploads'], 'sweep'> }
  prompts: PromptRetention
  tasks: TaskRetention
  webhooks: Pick<WebhookRemoval, 'sweep'>
  /** Removes the remains of deletions and erasures. */
  completeDeletions: (signal: AbortSignal) => Promise<void>
  clock: Clock
  logger: Logger
}

/**
 * Cleans up until disposal. Every minute, it removes results, prompts and tasks whose retention has
 * ended, old webhook deliveries, ended uploads, deleted and abandoned assets, and the remains of
 * deletions. Every hour, it removes the remains of interrupted uploads from the media store.
 */
export function startRetention(dependencies: RetentionDependencies): AsyncDisposable {
  const { store, mediaStore, assets, prompts, tasks, webhooks, completeDeletions, clock, logger } = dependencies
  const stopController = new AbortController()
  const { signal } = stopController
  let sweeping = Promise.resolve()
  const resultsPosition: SweepPosition = { skipCount: 0 }
  let leftoversRemovedAtMs = -Infinity

  const limitedSignal = () => AbortSignal.any([signal, AbortSignal.timeout(longSweepMsMax)])

  async function removeLeftovers(): Promise<void> {
    // The absolute difference matters, because the clock may have been set back.
    if (mediaStore.removeLeftovers === undefined || Math.abs(clock() - leftoversRemovedAtMs) < leftoversIntervalMs) return
    leftoversRemovedAtMs = clock()
    const removedCount = await mediaStore.removeLeftovers(clock() - leftoverAgeMs, signal)
    if (removedCount > 0) logger.info({ removed: removedCount }, 'incomplete uploads older than a day were removed')
  }

  async function removeResults(): Promise<void> {
    await sweepExpiredMedia({
      list: (limit, skipCount) => store.listExpiredResults(limit, clock(), skipCount),
      remove: ({ objectKey }) => removeResult(mediaStore, objectKey),
      async markRemoved(results) {
        await prompts.removeWithResults(results)
        await store.markResultsRemoved(results, clock())
      },
      signal,
      position: resultsPosition,
    })
  }

  const steps: readonly (readonly [message: string, work: () => Promise<unknown>])[] = [
    ['expired results could not be removed', removeResults],
    ['prompts could not be removed', () => prompts.sweep(limitedSignal())],
    ['old tasks could not be removed', () => tasks.sweep(limitedSignal())],
    ['leftovers of deletions could not be removed', () => completeDeletions(limitedSignal())],
    ['old deliveries to webhooks could not be removed', () => webhooks.sweep(limitedSignal())],
    ['ended uploads could not be removed', () => assets.uploads.sweep(signal)],
    ['deleted assets could not be removed', () => assets.sweep(signal)],
    ['leftovers of uploads could not be removed', removeLeftovers],
  ]

  async function sweepAll(): Promise<void> {
    for (const [message, work] of steps) {
      try {
        if (!signal.aborted) await work()
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, `${message}; this will be retried`)
      }
    }
  }

  const sweepNow = () => {
    sweeping = sweeping.then(sweepAll)
  }
  sweepNow()
  const timer = setInterval(sweepNow, sweepIntervalMs)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopController.abort()
      await sweeping
    },
  }
}
