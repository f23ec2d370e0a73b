import type { DatabaseSync } from 'node:sqlite'

/**
 * Maximum number of remembered accounts of a lane. Above it, accounts whose tasks have all been
 * served are forgotten.
 */
const rememberedMax = 10_000
/**
 * Number of positions that a task falls back after a failed start, so that the next try is made
 * with another task.
 */
const passedByMax = 10

/**
 * Decides the next task of a lane: start-time fair queueing. Each task of an account in a lane has
 * a virtual start one above the account's previous task, and its first one starts just above the
 * virtual start that is being served. Tasks of all accounts are thus interleaved: an account with
 * ten thousand tasks delays another's single task by one.
 */
export class VirtualStarts {
  readonly #lanes = new Map<number, Lane>()

  constructor(database: DatabaseSync) {
    const rows = database.prepare(`
      select lane, account_no, min(virtual_start) as first, max(virtual_start) as last
      from tasks
      where virtual_start is not null
      group by lane, account_no`)
    for (const row of rows.iterate()) {
      const lane = this.#lane(Number(row['lane']))
      lane.served = Math.min(lane.last.size === 0 ? Infinity : lane.served, Number(row['first']) - 1)
      lane.last.set(Number(row['account_no']), Number(row['last']))
    }
  }

  /**
   * The virtual start of another task of this account. Gaps after a rollback are harmless.
   */
  next(laneNo: number, accountNo: number): number {
    const lane = this.#lane(laneNo)
    const virtualStart = Math.max(lane.last.get(accountNo) ?? 0, lane.served) + 1
    if (lane.last.size >= rememberedMax && !lane.last.has(accountNo)) forgetServed(lane)
    lane.last.set(accountNo, virtualStart)
    return virtualStart
  }

  /** The virtual start of a task that was claimed before: ahead of all that were not. */
  front(laneNo: number): number {
    return this.#lane(laneNo).served
  }

  /** The virtual start of a task that lets some others pass. */
  behind(laneNo: number): number {
    return this.#lane(laneNo).served + passedByMax
  }

  serve(laneNo: number, virtualStart: number): void {
    const lane = this.#lane(laneNo)
    if (virtualStart > lane.served) lane.served = virtualStart
  }

  #lane(laneNo: number): Lane {
    const known = this.#lanes.get(laneNo)
    if (known !== undefined) return known
    const lane: Lane = { served: 0, last: new Map() }
    this.#lanes.set(laneNo, lane)
    return lane
  }
}

interface Lane {
  served: number
  /** By account. */
  last: Map<number, number>
}

function forgetServed({ served, last }: Lane): void {
  for (const [accountNo, virtualStart] of last) if (virtualStart <= served) last.delete(accountNo)
}
