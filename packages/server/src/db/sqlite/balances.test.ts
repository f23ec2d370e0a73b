import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { EventOutbox } from './event-outbox.ts'
import { Ledger } from './ledger.ts'
import { migrate } from './migrate.ts'
import { openReadingConnection, openWritingConnection } from './open-database.ts'
import { verifyCredits } from './verify-credits.ts'

const accountCount = 20
const grantedEach = 1_000

let folder: string
let database: DatabaseSync
let reader: DatabaseSync
let ledger: Ledger

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-balances-'))
  const file = path.join(folder, 'framegate.db')
  database = openWritingConnection(file)
  migrate(database, 0)
  database.exec("insert into brands (id, name, created_at) values ('b', 'b', 0)")
  for (let no = 1; no <= accountCount; no++) {
    database.exec(`insert into accounts (no, id, brand_no, name, created_at) values (${no}, 'a${no}', 1, 'a', 0)`)
  }
  ledger = new Ledger(database, new EventOutbox(database))
  reader = openReadingConnection(file)
})
afterEach(() => {
  reader.close()
  database.close()
  rmSync(folder, { recursive: true })
})

type End = 'commit' | 'roll back' | 'roll back after writing'

/**
 * Calls the ledger in the same order as the writer does for a batch. The batch adjusts the balance
 * of each account in `accountNos`.
 */
function runBatch(accountNos: readonly number[], amount: number, end: End = 'commit'): void {
  database.exec('begin immediate')
  for (const accountNo of accountNos) ledger.adjust({ accountNo, amount, note: '', reference: null }, 0)
  if (end !== 'roll back') ledger.flush()
  if (end === 'commit') {
    database.exec('commit')
    ledger.commit()
  } else {
    ledger.clearCache()
    database.exec('rollback')
  }
}

const allAccountNos = Array.from({ length: accountCount }, (_, index) => index + 1)

/** Returns the sum of the balances in the table itself. */
function tableSum(): number {
  return Number(database.prepare('select sum(balance) as sum from accounts').get()?.['sum'])
}

/** Returns the sum of the balances that a reader sees. */
function readSum(): number {
  return Number(reader.prepare('select sum(balance) as sum from accounts').get()?.['sum'])
}

it('the balances that a small batch changes are written in the same transaction', () => {
  for (const accountNo of [1, 2, 3]) runBatch([accountNo], grantedEach)
  expect(tableSum()).toBe(3 * grantedEach)
})

it('the balances that a large batch changes are written later, and readers see the current balances meanwhile', () => {
  runBatch(allAccountNos, grantedEach)
  expect(tableSum()).toBe(0)
  expect(readSum()).toBe(accountCount * grantedEach)
  for (let batches = 2; batches <= 26; batches++) {
    runBatch(allAccountNos, 1)
    expect(readSum()).toBe(accountCount * (grantedEach + batches - 1))
  }
  expect(tableSum(), 'with the 26th batch there are more than 512 movements').toBe(accountCount * (grantedEach + 25))
  runBatch(allAccountNos, 1)
  runBatch([], 0)
  runBatch([], 0)
  expect(tableSum(), 'two batches without movements bring the table up to date').toBe(accountCount * (grantedEach + 26))
})

it('the view of accounts for readers has the same columns as the table', () => {
  const columns = "select name from pragma_table_info('accounts')"
  expect(reader.prepare(columns).all()).toEqual(database.prepare(columns).all())
})

it('balances that were not yet written are recovered after a crash', () => {
  runBatch(allAccountNos, grantedEach)
  ledger = new Ledger(database, new EventOutbox(database))
  expect(ledger.availableOf(7, 0)).toBe(grantedEach)
  runBatch([7], -grantedEach)
  runBatch([], 0)
  expect(tableSum()).toBe((accountCount - 1) * grantedEach)
  expect(verifyCredits(reader).differences).toEqual([])
})

it('every balance is correct after any sequence of batches, rollbacks and crashes', () => {
  const anyAccountNo = fc.integer({ min: 1, max: accountCount })
  const anyBatch = fc.record({
    accountNos: fc.oneof(fc.array(anyAccountNo, { maxLength: 3 }), fc.array(anyAccountNo, { minLength: 8, maxLength: 200 })),
    amount: fc.integer({ min: 1, max: 9 }),
    end: fc.oneof(
      { weight: 3, arbitrary: fc.constant<End>('commit') },
      fc.constantFrom<End>('roll back', 'roll back after writing'),
    ),
  })
  const balances = new Map(allAccountNos.map((no) => [no, 0]))
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 9, arbitrary: anyBatch }, fc.constant('crash' as const)), { maxLength: 20 }),
      (steps) => {
        for (const step of steps) {
          if (step === 'crash') {
            ledger = new Ledger(database, new EventOutbox(database))
            continue
          }
          runBatch(step.accountNos, step.amount, step.end)
          if (step.end !== 'commit') continue
          for (const no of step.accountNos) balances.set(no, (balances.get(no) ?? 0) + step.amount)
        }
        expect(allAccountNos.map((no) => ledger.availableOf(no, 0))).toEqual([...balances.values()])
        expect(verifyCredits(reader).differences).toEqual([])
        const rows = reader.prepare('select no, balance from accounts order by no').all()
        expect(rows.map((row) => row['balance'])).toEqual([...balances.values()])
      },
    ),
    { numRuns: 50 },
  )
})
