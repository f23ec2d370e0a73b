import type { TaskObject } from '@framegate/contract'
import type { AttemptCost } from '../db/task-queue.ts'
import { microCreditsOf } from '../credits/micro-credits.ts'
import type { GenerationRequest } from '../drivers/driver.ts'
import type { RouteCost } from './configuration/definitions.ts'

export interface FinishedJob {
  object: TaskObject
  results: number
  /**
   * Total duration of all videos, in seconds. Null if it is unknown, or if the results are not
   * videos.
   */
  seconds: number | null
  /** The charge that the upstream reports. Null if it reports none. */
  reported: AttemptCost | null
}

/** Returns a job for this request in which each result has the requested duration. */
export function requestedJob(
  { object, parameters: { seconds } }: Pick<GenerationRequest, 'object' | 'parameters'>,
  results: number,
  reported: AttemptCost | null,
): FinishedJob {
  return { object, results, seconds: seconds === undefined ? null : seconds * results, reported }
}

/**
 * Maximum cost that an upstream may report for one job, in credits. A higher or a negative cost
 * counts as an error of the upstream. Without a limit, the database could not store every cost.
 */
const reportedCreditsMax = 1_000_000

/**
 * The operator's cost of a job that an upstream has completed, in micro-credits. Null if the cost
 * is unknown.
 */
export function costOfJob(cost: RouteCost | null, { object, results, seconds, reported }: FinishedJob): number | null {
  if (cost === null) return null
  const reportedCredits = reportedCreditsOf(cost, reported)
  if (reportedCredits === null) return null
  if (object === 'video' && cost.perSecond > 0 && seconds === null) return null
  const mediaCost = object === 'video' ? cost.perSecond * (seconds ?? 0) : object === 'image' ? cost.perImage * results : 0
  return microCreditsOf(cost.perTask + mediaCost + reportedCredits)
}

/**
 * The operator's cost of a job that has failed at the upstream, in micro-credits. The cost is 0
 * unless the upstream reports a charge. Null if the cost is unknown.
 */
export function costOfFailedJob(cost: RouteCost | null, reported: AttemptCost | null): number | null {
  if (reported === null || reported.amount === 0) return 0
  const reportedCredits = cost === null || cost.perUnit === 0 ? null : reportedCreditsOf(cost, reported)
  return reportedCredits === null ? null : microCreditsOf(reportedCredits)
}

/**
 * Converts the charge that the upstream reports to credits. Returns 0 for a route without a price
 * per unit, and null if the charge is unknown or invalid.
 */
function reportedCreditsOf({ perUnit }: RouteCost, reported: AttemptCost | null): number | null {
  if (perUnit === 0) return 0
  if (reported === null) return null
  const credits = perUnit * reported.amount
  return credits >= 0 && credits <= reportedCreditsMax ? credits : null
}
