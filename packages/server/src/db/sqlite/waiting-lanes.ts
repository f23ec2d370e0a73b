import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { WaitingLane } from '../task-queue.ts'

/**
 * Counts the waiting tasks of each lane (queue partition). It reads only the index
 * tasks_virtual_start_idx, and not the rows of tasks.
 */
export class WaitingLanes {
  readonly #nextLane: StatementSync
  readonly #countLane: StatementSync

  constructor(database: DatabaseSync) {
    this.#nextLane = database.prepare('select lane from tasks where virtual_start is not null and lane > ? order by lane limit 1')
    this.#countLane = database.prepare(`
      select count(*) as tasks
      from (select 1 from tasks where lane = ? and virtual_start is not null limit ? + 0)`)
  }

  count(countMax: number): WaitingLane[] {
    const lanes: WaitingLane[] = []
    for (let row = this.#nextLane.get(-1); row !== undefined; row = this.#nextLane.get(lanes.at(-1)?.lane ?? -1)) {
      const lane = Number(row['lane'])
      lanes.push({ lane, tasks: Number(this.#countLane.get(lane, countMax)?.['tasks']) })
    }
    return lanes
  }
}
