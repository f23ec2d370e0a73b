import type { MediaStore } from './media-store.ts'

export interface SweepOptions<Result extends { objectKey: string }> {
  store: Pick<MediaStore, 'remove'>
  /**
   * Lists results whose retention has expired and that are not yet marked as removed, oldest first.
   */
  listExpired: (limit: number) => Promise<Result[]>
  markRemoved: (results: Result[]) => Promise<void>
  /** Ends the sweep between two files. The next sweep continues it. */
  signal: AbortSignal
  /** Number of results that are read at a time. Default: 100. */
  batchSize?: number
}

const defaultBatchSize = 100
const batchesMax = 1000

/**
 * Removes files whose retention has expired, and returns their number. A file is removed before its
 * result is marked, so that a crash between the two steps only repeats the removal. In the other
 * order, a crash could leave a file without a result. If files cannot be removed, the sweep removes
 * the others and then throws an `AggregateError`. It stops early at a batch none of whose files can
 * be removed.
 */
export async function sweepExpiredMedia<Result extends { objectKey: string }>(options: SweepOptions<Result>): Promise<number> {
  const { store, signal, batchSize = defaultBatchSize } = options
  let removedTotal = 0
  let errors: unknown[] = []
  for (let batch = 0; batch < batchesMax; batch++) {
    const expiredResults = await options.listExpired(batchSize)
    const removedResults: Result[] = []
    errors = []
    for (const result of expiredResults) {
      if (signal.aborted) break
      try {
        await store.remove(result.objectKey)
        removedResults.push(result)
      } catch (cause) {
        errors.push(cause)
      }
    }
    if (removedResults.length > 0) await options.markRemoved(removedResults)
    removedTotal += removedResults.length
    if (expiredResults.length < batchSize || removedResults.length === 0 || signal.aborted) break
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} expired files cannot be removed`)
  return removedTotal
}
