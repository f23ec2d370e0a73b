import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Statements held for a connection. Beyond them all are prepared again. */
const heldMax = 200

/** The statements of one connection by their SQL, because preparing one often takes longer than running it. */
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
