import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { openWritingConnection } from './open-database.ts'
import type { AcceptOperation } from '../write-operations.ts'
import { Writer } from './writer.ts'

let folder: string
let database: DatabaseSync
let writer: Writer

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-writer-'))
  database = openWritingConnection(path.join(folder, 'framegate.db'))
  migrate(database, 0)
  database.exec("insert into brands (id, name, created_at) values ('b', 'b', 0)")
  database.exec("insert into accounts (id, brand_no, name, created_at) values ('a', 1, 'a', 0)")
  writer = new Writer(database, 0)
  expect(
    apply({ kind: 'grant', accountNo: 1, amount: 1000, note: '', expiresAtMs: null, reference: null, extraStatements: [] }),
  ).toEqual([null])
})

afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

function apply(...operations: Parameters<Writer['apply']>[0]['operations']) {
  return writer.apply({ nowMs: 1, expiryMs: 1, operations })
}

function accept(no: number, parameters = '{}'): AcceptOperation {
  return {
    kind: 'accept',
    no,
    tail: '8000000000000000',
    accountNo: 1,
    keyNo: null,
    model: 'm',
    object: 'image',
    parameters,
    images: null,
    price: 10,
    priceNo: null,
    modelVersionNo: null,
    delayMs: 0,
    lane: 0,
    key: null,
    digest: null,
  }
}

it('a full disk fails only the task that does not fit, and writes succeed again once there is space', () => {
  // SQLite's own limit on the number of pages causes the same error as a full disk.
  const pages = Number(database.prepare('pragma page_count').get()?.['page_count'])
  database.exec(`pragma max_page_count = ${pages + 4}`)
  const large = accept(2, JSON.stringify('x'.repeat(100_000)))
  expect(apply(accept(1), large, accept(3))).toEqual([
    null,
    expect.objectContaining({ kind: 'failed', code: 'unavailable' }),
    null,
  ])
  expect(database.prepare('select no from tasks').all()).toEqual([{ no: 1 }, { no: 3 }])
  database.exec('pragma max_page_count = 100000')
  expect(apply(large)).toEqual([null])
  expect(database.prepare('select balance, held from accounts').get()).toEqual({ balance: 970, held: 30 })
})

it('an error other than a full disk is not reported as unavailable', () => {
  expect(apply(accept(1))).toEqual([null])
  expect(apply(accept(1))).toEqual([expect.objectContaining({ kind: 'failed', code: 'error' })])
})
