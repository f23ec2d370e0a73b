import { afterAll, beforeAll, describe, it } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { casesFromEnvironment, checkInvariants } from '../routing/invariants.ts'
import { PostgresEngine } from './postgres-engine.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const cases = casesFromEnvironment(isLongRun ? 2_000 : 5)

describe.runIf(hasPostgres)('invariants of routing and dispatch, with several workers', () => {
  let engine: PostgresEngine

  beforeAll(async () => {
    engine = await PostgresEngine.make(await newDatabase())
  })
  afterAll(() => engine[Symbol.asyncDispose]())

  it(
    `workers that join, leave and are killed keep the invariants of routing in ${cases.count} random cases`,
    { timeout: 600_000 + cases.count * 10_000 },
    () => checkInvariants(engine, cases),
  )
})
