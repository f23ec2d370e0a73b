import type { Store } from '../db/store.ts'
import type { GenerationRequest, Operation, ProviderCost } from '../drivers/driver.ts'
import { attemptIdOf } from '../identity/attempt-id.ts'
import type { RouteConnection } from '../routing/connection.ts'
import type { PollRateLimiter } from '../routing/poll-rate-limiter.ts'
import { costOfFailedJob, costOfJob, requestedJob } from '../routing/route-cost.ts'
import { readParameters } from '../tasks/parameters-text.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { ModelFacts } from './model-facts.ts'
import { pollJob } from './poll-job.ts'
import type { OverdueAttempt, UnresolvedAttempts } from './unresolved-attempts.ts'

export interface OverduePollDependencies {
  unresolved: Pick<UnresolvedAttempts, 'close' | 'recordLateEnd'>
  store: Pick<Store, 'releaseSlot'>
  telemetry: Pick<Telemetry, 'attemptPaid'>
}

export interface OverdueJob {
  attempt: OverdueAttempt
  operation: Operation
  facts: ModelFacts
  connection: RouteConnection
  pollLimiter: PollRateLimiter | null
  /** Whether the job was polled before. The first poll is preceded by the cancellation of the job. */
  wasPolled: boolean
}

/** Polls a job once. If it has ended, frees its slots and shows its cost to the operator. */
export async function pollOverdueAttempt(
  { attempt, operation, facts, connection, pollLimiter, wasPolled }: OverdueJob,
  dependencies: OverduePollDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { taskId, number } = attempt
  const { driver } = connection
  const request = requestOf(attempt, facts)
  if (!wasPolled) await driver.cancel?.(operation, request)
  await pollLimiter?.acquire(true, signal)
  const outcome = await pollJob({ driver, operation, request, pollLimiter }, signal)
  if (outcome.state !== 'succeeded' && outcome.state !== 'failed') return
  await dependencies.store.releaseSlot(taskId, number)
  if (outcome.state === 'succeeded') await recordCompleted(outcome.cost ?? null, outcome.outputs.length)
  else if (outcome.isCompletedUpstream === true) await recordCompleted(outcome.cost ?? null, request.parameters.n ?? 1)
  else await closeFailed(outcome.cost ?? null)

  async function closeFailed(cost: ProviderCost | null): Promise<void> {
    const paidMicroCredits = costOfFailedJob(connection.cost, cost)
    await dependencies.unresolved.close(taskId, number, 'ended_without_result', { cost, paidMicroCredits })
    dependencies.telemetry.attemptPaid({ model: attempt.model, route: connection.name, microCredits: paidMicroCredits })
  }

  async function recordCompleted(cost: ProviderCost | null, resultCount: number): Promise<void> {
    const paidMicroCredits = costOfJob(connection.cost, requestedJob(request, resultCount, cost))
    await dependencies.unresolved.recordLateEnd(taskId, number, { cost, paidMicroCredits })
    dependencies.telemetry.attemptPaid({ model: attempt.model, route: connection.name, microCredits: paidMicroCredits })
  }
}

function requestOf({ taskId, number, model, object, parameters }: OverdueAttempt, facts: ModelFacts): GenerationRequest {
  const { simulate: _simulate, ...requestParameters } = readParameters(parameters, null)
  const attemptId = attemptIdOf(taskId, number)
  return { attemptId, model, object, size: facts.size(requestParameters), parameters: requestParameters, simulate: null }
}
