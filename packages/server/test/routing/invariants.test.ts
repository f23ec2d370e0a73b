import { afterAll, beforeAll, describe, it } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { casesFromEnvironment, checkInvariants } from './invariants.ts'
import { SqliteEngine } from './sqlite-engine.ts'

const cases = casesFromEnvironment(isLongRun ? 100_000 : 100)

describe('invariants of routing and dispatch', () => {
  let engine: SqliteEngine

  beforeAll(async () => {
    engine = await SqliteEngine.make()
  })
  afterAll(() => engine[Symbol.dispose]())

  it(`routing keeps its invariants in ${cases.count} random cases`, { timeout: 600_000 + cases.count * 1_000 }, () =>
    checkInvariants(engine, cases),
  )
})
