import type { DatabaseSync } from 'node:sqlite'
import type { QueueTurns } from './queue-turns.ts'

/**
 * Follows the operator's routes: a task that waits in the lane of routes that no longer serve its model loses its turn and gets one
 * in the right lane at the next claim, in the order in which it was accepted.
 */
export function createSetLanes(database: DatabaseSync, turns: QueueTurns): (lanes: ReadonlyMap<string, number>) => void {
  const queued = database.prepare('select distinct lane, model from tasks where turn is not null')
  const takeTurn = database.prepare('update tasks set turn = null where turn is not null and lane = ? and model = ?')
  return (lanes) => {
    turns.setLanes(lanes)
    for (const row of queued.all()) {
      const lane = Number(row['lane'])
      const model = String(row['model'])
      if (turns.laneOf(model) !== lane) takeTurn.run(lane, model)
    }
  }
}
