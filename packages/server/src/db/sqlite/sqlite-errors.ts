import { StoreUnavailable } from '../store-unavailable.ts'

/**
 * Result codes (https://www.sqlite.org/rescode.html) of temporary errors: the disk, the machine or
 * another process caused them. Nothing was written, and a retry may succeed.
 */
const transientCodes = new Map([
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
])

/** Returns the name of the primary result code if the error is temporary, and null otherwise. */
export function transientReasonOf(error: unknown): string | null {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? (transientCodes.get(errcode & 0xff) ?? null) : null
}

/** Returns a `StoreUnavailable` if the error is temporary, and the error itself otherwise. */
export function unavailableOf(error: unknown): unknown {
  const reason = transientReasonOf(error)
  return reason === null ? error : new StoreUnavailable({ cause: error, reason })
}

/**
 * Runs a read, and throws `StoreUnavailable` if the read fails with a temporary error. Must not be
 * used for an iterator, because an iterator reads after this function has returned.
 */
export function readNow<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw unavailableOf(error)
  }
}
