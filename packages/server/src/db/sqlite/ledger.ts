import assert from 'node:assert'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { NewAdjustment, NewGrant, WriteOutcome } from '../write-operations.ts'
import { Balances } from './balances.ts'
import { grantedMicroCreditsMax } from '../grant-limit-exceeded.ts'
import { createAddEntry, type NewEntry } from './entries.ts'
import type { EventOutbox } from './event-outbox.ts'
import { ExpiringCredits } from './expiring-credits.ts'

type LimitExceeded = Extract<WriteOutcome, { kind: 'grant_limit_exceeded' }>

/**
 * The ledger and the balances in the writer thread. Every movement of credits is one entry. The
 * entry is written in the transaction of its cause and never changes.
 *
 *             balance   held
 *   grant     +                    an account receives credits, permanent or with an expiry
 *   adjust    + or -               an operator corrects the balance
 *   expire    -                    the remaining credits of a grant expire
 *   hold      -         +          a task or a forwarded request is accepted
 *   settle    + rest    -          it completes, or a failed request is charged; the rest is the
 *                                  hold minus the charge
 *   release   +         -          it fails or is cancelled, without a charge
 *
 * Expired credits are deducted before a balance is read or spent. Credits that a task returns to an
 * expired grant expire immediately.
 */
export class Ledger {
  readonly #balances: Balances
  readonly #expiring: ExpiringCredits
  readonly #add: (entry: NewEntry) => number
  readonly #findReference: StatementSync
  readonly #readGranted: StatementSync
  /** Cache of the total micro-credits that each account has received. A rollback empties it. */
  readonly #granted = new Map<number, bigint>()
  #expiryMs = Infinity

  constructor(database: DatabaseSync, outbox: EventOutbox) {
    this.#balances = new Balances(database)
    this.#expiring = new ExpiringCredits(database)
    const addEntry = createAddEntry(database, this.#balances)
    this.#add = (entry) => {
      const entryNo = addEntry(entry)
      if (outbox.hasThreshold(entry.accountNo)) {
        const availableAfter = this.#balances.availableOf(entry.accountNo)
        outbox.recordBalanceChange(entry.accountNo, { before: availableAfter - entry.amount, after: availableAfter }, entry.atMs)
      }
      return entryNo
    }
    this.#findReference = database.prepare('select 1 from entries where reference = ?')
    // Uses the index entries_without_task_idx.
    this.#readGranted = database.prepare(
      'select cast(coalesce(sum(amount), 0) as text) as given from entries where account_no = ? and task_no is null and amount > 0',
    )
  }

  /**
   * Sets the time that decides which grants have expired. While the clock is not trusted, it may be
   * earlier than the times of new entries (`WriteBatch.expiryMs`).
   */
  setExpiryTime(expiryMs: number): void {
    this.#expiryMs = expiryMs
  }

  /** Deducts expired credits, and returns the spendable micro-credits of the account. */
  availableOf(accountNo: number, nowMs: number): number {
    this.#expire(accountNo, nowMs)
    return this.#balances.availableOf(accountNo)
  }

  /**
   * Holds the price of a task or forwarded request. Returns the number of the entry. Throws if the
   * balance does not cover the price.
   */
  hold(accountNo: number, taskNo: number, price: number, atMs: number): number {
    const entryNo = this.#add({ accountNo, taskNo, kind: 'hold', amount: -price, held: price, atMs })
    this.#expiring.takeCredits(accountNo, entryNo, taskNo, price)
    return entryNo
  }

  settle(accountNo: number, taskNo: number, price: number, charge: number, atMs: number): void {
    assert(charge >= 0 && charge <= price, `task ${taskNo}: the charge ${charge} is not from 0 to the hold ${price}`)
    this.#endHold('settle', accountNo, taskNo, price, price - charge, atMs)
  }

  release(accountNo: number, taskNo: number, price: number, atMs: number): void {
    this.#endHold('release', accountNo, taskNo, price, price, atMs)
  }

  /** Adds credits, once for each reference. */
  grant({ accountNo, amount, note, expiresAtMs, reference }: NewGrant, atMs: number): 'written' | 'duplicate' | LimitExceeded {
    assert(Number.isSafeInteger(amount) && amount > 0, `a grant must be a whole number of micro-credits above 0; got ${amount}`)
    if (this.#hasReference(reference)) return 'duplicate'
    const limitExceeded = this.#addGranted(accountNo, amount)
    if (limitExceeded !== null) return limitExceeded
    const entryNo = this.#add({ accountNo, taskNo: null, kind: 'grant', amount, held: 0, atMs, note, reference })
    if (expiresAtMs === null) return 'written'
    this.#expiring.add(accountNo, entryNo, amount, expiresAtMs)
    this.#expire(accountNo, atMs)
    return 'written'
  }

  /**
   * Adds or deducts credits, once for each reference. Deducts nothing if the balance does not cover
   * the amount.
   */
  adjust(
    { accountNo, amount, note, reference }: NewAdjustment,
    atMs: number,
  ): 'written' | 'duplicate' | 'uncovered' | LimitExceeded {
    assert(
      Number.isSafeInteger(amount) && amount !== 0,
      `an adjustment must be a whole number of micro-credits other than 0; got ${amount}`,
    )
    if (this.#hasReference(reference)) return 'duplicate'
    const limitExceeded = amount > 0 ? this.#addGranted(accountNo, amount) : null
    if (limitExceeded !== null) return limitExceeded
    if (this.availableOf(accountNo, atMs) + amount < 0) return 'uncovered'
    const entryNo = this.#add({ accountNo, taskNo: null, kind: 'adjust', amount, held: 0, atMs, note, reference })
    if (amount < 0) this.#expiring.takeCredits(accountNo, entryNo, null, -amount)
    return 'written'
  }

  /** Deducts the expired credits of every account. */
  expireAll(nowMs: number): void {
    for (const accountNo of this.#expiring.accountsWithExpired(Math.min(nowMs, this.#expiryMs))) this.#expire(accountNo, nowMs)
  }

  /**
   * Writes the changes of the batch. Called inside its transaction, right before the commit.
   * `willMoveAgain`: a later batch will change the balances of the same accounts.
   */
  flush(willMoveAgain = false): void {
    this.#balances.flush(willMoveAgain)
    this.#expiring.flush()
  }

  commit(): void {
    this.#balances.commit()
  }

  /**
   * Called for a rollback. Removes the amounts in memory that the batch may have changed, so that
   * they are read again.
   */
  clearCache(): void {
    this.#balances.clearCache()
    this.#granted.clear()
    this.#expiring.clearCache()
  }

  /**
   * Adds an amount to the total that the account has received. If the total would exceed its limit,
   * returns the refusal and adds nothing.
   */
  #addGranted(accountNo: number, amount: number): LimitExceeded | null {
    const granted = this.#granted.get(accountNo) ?? BigInt(String(this.#readGranted.get(accountNo)?.['given']))
    if (granted + BigInt(amount) > grantedMicroCreditsMax) return { kind: 'grant_limit_exceeded', granted: Number(granted) }
    this.#granted.set(accountNo, granted + BigInt(amount))
    return null
  }

  #hasReference(reference: string | null): boolean {
    return reference !== null && this.#findReference.get(reference) !== undefined
  }

  #endHold(kind: 'settle' | 'release', accountNo: number, taskNo: number, price: number, returned: number, atMs: number): void {
    const entryNo = this.#add({ accountNo, taskNo, kind, amount: returned, held: -price, atMs })
    this.#expiring.returnCredits(accountNo, entryNo, taskNo, price, returned)
    this.#expire(accountNo, atMs)
  }

  #expire(accountNo: number, nowMs: number): void {
    while (this.#expiring.hasExpired(accountNo, Math.min(nowMs, this.#expiryMs))) {
      const amount = this.#expiring.remainingOfNext(accountNo)
      const entryNo = this.#add({ accountNo, taskNo: null, kind: 'expire', amount: -amount, held: 0, atMs: nowMs })
      this.#expiring.takeCredits(accountNo, entryNo, null, amount)
    }
  }
}
