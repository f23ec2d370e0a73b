import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Available and held micro-credits of an account, with the number, the position and the time of the
 * newest entry of its ledger. The amounts are bigints, because an earlier version could raise a
 * balance above the exact range of JavaScript numbers.
 */
export interface Balance {
  available: bigint
  held: bigint
  lastEntryNo: number | null
  lastPosition: number
  lastAtMs: number
}

/**
 * A batch with fewer changes of balances (movements) than this counts as small. If two consecutive
 * batches are small, the second one updates the table of accounts. Under light traffic, each commit
 * therefore updates the table.
 */
const largeBatchMin = 8
/**
 * Maximum number of movements that are in the ledger, but not yet in the table of accounts. A query
 * for a balance adds these movements up, which takes a few tenths of a millisecond.
 */
const unwrittenMovementsMax = 512

/**
 * Balances in the memory of the writer thread. This thread is the only writer, so a comparison in
 * memory decides whether the balance covers a hold. The entries of the ledger make a movement
 * durable. Under light traffic, the table of accounts is updated in the same commit. Otherwise it
 * is updated some commits later, and one write then covers all movements of an account. Updating
 * the table in each commit would be expensive: if a thousand accounts submit in turn, each commit
 * would change one page of the table for every two tasks.
 *
 *   entries     1 ... 5000         |  5001 ... 5320
 *   accounts    include these      |  the accounts of these entries are in `#unwrittenAccounts`;
 *                                  |  `accounts_now` adds these entries up
 *                          balances_written
 *
 * During a transaction, the amounts in memory include movements that are not committed yet. After a
 * rollback, the writer calls `clearCache`, and the accounts that the batch has changed are read
 * again. An account stays in `#unwrittenAccounts` until a commit has updated its row.
 */
export class Balances {
  readonly #balances = new Map<number, Balance>()
  /** Every account whose row may not include all entries of its ledger. */
  readonly #unwrittenAccounts = new Set<number>()
  #unwrittenMovements = 0
  /** The account number of each movement in the current batch. */
  #movedAccounts: number[] = []
  /** Number of movements in the previous batch. */
  #previousMovements = 0
  /** Whether the current batch has updated the table. */
  #hasWritten = false
  readonly #read: StatementSync
  readonly #readUnwritten: StatementSync
  readonly #write: StatementSync
  readonly #setWritten: StatementSync

  constructor(database: DatabaseSync) {
    this.#read = prepareRead(database, 'accounts')
    this.#readUnwritten = prepareRead(database, 'accounts_now')
    this.#write = database.prepare('update accounts set balance = ?, held = ?, last_entry_no = ? where no = ?')
    this.#setWritten = database.prepare('update balances_written set entry_no = max(entry_no, ?)')
    const unwrittenAtStart = database.prepare(
      'select distinct account_no from entries where no > (select entry_no from balances_written)',
    )
    for (const row of unwrittenAtStart.iterate()) this.#unwrittenAccounts.add(Number(row['account_no']))
  }

  availableOf(accountNo: number): number {
    return Number(this.#balanceOf(accountNo).available)
  }

  /**
   * Changes the available credits and the held credits. Throws if either amount would fall below
   * zero.
   */
  move(accountNo: number, availableChange: number, heldChange: number): Balance {
    const balance = this.#balanceOf(accountNo)
    const availableAfter = balance.available + BigInt(availableChange)
    const heldAfter = balance.held + BigInt(heldChange)
    if (availableAfter < 0n) throw new Error(`account ${accountNo} would owe ${availableAfter}`)
    if (heldAfter < 0n) throw new Error(`account ${accountNo} would hold ${heldAfter}`)
    balance.available = availableAfter
    balance.held = heldAfter
    this.#unwrittenAccounts.add(accountNo)
    this.#movedAccounts.push(accountNo)
    return balance
  }

  /**
   * Updates the table, unless the update can wait. Called inside the transaction, right before the
   * commit. `willMoveAgain`: a later batch will change the balances of the same accounts.
   */
  flush(willMoveAgain = false): void {
    const isBusy = Math.max(this.#previousMovements, this.#movedAccounts.length) >= largeBatchMin
    const canDefer = (isBusy || willMoveAgain) && this.#unwrittenMovements + this.#movedAccounts.length < unwrittenMovementsMax
    if (canDefer || this.#unwrittenAccounts.size === 0) return
    let newestNo = 0
    for (const accountNo of this.#unwrittenAccounts) {
      const { available, held, lastEntryNo } = this.#balanceOf(accountNo)
      this.#write.run(available, held, lastEntryNo, accountNo)
      newestNo = Math.max(newestNo, lastEntryNo ?? 0)
    }
    this.#setWritten.run(newestNo)
    this.#hasWritten = true
  }

  commit(): void {
    this.#unwrittenMovements += this.#movedAccounts.length
    this.#previousMovements = this.#movedAccounts.length
    this.#movedAccounts = []
    if (!this.#hasWritten) return
    this.#hasWritten = false
    this.#unwrittenAccounts.clear()
    this.#unwrittenMovements = 0
  }

  clearCache(): void {
    for (const accountNo of this.#movedAccounts) this.#balances.delete(accountNo)
    this.#movedAccounts = []
    this.#hasWritten = false
  }

  #balanceOf(accountNo: number): Balance {
    let balance = this.#balances.get(accountNo)
    if (balance === undefined) {
      const row = (this.#unwrittenAccounts.has(accountNo) ? this.#readUnwritten : this.#read).get(accountNo)
      if (row === undefined) throw new Error(`there is no account ${accountNo}`)
      balance = {
        available: BigInt(String(row['balance'])),
        held: BigInt(String(row['held'])),
        lastEntryNo: row['last_entry_no'] === null ? null : Number(row['last_entry_no']),
        lastPosition: Number(row['last_position']),
        lastAtMs: Number(row['last_at']),
      }
      this.#balances.set(accountNo, balance)
    }
    return balance
  }
}

function prepareRead(database: DatabaseSync, accounts: 'accounts' | 'accounts_now'): StatementSync {
  return database.prepare(`
    select cast(balance as text) as balance, cast(a.held as text) as held, last_entry_no, coalesce(position, 0) as last_position, coalesce(at, 0) as last_at
    from ${accounts} a left join entries e on e.no = a.last_entry_no
    where a.no = ?`)
}
