import type { DatabaseSync } from 'node:sqlite'
import type { EntryRow } from '../tables/ledger-tables.ts'
import type { Balances } from './balances.ts'

export interface NewEntry {
  accountNo: number
  taskNo: number | null
  kind: EntryRow['kind']
  /** The amount that the entry adds to the balance, micro-credits. It may be negative. */
  amount: number
  /** The amount that the entry adds to the held credits, micro-credits. It may be negative. */
  held: number
  atMs: number
  note?: string
  /** Unique in the ledger. A second entry with the same reference throws. */
  reference?: string | null
}

/**
 * One in this many entries of an account has a mark, by which it can be found by its time
 * (`read-entries.ts`).
 */
export const entriesPerMark = 64

/**
 * Returns a function that appends an entry to the ledger of an account and changes the balance by
 * its amount. The function returns the number of the entry. The time of an entry is never earlier
 * than that of the previous entry, even if the clock is set back.
 */
export function createEntries(database: DatabaseSync, balances: Balances): (entry: NewEntry) => number {
  const insertOfTask = database.prepare(`
    insert into entries (account_no, position, previous_no, kind, amount, held, balance_after, at, task_no)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const insertOther = database.prepare(`
    insert into entries (account_no, position, previous_no, kind, amount, held, balance_after, at, note, reference)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const insertMark = database.prepare('insert into entry_marks values (?, ?, ?, ?)')

  return ({ accountNo, taskNo, kind, amount, held, atMs, note, reference }) => {
    const account = balances.move(accountNo, amount, held)
    const position = account.lastPosition + 1
    const entryAtMs = Math.max(atMs, account.lastAtMs)
    const { available, lastEntryNo } = account
    const { lastInsertRowid } =
      taskNo === null
        ? insertOther.run(
            accountNo,
            position,
            lastEntryNo,
            kind,
            amount,
            held,
            available,
            entryAtMs,
            note ?? null,
            reference ?? null,
          )
        : insertOfTask.run(accountNo, position, lastEntryNo, kind, amount, held, available, entryAtMs, taskNo)
    const no = Number(lastInsertRowid)
    if (position % entriesPerMark === 0) insertMark.run(accountNo, entryAtMs, position, no)
    account.lastEntryNo = no
    account.lastPosition = position
    account.lastAtMs = entryAtMs
    return no
  }
}
