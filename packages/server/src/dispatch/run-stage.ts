import type { Clock } from '../lib/clock.ts'
import type { StepName, Telemetry } from '../telemetry/telemetry.ts'
import type { RunningTask } from './running-task.ts'

export interface StageTools {
  telemetry: Telemetry
  clock: Clock
}

/** Runs a stage of a task and reports its duration and its error, if any, to telemetry. */
export async function runStage<Result>(
  step: StepName,
  { taskId, attemptId, routeName }: RunningTask,
  { telemetry, clock }: StageTools,
  take: () => Promise<Result>,
  errorOf: (result: Result) => string | null = () => null,
): Promise<Result> {
  const startedAtMs = clock()
  const tell = (error: string | null): void =>
    telemetry.stepTaken({ step, taskId, attemptId, route: routeName, startedAtMs, endedAtMs: clock(), error })
  try {
    const result = await take()
    tell(errorOf(result))
    return result
  } catch (error) {
    tell(error instanceof Error ? error.name : 'unknown')
    throw error
  }
}
