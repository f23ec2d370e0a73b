import type { Store } from '../db/store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import { AppError } from '../lib/app-error.ts'

/**
 * The same error for a task that does not exist and for another account's task, so that it does not
 * reveal which is the case.
 */
export function taskNotFound(): AppError {
  return new AppError('task_not_found', 'This account has no task with this id.')
}

/**
 * The account's task. Returns a promise only when this process does not have it in memory. Rejects
 * with task_not_found, also for another account's task.
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
