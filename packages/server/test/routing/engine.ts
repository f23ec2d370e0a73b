import type { PoolState, Store } from '../../src/db/store.ts'
import type { VirtualProcess, VirtualTime } from './virtual-time.ts'

/** Two brands with two accounts each. */
export const accountsCount = 4

/** The database that the workers of a case share. */
export interface Engine {
  readonly workersMax: number
  /** Pauses that last longer than this when a case comes to its end are ended by the operator's test of the route. */
  readonly patienceMs: number
  /** True when no store operation of any worker is under way. */
  readonly isIdle: boolean
  /** Begins a case: the database has accounts, and nothing else. */
  begin(options: CaseOptions): Promise<void>
  /** Opens the store of a worker. Called as code of its process. */
  open(process: VirtualProcess): Promise<EngineStore>
  /** Looks at what is committed. Only while it is idle. */
  look(): Promise<Sight>
  /** Waits until the operations under way have come one step further, or for one tick of the event loop. */
  step(): Promise<void>
}

export interface Sight {
  pools: PoolState[]
  /** Tasks that are due and not leased, or whose lease has run out. */
  due: { tail: string; lease_fence: number; lease_until: number | null }[]
}

export interface CaseOptions {
  time: VirtualTime
  /** Of what the engine leaves to chance. */
  seed: number
  /** Operations of several workers may run at the same time. Otherwise the same seed always gives them the same order. */
  areSimultaneous: boolean
}

export interface EngineStore {
  store: Store
  /**
   * Ends the store as kill -9 does: what was not sent never is, what was sent may be committed, and no result arrives any more. Fulfilled
   * when the database has nothing left to do for it.
   */
  crash(): Promise<void>
}

/** The accounts of each case. */
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
