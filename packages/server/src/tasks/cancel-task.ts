import { isTerminal } from '@framegate/contract'
import type { Store } from '../db/store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import { AppError } from '../lib/app-error.ts'
import { findTask } from './find-task.ts'

/**
 * Cancels a task: it ends as failed, and its hold (the reserved credits) is released. The store
 * notifies the worker that runs it.
 */
export async function cancelTask(
  store: Pick<Store, 'peek' | 'find' | 'cancel'>,
  accountNo: number,
  id: string,
): Promise<TaskRecord> {
  const task = await findTask(store, accountNo, id)
  const wasCancelled = !isTerminal(task.status) && (await store.cancel(id))
  const currentTask = await findTask(store, accountNo, id)
  if (!wasCancelled) {
    throw new AppError('task_already_ended', `This task has already ${currentTask.status} and can no longer be cancelled.`)
  }
  return currentTask
}
