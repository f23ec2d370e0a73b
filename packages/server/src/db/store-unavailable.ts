/**
 * Error of a database that is unreachable, overloaded, or refuses to read or write. A retry may
 * succeed. Nothing was written, except that a write may have been committed if the connection to
 * PostgreSQL was lost during it.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /**
   * Error code of the database, such as SQLITE_FULL. Null if the database does not respond, or if
   * too many reads are waiting.
   */
  readonly reason: string | null

  constructor({ reason = null, ...options }: ErrorOptions & { reason?: string | null } = {}) {
    super(reason === null ? 'the database is unavailable' : `the database reports an error (${reason})`, options)
    this.reason = reason
  }
}

/** Error of a store that is closed or permanently broken. A retry cannot succeed. */
export class StoreClosed extends Error {
  override readonly name = 'StoreClosed'
}
