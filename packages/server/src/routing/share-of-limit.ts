import type { WorkersShare } from '../db/store.ts'
import type { ShareOfLimit } from './route.ts'

/** Divides a limit among the processes that work: together they have all of it and no more, once they know of each other. */
export function createShareOfLimit(workersOf: () => WorkersShare): ShareOfLimit {
  return (max) => {
    if (max === Infinity) return max
    const { count, rank } = workersOf()
    return Math.floor(max / count) + (rank < max % count ? 1 : 0)
  }
}
