import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EventOutbox } from './event-outbox.ts'
import { Ledger } from './ledger.ts'
import { migrate } from './migrate.ts'
import { verifyCredits } from './verify-credits.ts'

let database: DatabaseSync
let ledger: Ledger
const adjustment = { accountNo: 1, amount: 5, note: '', reference: null }

beforeEach(() => {
  database = new DatabaseSync(':memory:')
  migrate(database, 0)
  database.exec("insert into brands (id, name, created_at) values ('b', 'b', 0)")
  for (const id of ['one', 'two']) {
    database.exec(`insert into accounts (id, brand_no, name, created_at) values ('${id}', 1, '${id}', 0)`)
  }
  ledger = new Ledger(database, new EventOutbox(database))
})
afterEach(() => database.close())

/** Writes `count` entries, each in a batch of its own. */
function write(count: number): void {
  for (let i = 0; i < count; i++) {
    ledger.adjust(adjustment, i)
    ledger.flush()
    ledger.commit()
  }
}

it('a hold cannot end twice, because a unique index rejects the second entry', () => {
  write(1)
  const hold = ledger.hold(1, 7, 5, 0)
  ledger.release(1, 7, 5, 0)
  const end = (kind: string, no: number) =>
    database.exec(`
      insert into entries (account_no, position, previous_no, task_no, kind, amount, held, balance_after, at)
      values (1, 4, ${hold}, ${no}, '${kind}', 5, -5, 5, 0)`)
  expect(() => end('release', 7)).toThrow('UNIQUE')
  expect(() => end('settle', 7)).toThrow('UNIQUE')
  end('settle', 8)
})

it.each([
  ['a wrong predecessor', 'update entries set previous_no = 1 where no = 70', 'entry 70 (adjust of 5, then 350)'],
  [
    'an entry without a predecessor in the middle of a chain',
    'update entries set previous_no = null where no = 70',
    'does not follow nothing',
  ],
  ['a predecessor that does not exist', 'update entries set previous_no = 999 where no = 70', 'entry 70'],
  ['a wrong balance', 'update entries set balance_after = 1 where no = 70', 'entry 71 (adjust of 5, then 355)'],
  ['an entry that is older than the one before', 'update entries set at = 0 where no = 70', 'entry 70'],
  [
    'an account whose last entry is not its newest',
    'update accounts set last_entry_no = 129 where no = 1',
    'has 130 entries, its last one is 129',
  ],
  ['a last entry of another account', 'update accounts set last_entry_no = 131 where no = 1', 'its last one is 0'],
  ['a hold without its task', 'delete from tasks', 'does not fit task'],
  ['a task without its hold', 'update tasks set hold_entry_no = 1', 'has no entry as its hold and nothing as its end'],
  [
    'a task that ended without its entry',
    "update tasks set status = 'failed', ended_at = 1, charged = 0, due_at = null",
    'and nothing as its end',
  ],
  [
    'a part of a grant without its entry',
    'pragma foreign_keys = off; insert into grants values (1, 1, 9, 3); insert into grant_parts values (999, 1, null, 3)',
    'entry 999 (missing) has parts of 3',
  ],
  ['a missing mark', 'delete from entry_marks where position = 64', '1 of its 2 marks are correct'],
  ['a mark of another entry', 'update entry_marks set entry_no = 65 where position = 64', '1 of its 2 marks are correct'],
])('the ledger check finds %s', (_what, damage, expectedText) => {
  write(130)
  ledger.adjust({ ...adjustment, accountNo: 2 }, 0)
  database.exec(`
    insert into tasks (no, tail, account_no, model, object, parameters, status, price, hold_entry_no, due_at)
    values (7, '', 2, '', 'image', '{}', 'queued', 5, ${ledger.hold(2, 7, 5, 0)}, 0)`)
  ledger.flush()
  expect(verifyCredits(database).differences).toEqual([])
  database.exec('drop trigger entries_never_change')
  database.exec(damage)
  expect(verifyCredits(database).differences.join('\n')).toContain(expectedText)
})

it('the ledger check does not scan a table for each row of another table', () => {
  const statements = vi.spyOn(database, 'prepare')
  verifyCredits(database)
  const sql = statements.mock.calls.map(([text]) => text)
  const steps = sql.flatMap((text) => database.prepare(`explain query plan ${text}`).all())
  const details = steps.map((step) => String(step['detail']))
  expect(details.length).toBeGreaterThan(30)
  expect(details.filter((detail) => /^SCAN .*JOIN/.test(detail))).toEqual([])
})
