import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { migrate } from './migrate.ts'

const database = new DatabaseSync(':memory:')
migrate(database, 0)
const tables = database
  .prepare("select name from sqlite_schema where type = 'table'")
  .all()
  .map((row) => String(row['name']))

afterAll(() => database.close())

it.each(tables)('an insert into %s needs no temporary table for its checks', (table) => {
  const steps = database.prepare(`explain insert into ${table} default values`).all()
  expect(steps.map((step) => step['opcode'])).toContain('Insert')
  expect(steps.map((step) => step['opcode'])).not.toContain('OpenEphemeral')
})

it.each([
  "insert into accounts (id, brand_no, name, created_at, status) values ('a', 1, 'a', 0, 'gone')",
  "insert into tasks (no, tail, account_no, model, object, parameters, price, hold_entry_no, due_at, status) values (1, '', 1, '', '', '', 1, 1, 1, 'done')",
  "insert into task_attempts (task_no, number, route, started_at, state) values (1, 1, '', 0, 'done')",
  "insert into entries (account_no, position, amount, held, balance_after, at, kind) values (1, 1, 1, 1, 1, 0, 'gift')",
])('a column rejects a value outside of its list: %s', (statement) => {
  expect(() => database.exec(statement)).toThrow('CHECK constraint failed')
})
