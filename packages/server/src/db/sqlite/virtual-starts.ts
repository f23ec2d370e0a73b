import type { DatabaseSync } from 'node:sqlite'

/** When the memory of a lane has this many accounts, those without waiting tasks are removed. */
const rememberedAccountsMax = 10_000
/**
 * Distance of the virtual start of a task from the lane's virtual time after an attempt that ended
 * with `movesToBack`. Up to this many tasks of each account are tried before the task.
 */
const backOffset = 10

/**
 * Decides which task of a lane (a queue partition) is next, by start-time fair queueing. Each task
 * has a virtual start, and the task with the lowest one is next. The virtual start of a task is one
 * above that of the account's previous task, and at least one above the lane's virtual time, which
 * is the highest virtual start that was claimed. This interleaves the tasks of all accounts: an
 * account with ten thousand tasks delays a single task of another account by at most one task.
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
      const lane = this.#laneOf(Number(row['lane']))
      lane.virtualTime = Math.min(lane.lastStarts.size === 0 ? Infinity : lane.virtualTime, Number(row['first']) - 1)
      lane.lastStarts.set(Number(row['account_no']), Number(row['last']))
    }
  }

  /**
   * Returns the virtual start for the next task of this account. Gaps between virtual starts, such
   * as after a rollback, have no effect.
   */
  next(laneNo: number, accountNo: number): number {
    const lane = this.#laneOf(laneNo)
    const virtualStart = Math.max(lane.lastStarts.get(accountNo) ?? 0, lane.virtualTime) + 1
    if (lane.lastStarts.size >= rememberedAccountsMax && !lane.lastStarts.has(accountNo)) removeServed(lane)
    lane.lastStarts.set(accountNo, virtualStart)
    return virtualStart
  }

  /**
   * Returns a virtual start ahead of all tasks that were never claimed, for a task that was claimed
   * before.
   */
  frontOf(laneNo: number): number {
    return this.#laneOf(laneNo).virtualTime
  }

  /** Returns a virtual start behind some of the waiting tasks of the lane. */
  backOf(laneNo: number): number {
    return this.#laneOf(laneNo).virtualTime + backOffset
  }

  /** Called for each claimed task. Raises the lane's virtual time to the task's virtual start. */
  advance(laneNo: number, virtualStart: number): void {
    const lane = this.#laneOf(laneNo)
    if (virtualStart > lane.virtualTime) lane.virtualTime = virtualStart
  }

  #laneOf(laneNo: number): Lane {
    const existing = this.#lanes.get(laneNo)
    if (existing !== undefined) return existing
    const lane: Lane = { virtualTime: 0, lastStarts: new Map() }
    this.#lanes.set(laneNo, lane)
    return lane
  }
}

interface Lane {
  virtualTime: number
  /** The last virtual start of each account, by account number. */
  lastStarts: Map<number, number>
}

function removeServed({ virtualTime, lastStarts }: Lane): void {
  for (const [accountNo, virtualStart] of lastStarts) if (virtualStart <= virtualTime) lastStarts.delete(accountNo)
}
