import { randomUUID } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Value of `code` in the error that ends the writer thread after another process has opened the
 * database for writing.
 */
const takenOverCode = 'FRAMEGATE_DATABASE_TAKEN_OVER'

/** Name of the setting that stores the token of the owner. Exports do not contain it. */
export const ownerSetting = 'owner'

/**
 * Ownership of the database. Usually the lock of the data folder excludes a second process. The
 * token protects the database if the lock file was deleted: a process that opens the database for
 * writing stores a token before it reads tasks or balances, and checks in each transaction that its
 * token is still stored. A process that opened the database earlier can therefore no longer commit.
 */
export class DatabaseOwner {
  readonly #token = randomUUID()
  readonly #read: StatementSync

  constructor(database: DatabaseSync) {
    database.prepare('insert or replace into settings values (?, ?)').run(ownerSetting, this.#token)
    this.#read = database.prepare('select value from settings where name = ?')
  }

  /** Throws if another process has taken over the database. Must be called within a transaction. */
  requireOwnership(): void {
    if (this.#read.get(ownerSetting)?.['value'] === this.#token) return
    throw Object.assign(new Error('another process has opened the database for writing'), { code: takenOverCode })
  }
}

export function isTakenOver(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === takenOverCode
}
