import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Maximum number of statements in the cache. When it is reached, all of them are dropped, and
 * prepared again on their next use.
 */
const cachedStatementsMax = 200

/**
 * Cache of the prepared statements of one connection, by their SQL. Preparing a statement often
 * takes longer than running it.
 */
export class PreparedStatements {
  readonly #database: DatabaseSync
  readonly #cached = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  get(sql: string): StatementSync {
    const cachedStatement = this.#cached.get(sql)
    if (cachedStatement !== undefined) return cachedStatement
    const statement = this.#database.prepare(sql)
    if (this.#cached.size >= cachedStatementsMax) this.#cached.clear()
    this.#cached.set(sql, statement)
    return statement
  }
}
