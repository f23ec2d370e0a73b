import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { PreparedStatements } from './prepared-statements.ts'

it('statements return their own rows even if the cache of statements overflows', () => {
  const statements = new PreparedStatements(new DatabaseSync(':memory:'))
  for (const round of [1, 2]) {
    for (let added = 0; added < 230; added++) {
      expect(statements.get(`select ? + ${added} as sum`).all(round)).toEqual([{ sum: round + added }])
    }
  }
})

it('a cached statement is the same object, and reads changed tables', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table tasks (no integer)')
  const statements = new PreparedStatements(database)
  const statement = statements.get('select * from tasks')
  expect(statement.all()).toEqual([])
  database.exec("alter table tasks add column status text default 'queued'; insert into tasks (no) values (7)")
  expect(statements.get('select * from tasks')).toBe(statement)
  expect(statement.all()).toEqual([{ no: 7, status: 'queued' }])
})
