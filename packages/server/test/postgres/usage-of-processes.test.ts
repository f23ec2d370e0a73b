import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readUsageReport, type UsageItem } from '../../src/credits/read-usage-report.ts'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { leaseMs, newAccount, newTask, resultOf } from '../../src/db/store-under-test.ts'
import { createUnresolvedAttempts } from '../../src/dispatch/unresolved-attempts.ts'
import { dayAt } from '../../src/lib/dates.ts'
import { microCreditsOf } from '../../src/credits/micro-credits.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const route = { route: 'main', snapshotNo: 1 }
const tasksEach = 60

describe.runIf(hasPostgres)('usage that several processes write', () => {
  let stores: PostgresStore[]
  beforeEach(async () => {
    const url = await newDatabase()
    stores = []
    for (let index = 0; index < 3; index++) stores.push(await openTestStore(url))
  })
  afterEach(async () => {
    for (const store of stores) await store[Symbol.asyncDispose]()
  })

  it(
    'usage is complete when processes end tasks of the same accounts while late jobs report their costs',
    { timeout: 60_000 },
    async () => {
      const [firstStore] = stores
      const accounts = [await newAccount(firstStore!, 'a', 10_000), await newAccount(firstStore!, 'b', 10_000)]
      await Promise.all(stores.map((store, index) => runWorker(store, accounts, index)))
      const today = dayAt(Date.now())
      const query = { fromDay: today - 1, lastDay: today, brand: undefined, account: undefined, model: undefined, limit: 10 }
      const items = await readUsageReport(firstStore!, { ...query, by: ['model'] })
      const taskCount = stores.length * tasksEach
      const [{ amount, cost, ...counts }] = items as [UsageItem]
      expect(counts).toMatchObject({ model: 'a model', tasks: taskCount, completed: taskCount / 2, cost_unknown: taskCount / 4 })
      expect([microCreditsOf(amount), microCreditsOf(cost ?? 0)]).toEqual([
        (7 * taskCount) / 2,
        (3 * taskCount) / 2 + (2 * taskCount) / 4,
      ])
      expect((await firstStore!.verifyCredits()).differences).toEqual([])
    },
  )
})

/**
 * Submits tasks, completes half of them and cancels the other half. The upstream jobs of half of
 * the cancelled ones succeed late.
 */
async function runWorker(store: PostgresStore, accounts: readonly number[], index: number): Promise<void> {
  const unresolved = createUnresolvedAttempts(store.database, () => Date.now())
  const nextId = store.createTaskIds(() => Date.now())
  const ids = Array.from({ length: tasksEach }, () => nextId())
  const lane = index + 1
  await Promise.all(ids.map((id, index) => store.accept(newTask({ id, accountNo: accounts[index % 2]!, lane }))))
  const grants = [{ lane, routes: [{ ...route, limit: tasksEach, deadlineMs: null, pools: null }] }]
  const claims = await store.claim(grants, leaseMs)
  expect(claims).toHaveLength(tasksEach)
  await Promise.all(
    claims.map(async (claim, index) => {
      if (index % 2 === 0) return store.complete(claim, [resultOf(claim)], 7, { paidMicroCredits: 3 })
      await store.cancel(claim.id)
      if (index % 4 === 1) await unresolved.recordLateEnd(claim.id, 1, { cost: null, paidMicroCredits: 2 })
      return true
    }),
  )
}
