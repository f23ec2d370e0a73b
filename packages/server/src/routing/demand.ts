import type { Lane } from './lanes.ts'

/** A lane with waiting tasks. */
export interface Demand {
  lane: Lane
  tasks: number
}
