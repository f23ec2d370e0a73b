import type { MediaStore } from './media-store.ts'

export interface SweepParts {
  store: Pick<MediaStore, 'remove'>
  /** Results whose retention has run out and that are not yet marked, oldest first. */
  listExpired: (limit: number) => Promise<{ assetId: string }[]>
  markRemoved: (assetIds: string[]) => Promise<void>
  signal: AbortSignal
  /** Results taken at a time; default 100. */
  batch?: number
}

const batchDefault = 100

/**
 * Removes every file whose retention has run out, and answers how many. The file goes first and the mark follows: a crash
 * in between removes the same file again, which is nothing, while the other order could leave a file that nobody knows of.
 * Files that cannot be removed stop the sweep after their batch is marked as far as it came; the next sweep tries again.
 */
export async function sweepExpiredMedia({
  store,
  listExpired,
  markRemoved,
  signal,
  batch = batchDefault,
}: SweepParts): Promise<number> {
  for (let removedTotal = 0; ;) {
    signal.throwIfAborted()
    const expired = await listExpired(batch)
    if (expired.length === 0) return removedTotal
    const removed: string[] = []
    try {
      for (const { assetId } of expired) {
        if (signal.aborted) break
        await store.remove(assetId)
        removed.push(assetId)
      }
    } finally {
      if (removed.length > 0) await markRemoved(removed)
    }
    removedTotal += removed.length
  }
}
