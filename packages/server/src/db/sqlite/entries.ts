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
  /** Unique in the ledger. Adding a second entry with the same reference throws an error. */
  reference?: string | null
}

/**
 * Every entry whose position is a multiple of this number has a row in `entry_marks`, with which
 * `read-entries.ts` finds entries by their time.
 */
export const entriesPerMark = 64

/**
 * Returns a function that appends an entry to the ledger of an account, changes the balance and the
 * held credits by the amounts of the entry, and returns the number of the entry. The time of an
 * entry is never earlier than that of the previous entry, even if the clock is set back.
 */
export function createAddEntry(database: DatabaseSync, balances: Balances): (entry: NewEntry) => number {
  const insertOfTask = database.prepare(`
    insert into entries (account_no, position, previous_no, kind, amount, held, balance_after, at, task_no)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const insertOther = database.prepare(`
    insert into entries (account_no, position, previous_no, kind, amount, held, balance_after, at, note, reference)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const insertMark = database.prepare('insert into entry_marks values (?, ?, ?, ?)')

  return ({ accountNo, taskNo, kind, amount, held, atMs, note, reference }) => {
    const balance = balances.move(accountNo, amount, held)
    const position = balance.lastPosition + 1
    const entryAtMs = Math.max(atMs, balance.lastAtMs)
    const { available, lastEntryNo } = balance
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
    balance.lastEntryNo = no
    balance.lastPosition = position
    balance.lastAtMs = entryAtMs
    return no
  }
}
