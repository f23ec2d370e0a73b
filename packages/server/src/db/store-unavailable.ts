/**
 * The database cannot be reached, or refuses to read or write. Nothing was read or written, and
 * another try may succeed.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /**
   * Error code of the database, such as SQLITE_FULL. Null if the database does not respond.
   */
  readonly reason: string | null

  constructor({ reason = null, ...options }: ErrorOptions & { reason?: string | null } = {}) {
    super(reason === null ? 'the database cannot be reached' : `the database fails (${reason})`, options)
    this.reason = reason
  }
}

/** The store of this process is closed, or permanently broken: repeating a write cannot help. */
export class StoreClosed extends Error {
  override readonly name = 'StoreClosed'
}
