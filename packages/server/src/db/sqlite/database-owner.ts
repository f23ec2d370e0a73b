import { randomUUID } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * `code` of the error with which the writer thread ends when another process has opened the
 * database to write.
 */
const takenOver = 'FRAMEGATE_DATABASE_TAKEN_OVER'

/** Name of the setting with the owner's token. It is left out of exports. */
export const ownerSetting = 'owner'

/**
 * Ownership of the database. A process that opens it to write stores a token of its own before it
 * reads anything, and checks in each transaction that the token is still there. A process that
 * opened the database earlier can therefore commit nothing more. Usually the lock of the data
 * folder keeps a second process out; this protects against a lock whose file was deleted.
 */
export class DatabaseOwner {
  readonly #token = randomUUID()
  readonly #read: StatementSync

  constructor(database: DatabaseSync) {
    database.prepare('insert or replace into settings values (?, ?)').run(ownerSetting, this.#token)
    this.#read = database.prepare('select value from settings where name = ?')
  }

  /** Throws if another process has taken the database over. Must be called within a transaction. */
  require(): void {
    if (this.#read.get(ownerSetting)?.['value'] === this.#token) return
    throw Object.assign(new Error('another process has opened the database to write'), { code: takenOver })
  }
}

export function isTakenOver(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === takenOver
}
