import type { Store, TaskRecord } from '../db/store.ts'
import { AppError } from '../lib/app-error.ts'

/** Says nothing that depends on whether the task exists: another account's task is answered the same. */
export function taskNotFound(): AppError {
  return new AppError('task_not_found', 'This account has no task with this id.')
}

/**
 * The account's task; a promise only when it is not one that this process knows. Rejects with task_not_found: another account's task
 * goes the way of those that do not exist.
 */
export function findTask(store: Pick<Store, 'peek' | 'find'>, accountNo: number, id: string): TaskRecord | Promise<TaskRecord> {
  const known = store.peek(id)
  if (known?.accountNo === accountNo) return known
  return store.find(id).then((task) => ownTask(task, accountNo))
}

function ownTask(task: TaskRecord | undefined, accountNo: number): TaskRecord {
  if (task === undefined || task.accountNo !== accountNo) throw taskNotFound()
  return task
}
