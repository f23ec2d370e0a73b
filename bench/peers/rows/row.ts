import type { Rig } from '../rig.ts'
import type { Side } from '../side.ts'

/** A measurement of one side, with new processes and an empty database. */
export interface Row {
  name: string
  measure(side: Side, plan: RowPlan): Promise<Figures>
}

export interface RowPlan {
  rig: Rig
  /** Number of tasks of a load. */
  tasks: number
  /** Maximum duration of a load, after which no more tasks are submitted. */
  secondsMax: number
  /** Number of times that a gateway is killed in the row `kill`. */
  kills: number
}

/** Figures by name. Null if the figure does not apply to the side. */
export type Figures = Record<string, number | null>

/** Figures that are summed over all rounds. The others are medians. */
export const countNames = new Set(['killedTasks', 'lost', 'doubled', 'givenUp'])
