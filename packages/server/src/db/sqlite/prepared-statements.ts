import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Maximum number of statements that are kept for a connection. When it is reached, all of them are
 * dropped and prepared again on their next use.
 */
const heldMax = 200

/**
 * Cache of the prepared statements of one connection, by their SQL. Preparing a statement often
 * takes longer than running it.
 */
export class PreparedStatements {
  readonly #database: DatabaseSync
  readonly #held = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  get(sql: string): StatementSync {
    const held = this.#held.get(sql)
    if (held !== undefined) return held
    const statement = this.#database.prepare(sql)
    if (this.#held.size >= heldMax) this.#held.clear()
    this.#held.set(sql, statement)
    return statement
  }
}
