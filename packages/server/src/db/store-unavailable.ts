/** The database cannot be reached, or gives no connection, just now: nothing was read or written, and the same may succeed shortly. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'

  constructor(options: ErrorOptions = {}) {
    super('the database cannot be reached', options)
  }
}

/** The store of this process is closed, or broken for good: repeating a write helps nothing. */
export class StoreClosed extends Error {
  override readonly name = 'StoreClosed'
}
