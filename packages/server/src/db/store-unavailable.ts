/**
 * Error of a database that is unreachable, or that refuses to read or write. Nothing was read or
 * written, and a retry may succeed.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /**
   * Error code of the database, such as SQLITE_FULL. Null if the database does not respond, or if
   * too many reads are waiting.
   */
  readonly reason: string | null

  constructor({ reason = null, ...options }: ErrorOptions & { reason?: string | null } = {}) {
    super(reason === null ? 'the database cannot be reached' : `the database fails (${reason})`, options)
    this.reason = reason
  }
}

/** Error of a store that is closed or permanently broken. A retry cannot succeed. */
export class StoreClosed extends Error {
  override readonly name = 'StoreClosed'
}
