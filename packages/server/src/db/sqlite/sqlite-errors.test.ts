import { expect, it } from 'vitest'
import { StoreUnavailable } from '../store-unavailable.ts'
import { transientReasonOf, readNow } from './sqlite-errors.ts'

const sqliteError = (errcode: number): Error => Object.assign(new Error('as SQLite says it'), { errcode })

it.each([
  [5, 'SQLITE_BUSY'],
  [266, 'SQLITE_IOERR'],
  [1034, 'SQLITE_IOERR'],
  [8, 'SQLITE_READONLY'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
])('a read that fails with SQLite code %d throws StoreUnavailable with %s', (errcode, reason) => {
  const failingRead = (): never => {
    throw sqliteError(errcode)
  }
  expect(() => readNow(failingRead)).toThrow(StoreUnavailable)
  expect(transientReasonOf(sqliteError(errcode))).toBe(reason)
})

it.each([1, 11, 19, 26])('a read that fails with SQLite code %d throws the SQLite error itself', (errcode) => {
  const error = sqliteError(errcode)
  const failingRead = (): never => {
    throw error
  }
  expect(() => readNow(failingRead)).toThrow(error)
})
