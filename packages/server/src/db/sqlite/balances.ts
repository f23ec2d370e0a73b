import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** What an account has and holds, and the newest line of its ledger. */
export interface Balance {
  available: number
  held: number
  lastEntryNo: number | null
  lastPosition: number
  lastAtMs: number
}

/**
 * Balances in the writer's memory: it is the only writer, so a compare and a subtraction decide whether a hold is
 * covered, and each touched account is written once per batch, however many of its tasks the batch holds.
 *
 * Memory may run ahead of the table only between `begin` and `commit`: after any rollback `forget` is called, and the
 * table's figures are read anew.
 */
export class Balances {
  readonly #known = new Map<number, Balance>()
  readonly #touched = new Set<number>()
  readonly #read: StatementSync
  readonly #write: StatementSync

  constructor(database: DatabaseSync) {
    this.#read = database.prepare(`
      select balance, a.held, last_entry_no, coalesce(position, 0) as last_position, coalesce(at, 0) as last_at
      from accounts a left join entries e on e.no = a.last_entry_no
      where a.no = ?`)
    this.#write = database.prepare('update accounts set balance = ?, held = ?, last_entry_no = ? where no = ?')
  }

  available(accountNo: number): number {
    return this.#of(accountNo).available
  }

  /** Adds to what is available and to what is held. Throws when either would fall below zero: an entry would be wrong. */
  move(accountNo: number, available: number, held: number): Balance {
    const balance = this.#of(accountNo)
    if (balance.available + available < 0) throw new Error(`account ${accountNo} would owe ${balance.available + available}`)
    if (balance.held + held < 0) throw new Error(`account ${accountNo} would hold ${balance.held + held}`)
    balance.available += available
    balance.held += held
    this.#touched.add(accountNo)
    return balance
  }

  /** Writes what the batch has changed; called inside its transaction, right before the commit. */
  flush(): void {
    for (const accountNo of this.#touched) {
      const { available, held, lastEntryNo } = this.#of(accountNo)
      this.#write.run(available, held, lastEntryNo, accountNo)
    }
    this.#touched.clear()
  }

  forget(): void {
    this.#known.clear()
    this.#touched.clear()
  }

  #of(accountNo: number): Balance {
    let balance = this.#known.get(accountNo)
    if (balance === undefined) {
      const row = this.#read.get(accountNo)
      if (row === undefined) throw new Error(`there is no account ${accountNo}`)
      balance = {
        available: Number(row['balance']),
        held: Number(row['held']),
        lastEntryNo: row['last_entry_no'] === null ? null : Number(row['last_entry_no']),
        lastPosition: Number(row['last_position']),
        lastAtMs: Number(row['last_at']),
      }
      this.#known.set(accountNo, balance)
    }
    return balance
  }
}
