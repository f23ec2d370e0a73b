import type { Lane } from './lanes.ts'

/** A lane with waiting tasks. */
export interface Demand {
  lane: Lane
  /** Number of waiting tasks in the lane. */
  tasks: number
}
