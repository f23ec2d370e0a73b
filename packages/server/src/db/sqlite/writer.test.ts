import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { openWritingConnection } from './open-database.ts'
import { abandonedEnd } from '../forwarded-requests.ts'
import type { AcceptOperation, WriteOperation } from '../write-operations.ts'
import { Writer } from './writer.ts'

type HoldOperation = Extract<WriteOperation, { kind: 'hold_forwarded' }>

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

function hold(no: number): HoldOperation {
  return {
    kind: 'hold_forwarded',
    request: {
      no,
      requestId: 'req_1',
      owner: 'o',
      accountNo: 1,
      keyNo: 1,
      model: 'm',
      object: 'chat',
      priceMicroCredits: 10,
      priceNo: null,
      route: { snapshotNo: 1, pools: { route: { pool: 1, inFlightMax: 9 }, upstream: { pool: 2, inFlightMax: 9 } } },
      leaseMs: 1000,
    },
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

it('a duplicate task number is reported as an error, and not as an unavailable database', () => {
  expect(apply(accept(1))).toEqual([null])
  expect(apply(accept(1))).toEqual([expect.objectContaining({ kind: 'failed', code: 'error' })])
})

function synchronousMode(): unknown {
  return database.prepare('pragma synchronous').get()?.['synchronous']
}

// A test cannot interrupt the power supply. It can check the setting with which a commit was
// written.
const [normal, full] = [1, 2]

function addPools(): void {
  for (const kind of ['route', 'upstream']) {
    const sql = "insert into slot_pools (kind, name, target) values (?, 'p', 'p')"
    apply({ kind: 'query', query: { sql, parameters: [kind] } })
  }
}

it('holds, moves and ends of forwarded requests are committed without a sync to disk, unless with other writes', () => {
  addPools()
  expect(apply(hold(7))).toEqual([null])
  expect(synchronousMode()).toBe(normal)
  expect(apply(hold(8), accept(9))).toEqual([null, null])
  expect(synchronousMode()).toBe(full)
  expect(apply({ kind: 'move_forwarded', no: 7, route: hold(7).request.route })).toEqual([null])
  expect(synchronousMode()).toBe(normal)
  const end = { ...abandonedEnd, outcome: 'failed' } as const
  expect(apply({ kind: 'end_forwarded', no: 7, end }, accept(10))).toEqual([null, null])
  expect(synchronousMode()).toBe(full)
  expect(apply({ kind: 'end_forwarded', no: 8, end })).toEqual([null])
  expect(synchronousMode()).toBe(normal)
})

it('a claim for an upstream and a renewal are committed without a sync to disk, and the start of an attempt with a sync', () => {
  addPools()
  const pools = { route: { pool: 1, inFlightMax: 9 }, upstream: { pool: 2, inFlightMax: 9 } }
  const route = { route: 'r', snapshotNo: 1, limit: 1, deadlineMs: null, pools }
  apply(accept(1), accept(2))
  expect(apply({ kind: 'take_due', leaseMs: 1000, countMax: 9 })).toMatchObject([{ kind: 'due' }])
  expect(synchronousMode()).toBe(normal)
  expect(apply({ kind: 'claim', lanes: [{ lane: 0, routes: [route] }], leaseMs: 1000 })).toMatchObject([{ claims: [{ no: 1 }] }])
  expect(synchronousMode()).toBe(normal)
  expect(apply({ kind: 'begin', no: 1, fence: 1, attempt: 1 })).toMatchObject([{ kind: 'begun' }])
  expect(synchronousMode()).toBe(full)
  expect(apply({ kind: 'renew', no: 1, fence: 1, progress: 0, leaseMs: 1000 })).toEqual([null])
  expect(synchronousMode()).toBe(normal)
  apply({ kind: 'claim', lanes: [{ lane: 0, routes: [{ ...route, pools: null }] }], leaseMs: 1000 })
  expect(synchronousMode(), 'the embedded driver starts at once').toBe(full)
})
