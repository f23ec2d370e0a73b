import type { DatabaseSync } from 'node:sqlite'

/**
 * Remembered accounts of a lane. Beyond this number, accounts that no longer matter are forgotten.
 */
const rememberedMax = 10_000
/**
 * Number of turns that a task falls back after a failed start, so that the next try is made with
 * another task.
 */
const passedByMax = 10

/**
 * Decides the next task of a lane: fair queueing by start times. In a lane the tasks of an account
 * follow one another by one turn each, and the first of them comes right after the turn that is
 * being served. The queues of all accounts run side by side: an account with ten thousand tasks
 * lets another's single task pass after one of its own.
 */
export class QueueTurns {
  readonly #lanes = new Map<number, Lane>()

  constructor(database: DatabaseSync) {
    const lines = database.prepare(`
      select lane, account_no, min(turn) as first, max(turn) as last
      from tasks
      where turn is not null
      group by lane, account_no`)
    for (const row of lines.iterate()) {
      const lane = this.#lane(Number(row['lane']))
      lane.served = Math.min(lane.last.size === 0 ? Infinity : lane.served, Number(row['first']) - 1)
      lane.last.set(Number(row['account_no']), Number(row['last']))
    }
  }

  /**
   * The turn of another task of this account. A turn that a rollback leaves unused does no harm.
   */
  next(laneNo: number, accountNo: number): number {
    const lane = this.#lane(laneNo)
    const turn = Math.max(lane.last.get(accountNo) ?? 0, lane.served) + 1
    if (lane.last.size >= rememberedMax && !lane.last.has(accountNo)) forgetServed(lane)
    lane.last.set(accountNo, turn)
    return turn
  }

  /** The turn of a task that was claimed before: ahead of all that were not. */
  front(laneNo: number): number {
    return this.#lane(laneNo).served
  }

  /** The turn of a task that lets some others pass. */
  behind(laneNo: number): number {
    return this.#lane(laneNo).served + passedByMax
  }

  serve(laneNo: number, turn: number): void {
    const lane = this.#lane(laneNo)
    if (turn > lane.served) lane.served = turn
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
  for (const [accountNo, turn] of last) if (turn <= served) last.delete(accountNo)
}
