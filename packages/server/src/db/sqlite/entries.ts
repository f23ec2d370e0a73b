import type { DatabaseSync } from 'node:sqlite'
import type { EntryRow } from '../tables.ts'
import type { Balances } from './balances.ts'

export interface NewEntry {
  accountNo: number
  taskNo: number | null
  kind: EntryRow['kind']
  /** What it adds to the balance, micro-credits. */
  amount: number
  /** What it adds to what is held, micro-credits. */
  held: number
  atMs: number
  note?: string
  /** No two entries have the same: the second one throws. */
  reference?: string | null
}

/** Appends a ledger line and moves the balance with it: the two never happen apart. Answers with the line's number. */
export function createEntries(database: DatabaseSync, balances: Balances): (entry: NewEntry) => number {
  const insert = database.prepare(
    'insert into entries (account_no, task_no, kind, amount, held, at, note, reference) values (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  return ({ accountNo, taskNo, kind, amount, held, atMs, note, reference }) => {
    balances.move(accountNo, amount, held)
    return Number(insert.run(accountNo, taskNo, kind, amount, held, atMs, note ?? null, reference ?? null).lastInsertRowid)
  }
}
