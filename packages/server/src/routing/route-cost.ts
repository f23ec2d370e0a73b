import type { TaskObject } from '@framegate/contract'
import type { AttemptCost } from '../db/task-queue.ts'
import { microCreditsOf } from '../credits/micro-credits.ts'
import type { RouteCost } from './definitions.ts'

export interface FinishedJob {
  object: TaskObject
  /** Number of results. */
  results: number
  /**
   * Total duration of all videos, in seconds. Null if it is unknown, or if the results are not
   * videos.
   */
  seconds: number | null
  /** The charge that the upstream reports. Null if it reports none. */
  reported: AttemptCost | null
}

/**
 * Maximum cost of the units of one job, in credits. A higher cost, or a negative one, is regarded
 * as an error of the upstream. Without a limit, the database could not store the cost.
 */
const unitCreditsMax = 1_000_000

/**
 * The operator's cost of a job that an upstream has completed, in micro-credits. Null if the cost
 * is unknown.
 */
export function costOfJob(cost: RouteCost | null, { object, results, seconds, reported }: FinishedJob): number | null {
  if (cost === null) return null
  const unitCredits = creditsOfUnits(cost, reported)
  if (unitCredits === null) return null
  if (object === 'video' && cost.perSecond > 0 && seconds === null) return null
  const mediaCost = object === 'video' ? cost.perSecond * (seconds ?? 0) : object === 'image' ? cost.perImage * results : 0
  return microCreditsOf(cost.perTask + mediaCost + unitCredits)
}

/**
 * The operator's cost of a job that has failed at the upstream, in micro-credits. The cost is 0
 * unless the upstream reports a charge. Null if the cost is unknown.
 */
export function costOfFailedJob(cost: RouteCost | null, reported: AttemptCost | null): number | null {
  if (reported === null || reported.amount === 0) return 0
  const unitCredits = cost === null || cost.perUnit === 0 ? null : creditsOfUnits(cost, reported)
  return unitCredits === null ? null : microCreditsOf(unitCredits)
}

/** The cost of the units that the upstream reports, in credits. Null if it is unknown. */
function creditsOfUnits({ perUnit }: RouteCost, reported: AttemptCost | null): number | null {
  if (perUnit === 0) return 0
  if (reported === null) return null
  const credits = perUnit * reported.amount
  return credits >= 0 && credits <= unitCreditsMax ? credits : null
}
