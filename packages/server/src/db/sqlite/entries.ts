import type { DatabaseSync } from 'node:sqlite'
import type { EntryRow } from '../tables.ts'
import type { Balances } from './balances.ts'

export interface NewEntry {
  accountNo: number
  taskNo: number | null
  kind: EntryRow['kind']
  /** The addition to the balance, micro-credits. */
  amount: number
  /** The addition to the held credits, micro-credits. */
  held: number
  atMs: number
  note?: string
  /** Unique: the second entry with the same reference throws. */
  reference?: string | null
}

/** One in this many entries of an account can be found by its time (`read-entries.ts`). */
export const entriesPerMark = 64

/**
 * Appends a line to the ledger of an account and changes the balance by its amount. Both are always
 * written together. Returns the line's number. A line is never older than the one before, even if
 * the clock steps back.
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
    const at = Math.max(atMs, account.lastAtMs)
    const { available, lastEntryNo } = account
    const { lastInsertRowid } =
      taskNo === null
        ? insertOther.run(accountNo, position, lastEntryNo, kind, amount, held, available, at, note ?? null, reference ?? null)
        : insertOfTask.run(accountNo, position, lastEntryNo, kind, amount, held, available, at, taskNo)
    const no = Number(lastInsertRowid)
    if (position % entriesPerMark === 0) insertMark.run(accountNo, at, position, no)
    account.lastEntryNo = no
    account.lastPosition = position
    account.lastAtMs = at
    return no
  }
}
