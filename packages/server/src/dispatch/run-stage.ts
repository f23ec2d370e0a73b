import type { Clock } from '../lib/clock.ts'
import type { StageName, Telemetry } from '../telemetry/telemetry.ts'
import type { RunningTask } from './running-task.ts'

export interface StageDependencies {
  telemetry: Telemetry
  clock: Clock
}

/**
 * Runs a stage of a task. Reports the duration of the stage, and its error if it fails, to
 * telemetry.
 */
export async function runStage<Result>(
  stage: StageName,
  { taskId, attemptId, routeName }: RunningTask,
  { telemetry, clock }: StageDependencies,
  run: () => Promise<Result>,
  errorOf: (result: Result) => string | null = () => null,
): Promise<Result> {
  const startedAtMs = clock()
  const report = (error: string | null): void =>
    telemetry.stageEnded({ stage, taskId, attemptId, route: routeName, startedAtMs, endedAtMs: clock(), error })
  try {
    const result = await run()
    report(errorOf(result))
    return result
  } catch (error) {
    report(error instanceof Error ? error.name : 'unknown')
    throw error
  }
}
