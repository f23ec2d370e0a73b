import { StoreUnavailable } from '../store-unavailable.ts'

/**
 * Result codes (https://www.sqlite.org/rescode.html) for errors of the disk, the machine or another
 * process, and not of the statement. Nothing was written, and another try may succeed.
 */
const passingCodes = new Map([
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
])

/** Name of the primary result code if the error is temporary; otherwise null. */
export function passingReasonOf(error: unknown): string | null {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? (passingCodes.get(errcode & 0xff) ?? null) : null
}

/** A `StoreUnavailable` if the reason of the error is temporary; otherwise the error itself. */
export function unavailableOf(error: unknown): unknown {
  const reason = passingReasonOf(error)
  return reason === null ? error : new StoreUnavailable({ cause: error, reason })
}

/**
 * Runs a read, and throws `StoreUnavailable` if it fails for a temporary reason. Not for an
 * iterator, which reads after this function has returned.
 */
export function readNow<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw unavailableOf(error)
  }
}
