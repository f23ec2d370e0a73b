import type { AttemptCost, AttemptNote, Failure, Store, StoredResult } from '../db/store.ts'
import type { RunningTask } from './running-task.ts'
import { takeStep, type StepTools } from './take-step.ts'

interface EndTools extends StepTools {
  store: Pick<Store, 'complete' | 'fail' | 'find'>
}

/** False when it has ended meanwhile, or is somebody else's. */
export async function completeTask(
  running: RunningTask,
  tools: EndTools,
  { result, charge, cost }: { result: StoredResult; charge: number; cost: AttemptCost | null },
): Promise<boolean> {
  return end(running, tools, () => tools.store.complete(running.claim, result, charge, cost))
}

/** False when it has ended meanwhile, or is somebody else's. */
export async function failTask(
  running: RunningTask,
  tools: EndTools,
  failure: Failure,
  note: Partial<AttemptNote> = {},
): Promise<boolean> {
  return end(running, tools, () => tools.store.fail(running.claim, failure, note))
}

async function end(running: RunningTask, tools: EndTools, commit: () => Promise<boolean>): Promise<boolean> {
  const hasEnded = await takeStep('finish', running, tools, commit)
  const task = hasEnded ? await tools.store.find(running.taskId) : undefined
  if (task !== undefined) tools.telemetry.taskEnded(task)
  return hasEnded
}
