import type { Store } from '../db/store.ts'
import type { StoredResults } from '../db/task-queries.ts'
import type { AttemptCosts, AttemptNote, Failure, Lease } from '../db/task-queue.ts'
import { noteOf } from '../db/write-operations.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { RunningTask } from './running-task.ts'
import { runStage, type StageDependencies } from './run-stage.ts'

export interface WaitingEndDependencies {
  store: Pick<Store, 'fail' | 'find'>
  telemetry: Pick<Telemetry, 'taskEnded'>
}

interface TaskEndDependencies extends StageDependencies {
  store: Pick<Store, 'complete' | 'fail' | 'find'>
}

/**
 * Completes the task and reports its end to telemetry. Returns false if the task has ended
 * meanwhile, or if another worker holds its lease.
 */
export async function completeTask(
  running: RunningTask,
  dependencies: TaskEndDependencies,
  { results, charge, ...costs }: { results: StoredResults; charge: number } & AttemptCosts,
): Promise<boolean> {
  return end(running, dependencies, costs.paidMicroCredits, () =>
    dependencies.store.complete(running.claim, results, charge, costs),
  )
}

/**
 * Fails the task and reports its end to telemetry. Returns false if the task has ended meanwhile,
 * or if another worker holds its lease.
 */
export async function failTask(
  running: RunningTask,
  dependencies: TaskEndDependencies,
  failure: Failure,
  note: Partial<AttemptNote> = {},
): Promise<boolean> {
  return end(running, dependencies, noteOf(note).paidMicroCredits, () => dependencies.store.fail(running.claim, failure, note))
}

/**
 * Fails a task that waits for a route, and reports its end to telemetry. Does nothing if the task
 * has been claimed or has ended meanwhile.
 */
export async function failWaitingTask(
  lease: Lease,
  failure: Failure,
  { store, telemetry }: WaitingEndDependencies,
): Promise<void> {
  if (!(await store.fail(lease, failure))) return
  const task = await store.find(lease.id)
  if (task !== undefined) telemetry.taskEnded(task)
}

async function end(
  running: RunningTask,
  dependencies: TaskEndDependencies,
  paidMicroCredits: number | null,
  commit: () => Promise<boolean>,
): Promise<boolean> {
  const hasEnded = await runStage('finish', running, dependencies, commit)
  const task = hasEnded ? await dependencies.store.find(running.taskId) : undefined
  if (task !== undefined) dependencies.telemetry.taskEnded(task)
  const { snapshotNo, state, route } = running.attempt
  if (hasEnded && snapshotNo > 0 && state !== 'assigned') {
    dependencies.telemetry.attemptPaid({ model: running.claim.task.model, route, microCredits: paidMicroCredits })
  }
  return hasEnded
}
