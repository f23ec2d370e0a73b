import type { Store } from '../../src/db/store.ts'
import type { PoolState } from '../../src/db/task-queue.ts'
import type { VirtualProcess, VirtualTime } from './virtual-time.ts'

/** Number of accounts in a case: two brands with two accounts each. */
export const accountCount = 4

/** The database that the workers of a test case share. */
export interface Engine {
  readonly workersMax: number
  /**
   * Maximum remaining pause of a route at the end of a case. The case ends a longer pause as an
   * operator's successful route test does.
   */
  readonly finalPauseMsMax: number
  /** Whether no store operation of any worker is in flight. */
  readonly isIdle: boolean
  /** Begins a case with a database that contains only accounts. */
  begin(options: CaseOptions): Promise<void>
  /** Opens the store of a worker. Must be called within `process.run`. */
  open(process: VirtualProcess): Promise<EngineStore>
  /** Reads the committed state. Must be called only while the engine is idle. */
  observe(): Promise<Observation>
  /**
   * Waits for the next statement or result of the operations in flight. Waits for one tick of the
   * event loop if the engine is idle, or cannot observe its statements.
   */
  step(): Promise<void>
}

export interface Observation {
  pools: PoolState[]
  /** Tasks that are due and not leased, and tasks whose lease has expired. */
  due: { tail: string; lease_fence: number; lease_until: number | null }[]
}

export interface CaseOptions {
  time: VirtualTime
  /** Seed of the engine's random choices. */
  seed: number
  /**
   * Whether operations of several workers may run at the same time. If not, the same seed always
   * gives the same order.
   */
  isConcurrent: boolean
}

export interface EngineStore {
  store: Store
  /**
   * Ends the store as `kill -9` would: unsent statements are dropped, sent ones may be committed,
   * and no further result arrives. Resolves when the database has finished all work for this store.
   */
  crash(): Promise<void>
}

/** Adds the accounts of a case. */
export async function addAccounts(store: Store): Promise<void> {
  for (const brand of [1, 2]) {
    await store.database
      .insertInto('brands')
      .values({ id: `brand${brand}`, name: 'b', is_default: brand === 1 ? 1 : 0, created_at: 0 })
      .execute()
    for (const account of [1, 2]) {
      const id = `account${brand}${account}`
      await store.database
        .insertInto('accounts')
        .values({ id, brand_no: brand, name: id, status: 'active', created_at: 0 })
        .execute()
      await store.grant((brand - 1) * 2 + account, 1_000_000, 'to begin with')
    }
  }
}
