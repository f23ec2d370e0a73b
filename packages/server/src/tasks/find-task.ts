import type { Store } from '../db/store.ts'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import { AppError } from '../lib/app-error.ts'

/**
 * Error for a task that does not exist or belongs to another account. Clients must not be able to
 * distinguish the two cases.
 */
export function taskNotFound(): AppError {
  return new AppError('task_not_found', 'This account has no task with this id.')
}

/**
 * Returns a task of the account. The result is a promise only if this process does not have the
 * task in memory. Rejects with `task_not_found` if the task does not exist or belongs to another
 * account.
 */
export function findTask(store: Pick<Store, 'peek' | 'find'>, accountNo: number, id: string): TaskRecord | Promise<TaskRecord> {
  const cachedTask = store.peek(id)
  if (cachedTask?.accountNo === accountNo) return cachedTask
  return store.find(id).then((task) => requireOwner(task, accountNo))
}

function requireOwner(task: TaskRecord | undefined, accountNo: number): TaskRecord {
  if (task === undefined || task.accountNo !== accountNo) throw taskNotFound()
  return task
}

/**
 * Like `findTask`, but returns undefined while the database is unavailable. A request that waits
 * for its task then keeps waiting, because a client that got an error would submit the task again.
 */
export async function findTaskIfAvailable(...parameters: Parameters<typeof findTask>): Promise<TaskRecord | undefined> {
  try {
    return await findTask(...parameters)
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined
    throw error
  }
}
