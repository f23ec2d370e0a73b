import type { Store } from './store.ts'
import type { StoredResult } from './task-queries.ts'
import type { AttemptRoute, Claim, LaneGrant, NewTask } from './task-queue.ts'

/**
 * A store on SQLite or PostgreSQL for the store suites. `open` opens an empty store. `reopen` and
 * `crash` open its data again.
 */
export interface StoreUnderTest {
  name: string
  open(nowMs: () => number): Promise<Store>
  /** Closes the store and opens the same data again. The closed store must not be used any more. */
  reopen(nowMs: () => number): Promise<Store>
  /**
   * Stops the store at an arbitrary instruction, with its writes in flight, and opens the same data
   * again.
   */
  crash(nowMs: () => number): Promise<Store>
  close(): Promise<void>
}

export const leaseMs = 30_000
export const startMs = Date.UTC(2026, 0, 1)

/** Whether randomized tests run many more cases. */
export const isLongRun = process.env['FRAMEGATE_LONG_TESTS'] === '1'

/**
 * Number of cases of a property test on this store. It is smaller with FRAMEGATE_FEW_CASES=1, which
 * is set when the tests run again on another version of the database.
 */
export function casesOf(count: { long: number; short: number }): number {
  if (isLongRun) return count.long
  return process.env['FRAMEGATE_FEW_CASES'] === '1' ? Math.ceil(count.short / 4) : count.short
}

export async function newAccount(store: Store, id: string, microCredits: number): Promise<number> {
  await store.database
    .insertInto('brands')
    .values({ id: `brand_of_${id}`, name: id, is_default: 0, created_at: 0 })
    .execute()
  const brand = await store.database
    .selectFrom('brands')
    .select('no')
    .where('id', '=', `brand_of_${id}`)
    .executeTakeFirstOrThrow()
  await store.database
    .insertInto('accounts')
    .values({ id, brand_no: brand.no, name: id, status: 'active', created_at: 0 })
    .execute()
  const account = await store.database.selectFrom('accounts').select('no').where('id', '=', id).executeTakeFirstOrThrow()
  if (microCredits > 0) await store.grant(account.no, microCredits, 'to begin with')
  return account.no
}

export function newTask(task: Pick<NewTask, 'id' | 'accountNo'> & Partial<NewTask>): NewTask {
  return {
    keyNo: null,
    model: 'a model',
    modelVersionNo: null,
    object: 'video',
    parameters: '{"prompt":"x"}',
    images: null,
    priceMicroCredits: 10,
    priceNo: null,
    delayMs: 0,
    lane: 0,
    idempotency: null,
    ...task,
  }
}

export function resultOf(claim: Pick<Claim, 'id'>): StoredResult {
  return {
    objectKey: `${claim.id}.mp4`,
    contentType: 'video/mp4',
    sizeBytes: 1000,
    sha256: 'a'.repeat(64),
    width: 64,
    height: 32,
    durationMs: 5000,
    seed: 7,
    expiresAtMs: startMs + 10_000,
    removed: false,
  }
}

/**
 * Claims all tasks whose attempt must be resumed. Then claims waiting tasks of any lane until there
 * are `limit` claims. The route of the claims has no slot pools.
 */
export async function claimEmbedded(
  store: Pick<Store, 'takeDue' | 'claim'>,
  limit: number,
  durationMs: number,
  route: AttemptRoute = { route: 'embedded', snapshotNo: 0 },
): Promise<Claim[]> {
  const { claims, waiting } = await store.takeDue(durationMs, limit)
  for (const { lane } of waiting) {
    const remaining = limit - claims.length
    if (remaining > 0) claims.push(...(await store.claim(embeddedGrants(remaining, lane, route), durationMs)))
  }
  return claims
}

/** Grants up to `limit` claims of a lane on a route without slot pools. */
export function embeddedGrants(limit: number, lane = 0, route: AttemptRoute = { route: 'embedded', snapshotNo: 0 }): LaneGrant[] {
  return [{ lane, routes: [{ ...route, limit, deadlineMs: null, pools: null }] }]
}
