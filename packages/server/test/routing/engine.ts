import type { Store } from '../../src/db/store.ts'
import type { PoolState } from '../../src/db/task-queue.ts'
import type { VirtualProcess, VirtualTime } from './virtual-time.ts'

/** Two brands with two accounts each. */
export const accountsCount = 4

/** The database that the workers of a case share. */
export interface Engine {
  readonly workersMax: number
  /**
   * Longest pause at the end of a case. Longer ones are ended by the operator's test of the route.
   */
  readonly timeoutMs: number
  /** True when no store operation of any worker is in flight. */
  readonly isIdle: boolean
  /** Begins a case: the database has accounts and nothing else. */
  begin(options: CaseOptions): Promise<void>
  /** Opens the store of a worker. Must be called in the context of its process. */
  open(process: VirtualProcess): Promise<EngineStore>
  /** Reads the committed state. Only while the engine is idle. */
  look(): Promise<Sight>
  /**
   * Waits until the operations in flight have advanced one step, or for one tick of the event loop.
   */
  step(): Promise<void>
}

export interface Sight {
  pools: PoolState[]
  /** Tasks that are due and not leased, or whose lease has run out. */
  due: { tail: string; lease_fence: number; lease_until: number | null }[]
}

export interface CaseOptions {
  time: VirtualTime
  /** Seed of the engine's random choices. */
  seed: number
  /**
   * Allows operations of several workers to run at the same time. Otherwise the same seed always
   * gives the same order.
   */
  areSimultaneous: boolean
}

export interface EngineStore {
  store: Store
  /**
   * Ends the store like kill -9: unsent statements are dropped, sent ones may be committed, and no
   * result arrives any more. Fulfilled when the database has finished all work for it.
   */
  crash(): Promise<void>
}

/** Adds the accounts of a case. */
export async function addAccounts(store: Store): Promise<void> {
  for (const brand of [1, 2]) {
    await store.query
      .insertInto('brands')
      .values({ id: `brand${brand}`, name: 'b', is_default: brand === 1 ? 1 : 0, created_at: 0 })
      .execute()
    for (const account of [1, 2]) {
      const id = `account${brand}${account}`
      await store.query
        .insertInto('accounts')
        .values({ id, brand_no: brand, name: id, status: 'active', created_at: 0 })
        .execute()
      await store.grant((brand - 1) * 2 + account, 1_000_000, 'to begin with')
    }
  }
}
