import { retryWrite } from './retry-write.ts'
import type { RunningTask } from './running-task.ts'
import type { TaskDependencies } from './task-dependencies.ts'

/**
 * Releases the claim if the service closes. Closes the attempt if it is new and its task has ended.
 * Called only if this process has not started a job of the attempt.
 */
export async function releaseTask(running: RunningTask, dependencies: TaskDependencies): Promise<void> {
  if (running.stopReason === 'closing') await dependencies.store.release([running.claim])
  else if (running.stopReason === 'ended' && !running.attempt.resumed) await closeUnstarted(running, dependencies)
}

/**
 * Closes an attempt whose task has ended meanwhile. No job was started, so no operator needs to
 * review it.
 */
export async function closeUnstarted(running: RunningTask, dependencies: TaskDependencies): Promise<void> {
  const { claim, attempt } = running
  await retryWrite(running, dependencies, async () => {
    await dependencies.unresolved.close(claim.id, attempt.number, 'never_started')
    if (attempt.pools !== null) await dependencies.store.releaseSlot(claim.id, attempt.number)
  })
}

/** Closes the attempt if its outcome could not be written because the task has ended meanwhile. */
export async function closeIfEnded(running: RunningTask, dependencies: TaskDependencies): Promise<void> {
  if (running.stopReason === 'ended') await closeUnstarted(running, dependencies)
}
