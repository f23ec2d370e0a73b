/** Position at which the next sweep continues. */
export interface SweepPosition {
  /** Number of items at the beginning of the list that cannot be removed. */
  skipCount: number
}

export interface SweepOptions<Item> {
  /** Lists the items to remove, without the first `skipCount`. */
  list: (limit: number, skipCount: number) => Promise<Item[]>
  /** Removes the files of an item. */
  remove: (item: Item) => Promise<void>
  /** Records that the files of items were removed, so that `list` no longer returns the items. */
  markRemoved: (items: Item[]) => Promise<void>
  /** Ends the sweep between two items. The next sweep continues it. */
  signal: AbortSignal
  /** Default: the beginning of the list. Changed by the sweep. */
  position?: SweepPosition
  /** Plural noun for the items in an error message. Default: expired files. */
  nounOfItems?: string
  /** Number of items that are read at a time. Default: 100. */
  batchSize?: number
}

const defaultBatchSize = 100
const batchesMax = 1000
/** Maximum number of errors in the `AggregateError` of a sweep. */
const errorsMax = 100

/**
 * Removes files that are no longer needed, and returns the number of removed items. A file is
 * removed before its item is marked. A crash between the two steps then only repeats the removal.
 * In the other order, a crash could leave a file without an item.
 *
 * If items cannot be removed, the sweep skips them, removes the others and then throws an
 * `AggregateError`. If no item of a batch can be removed, the media store may be unavailable, and
 * the sweep stops. The next sweep with the same `position` continues after this batch. After a
 * sweep has reached the end of the list, the next one starts from the beginning and tries the
 * skipped items again.
 */
export async function sweepExpiredMedia<Item>(options: SweepOptions<Item>): Promise<number> {
  const { signal, position = { skipCount: 0 }, batchSize = defaultBatchSize } = options
  let removedTotal = 0
  let errorCount = 0
  const errors: unknown[] = []
  for (let batch = 0; batch < batchesMax && !signal.aborted; batch++) {
    const items = await options.list(batchSize, position.skipCount)
    const removedItems: Item[] = []
    for (const item of items) {
      if (signal.aborted) break
      try {
        await options.remove(item)
        removedItems.push(item)
      } catch (cause) {
        position.skipCount++
        errorCount++
        if (errors.length < errorsMax) errors.push(cause)
      }
    }
    if (removedItems.length > 0) await options.markRemoved(removedItems)
    removedTotal += removedItems.length
    const isEnd = items.length < batchSize
    if (isEnd && !signal.aborted) position.skipCount = 0
    if (isEnd || removedItems.length === 0) break
  }
  if (errorCount > 0)
    throw new AggregateError(errors, `${errorCount} ${options.nounOfItems ?? 'expired files'} cannot be removed`)
  return removedTotal
}
