import type { RouteCondition } from '@framegate/contract'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isPausedUntil, applyPause } from '../pool-pause.ts'
import type { AttemptPools, PoolChange, PoolState, RouteGrant } from '../task-queue.ts'

/**
 * When `unconfirmedMax` reaches this value, the number of unconfirmed attempts is no longer
 * limited.
 */
const unconfirmedUpperBound = 64

/**
 * The slot pools (capacities) of routes and upstreams, in the memory of the writer thread: the
 * attempts and forwarded requests in flight of each pool, and its pause. An attempt is unconfirmed
 * until its upstream has accepted it, or its response is known to be lost. The counts are exact,
 * because every change goes through this class. After a rollback the pools are read again.
 */
export class SlotPools {
  readonly #pools = new Map<number, PoolState>()
  #isStale = false
  readonly #readPools: StatementSync
  readonly #readCounts: StatementSync
  readonly #writePause: StatementSync

  constructor(database: DatabaseSync) {
    this.#readPools = database.prepare('select no, paused_until, unconfirmed_max, refusals, condition from slot_pools')
    // Uses the indexes task_attempts_holds_slot_idx and forwarded_requests_open_idx.
    this.#readCounts = database.prepare(`
      select upstream_pool, route_pool, count(*) as in_flight,
        sum((state = 'assigned' or state = 'starting') and reply_lost = 0) as unconfirmed
      from task_attempts
      where holds_slot = 1
      group by upstream_pool, route_pool
      union all
      select upstream_pool, route_pool, count(*), 0
      from forwarded_requests
      where ended_at is null and upstream_pool is not null
      group by upstream_pool, route_pool`)
    this.#writePause = database.prepare(
      'update slot_pools set paused_until = ?, unconfirmed_max = ?, refusals = ?, condition = ? where no = ?',
    )
    this.reload()
  }

  /**
   * Called after statements that may have changed pools. The pools are read again before the next
   * operation, once for any number of statements.
   */
  markStale(): void {
    this.#isStale = true
  }

  /**
   * Reads the pools again if `markStale` was called. Must be called before an operation starts. An
   * operation changes the tables before the counts, so a read in between would count its changes
   * twice.
   */
  reloadIfStale(): void {
    if (this.#isStale) this.reload()
  }

  reload(): void {
    this.#isStale = false
    this.#pools.clear()
    for (const row of this.#readPools.iterate()) {
      const no = Number(row['no'])
      const max = row['unconfirmed_max']
      this.#pools.set(no, {
        no,
        inFlight: 0,
        unconfirmed: 0,
        pausedUntilMs: Number(row['paused_until']),
        unconfirmedMax: max === null ? null : Number(max),
        refusals: Number(row['refusals']),
        condition: String(row['condition']) as RouteCondition,
      })
    }
    for (const row of this.#readCounts.iterate()) {
      for (const no of [Number(row['upstream_pool']), Number(row['route_pool'])]) {
        const pool = this.#pools.get(no)
        if (pool === undefined) continue
        pool.inFlight += Number(row['in_flight'])
        pool.unconfirmed += Number(row['unconfirmed'])
      }
    }
  }

  copyStates(): PoolState[] {
    return Array.from(this.#pools.values(), (pool) => ({ ...pool }))
  }

  /** Returns the number of slots that may be taken now on the route of a grant, up to its limit. */
  freeSlots({ pools, limit }: Pick<RouteGrant, 'pools' | 'limit'>, nowMs: number): number {
    if (pools === null) return limit
    return Math.min(
      limit,
      ...[pools.route, pools.upstream].map(({ pool: no, inFlightMax }) => {
        const pool = this.#pools.get(no)
        if (pool === undefined || isPausedUntil(pool.pausedUntilMs, nowMs)) return 0
        const unconfirmedSlots = pool.unconfirmedMax === null ? Infinity : pool.unconfirmedMax - pool.unconfirmed
        return Math.max(0, Math.min(inFlightMax - pool.inFlight, unconfirmedSlots))
      }),
    )
  }

  /**
   * Whether an assigned attempt must wait, because one of its pools is paused or has more
   * unconfirmed attempts than it allows.
   */
  isPaused(pools: AttemptPools, nowMs: number): boolean {
    return this.#statesOf(pools).some(
      ({ pausedUntilMs, unconfirmed, unconfirmedMax }) =>
        isPausedUntil(pausedUntilMs, nowMs) || (unconfirmedMax !== null && unconfirmed > unconfirmedMax),
    )
  }

  /** Takes a slot of each pool for an attempt, which counts as unconfirmed at first. */
  acquire(pools: AttemptPools): void {
    for (const pool of this.#statesOf(pools)) {
      pool.inFlight += 1
      pool.unconfirmed += 1
    }
  }

  /** Takes a slot of each pool for a forwarded request, which never counts as unconfirmed. */
  acquireConfirmed(pools: AttemptPools): void {
    for (const pool of this.#statesOf(pools)) pool.inFlight += 1
  }

  /**
   * Called when an attempt that holds slots was accepted by its upstream, or its response was lost.
   */
  confirm(pools: AttemptPools): void {
    for (const pool of this.#statesOf(pools)) pool.unconfirmed -= 1
  }

  release(pools: AttemptPools, wasUnconfirmed: boolean): void {
    for (const pool of this.#statesOf(pools)) {
      pool.inFlight -= 1
      if (wasUnconfirmed) pool.unconfirmed -= 1
    }
  }

  change(no: number, change: PoolChange, nowMs: number): void {
    const pool = this.#pools.get(no)
    if (pool === undefined || !applyChange(pool, change, nowMs)) return
    this.#writePause.run(pool.pausedUntilMs, pool.unconfirmedMax, pool.refusals, pool.condition, no)
  }

  #statesOf({ route, upstream }: AttemptPools): PoolState[] {
    return [this.#pools.get(route), this.#pools.get(upstream)].filter((pool) => pool !== undefined)
  }
}

/** Returns false if the change has no effect. */
function applyChange(pool: PoolState, change: PoolChange, nowMs: number): boolean {
  switch (change.kind) {
    case 'pause':
      Object.assign(pool, applyPause(pool, change, nowMs))
      return true
    case 'confirm': {
      if (isPausedUntil(pool.pausedUntilMs, nowMs)) return false
      const doubledMax = pool.unconfirmedMax === null ? null : pool.unconfirmedMax * 2
      Object.assign(pool, { refusals: 0, condition: 'open' })
      pool.unconfirmedMax = doubledMax === null || doubledMax >= unconfirmedUpperBound ? null : doubledMax
      return true
    }
    case 'reopen':
      pool.pausedUntilMs = Math.min(pool.pausedUntilMs, nowMs)
      Object.assign(pool, { unconfirmedMax: 1, refusals: 0, condition: 'open' })
      return true
    default:
      return change satisfies never
  }
}
