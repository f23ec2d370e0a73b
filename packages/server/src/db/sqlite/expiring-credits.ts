import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** A grant that expires and has remaining credits. */
interface OpenGrant {
  readonly no: number
  readonly expiresAtMs: number
  /** The remaining micro-credits. */
  remaining: number
}

interface AccountGrants {
  /**
   * Whether the account has ever received credits that expire. If not, returned credits need no
   * look-up of the grants that they came from.
   */
  hasAny: boolean
  /** The open grants, soonest expiry first. */
  open: OpenGrant[]
}

/**
 * Tracks which parts of a balance expire, and when. Spending uses the grant that expires soonest
 * first, and credits that never expire last. Credits are returned in the reverse order. Each change
 * of a grant is stored with the number of the entry that caused it, so that the remaining credits
 * of a grant can be recomputed.
 *
 * Like the balances, these amounts are in the memory of the writer thread. After any rollback, the
 * writer calls `clearCache`.
 */
export class ExpiringCredits {
  readonly #cached = new Map<number, AccountGrants>()
  readonly #changedGrants = new Set<OpenGrant>()
  readonly #readGrants: StatementSync
  readonly #insertGrant: StatementSync
  readonly #insertPart: StatementSync
  readonly #readParts: StatementSync
  readonly #readExpired: StatementSync
  readonly #write: StatementSync

  constructor(database: DatabaseSync) {
    this.#readGrants = database.prepare(
      'select no, expires_at, remaining from grants where account_no = ? order by expires_at, no',
    )
    this.#insertGrant = database.prepare('insert into grants (account_no, expires_at, remaining) values (?, ?, 0)')
    this.#insertPart = database.prepare('insert into grant_parts (entry_no, grant_no, task_no, amount) values (?, ?, ?, ?)')
    this.#readParts = database.prepare(`
      select p.grant_no, g.expires_at, -sum(p.amount) as taken
      from grant_parts p join grants g on g.no = p.grant_no
      where p.task_no = ?
      group by p.grant_no
      order by g.expires_at desc, g.no desc`)
    this.#readExpired = database.prepare('select distinct account_no from grants where remaining > 0 and expires_at <= ?')
    this.#write = database.prepare('update grants set remaining = ? where no = ?')
  }

  /** Adds a grant. `entryNo` is the entry of the grant, which must already be written. */
  add(accountNo: number, entryNo: number, amount: number, expiresAtMs: number): void {
    const account = this.#grantsOf(accountNo)
    const no = Number(this.#insertGrant.run(accountNo, expiresAtMs).lastInsertRowid)
    const grant = { no, expiresAtMs, remaining: 0 }
    account.hasAny = true
    this.#addOpen(account, grant)
    this.#move(grant, entryNo, null, amount)
  }

  /**
   * Takes the amount of an entry from the expiring grants of the account, as far as they cover it.
   * The rest comes from credits that do not expire.
   */
  takeCredits(accountNo: number, entryNo: number, taskNo: number | null, amount: number): void {
    const account = this.#grantsOf(accountNo)
    let remaining = amount
    while (remaining > 0) {
      const grant = account.open[0]
      if (grant === undefined) return
      const takenAmount = Math.min(remaining, grant.remaining)
      remaining -= takenAmount
      this.#move(grant, entryNo, taskNo, -takenAmount)
      if (grant.remaining === 0) account.open.shift()
    }
  }

  /**
   * Returns `amount` of the hold of a task: first to the credits that do not expire, and then to
   * the grants, latest expiry first.
   */
  returnCredits(accountNo: number, entryNo: number, taskNo: number, hold: number, amount: number): void {
    const account = this.#grantsOf(accountNo)
    if (!account.hasAny || amount === 0) return
    const parts = this.#readParts
      .all(taskNo)
      .map((row) => ({ no: Number(row['grant_no']), expiresAtMs: Number(row['expires_at']), taken: Number(row['taken']) }))
    const takenFromPermanent = hold - parts.reduce((sum, part) => sum + part.taken, 0)
    let remaining = amount - Math.min(amount, takenFromPermanent)
    for (const part of parts) {
      const returnedAmount = Math.min(remaining, part.taken)
      if (returnedAmount === 0) continue
      remaining -= returnedAmount
      this.#move(this.#reopen(account, part), entryNo, taskNo, returnedAmount)
    }
  }

  /** Whether the account has expired credits that are still in its balance. */
  hasExpired(accountNo: number, nowMs: number): boolean {
    const earliestGrant = this.#grantsOf(accountNo).open[0]
    return earliestGrant !== undefined && earliestGrant.expiresAtMs <= nowMs
  }

  /**
   * Returns the remaining credits of the account's grant that expires soonest, or 0 if there is
   * none.
   */
  remainingOfNext(accountNo: number): number {
    return this.#grantsOf(accountNo).open[0]?.remaining ?? 0
  }

  /** Returns the numbers of the accounts that have expired credits according to the table. */
  accountsWithExpired(nowMs: number): number[] {
    return this.#readExpired.all(nowMs).map((row) => Number(row['account_no']))
  }

  /** Writes the changes of the batch. Called inside its transaction, right before the commit. */
  flush(): void {
    for (const grant of this.#changedGrants) this.#write.run(grant.remaining, grant.no)
    this.#changedGrants.clear()
  }

  clearCache(): void {
    this.#cached.clear()
    this.#changedGrants.clear()
  }

  #move(grant: OpenGrant, entryNo: number, taskNo: number | null, amount: number): void {
    grant.remaining += amount
    this.#changedGrants.add(grant)
    this.#insertPart.run(entryNo, grant.no, taskNo, amount)
  }

  #reopen(account: AccountGrants, { no, expiresAtMs }: { no: number; expiresAtMs: number }): OpenGrant {
    const existing = account.open.find((grant) => grant.no === no)
    if (existing !== undefined) return existing
    // A grant that is not open has no remaining credits. The table may show this only after the
    // batch is written.
    const grant = { no, expiresAtMs, remaining: 0 }
    this.#addOpen(account, grant)
    return grant
  }

  #addOpen(account: AccountGrants, grant: OpenGrant): void {
    account.open.push(grant)
    account.open.sort((a, b) => a.expiresAtMs - b.expiresAtMs || a.no - b.no)
  }

  #grantsOf(accountNo: number): AccountGrants {
    let account = this.#cached.get(accountNo)
    if (account === undefined) {
      const grants = this.#readGrants
        .all(accountNo)
        .map((row) => ({ no: Number(row['no']), expiresAtMs: Number(row['expires_at']), remaining: Number(row['remaining']) }))
      account = { hasAny: grants.length > 0, open: grants.filter((grant) => grant.remaining > 0) }
      this.#cached.set(accountNo, account)
    }
    return account
  }
}
