import type { Rig } from '../rig.ts'
import type { Side } from '../side.ts'

/** A measurement of one side, in fresh processes and a fresh database. */
export interface Row {
  name: string
  measure(side: Side, plan: RowPlan): Promise<Figures>
}

export interface RowPlan {
  rig: Rig
  /** Number of tasks of a load. */
  tasks: number
  /** Time after which a load ends, though not all tasks have been submitted. */
  secondsMax: number
  /** Number of times that a gateway is killed in the row `kill`. */
  kills: number
}

/** Figures by name. A figure is null where the side has no such thing. */
export type Figures = Record<string, number | null>

/** Figures that are counts of the tasks of all rounds, instead of medians over the rounds. */
export const countNames = new Set(['killedTasks', 'lost', 'doubled', 'givenUp'])
