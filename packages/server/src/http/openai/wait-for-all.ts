import { isTerminal } from '@framegate/contract'
import type { Store } from '../../db/store.ts'
import type { TaskRecord } from '../../db/task-queries.ts'
import { findTaskIfAvailable } from '../../tasks/find-task.ts'
import type { RequestOwner } from '../../tasks/client-shares.ts'
import type { TaskWaiters } from '../../tasks/wait-for-task.ts'

export interface WaitDependencies {
  store: Pick<Store, 'peek' | 'find'>
  waiters: TaskWaiters
}

export interface WaitOptions {
  owner: RequestOwner
  /** End of the wait, as `performance.now()`. */
  untilMs: number
  signal: AbortSignal
  /** Throws or rejects with an `AppError` if the key no longer permits the request. */
  requireAdmitted: () => Promise<void> | undefined
}

/**
 * Polling interval if the owner may not add another long poll, or if the database is unavailable.
 */
const pollIntervalMs = 2_000

/**
 * Waits until all tasks have ended or the time limit is reached, and returns their current state.
 * Rejects when the signal aborts, if a task was deleted, or if the key no longer permits the
 * request.
 */
export function waitForAll(
  dependencies: WaitDependencies,
  tasks: readonly TaskRecord[],
  options: WaitOptions,
): Promise<TaskRecord[]> {
  return Promise.all(tasks.map((task) => waitForEnd(dependencies, task, options)))
}

/** Waits for one task, like `waitForAll`. The wait continues while the database is unavailable. */
export async function waitForEnd(
  { store, waiters }: WaitDependencies,
  acceptedTask: TaskRecord,
  options: WaitOptions,
): Promise<TaskRecord> {
  const { owner, untilMs, signal, requireAdmitted } = options
  const { id, accountNo } = acceptedTask
  for (let task = acceptedTask; ;) {
    signal.throwIfAborted()
    const foundTask = await findTaskIfAvailable(store, accountNo, id)
    task = foundTask ?? task
    const remainingMs = untilMs - performance.now()
    if (isTerminal(task.status) || remainingMs <= 0) {
      await requireAdmitted()
      return task
    }
    const seconds = (foundTask === undefined ? Math.min(remainingMs, pollIntervalMs) : remainingMs) / 1000
    await waitOrSleep(waiters, { taskId: id, seconds, owner, knownVersion: null }, signal)
  }
}

function waitOrSleep(waiters: TaskWaiters, query: Parameters<TaskWaiters['add']>[0], signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stopWaiting = waiters.add(query, () => resolve())
  const timer = stopWaiting === undefined ? setTimeout(resolve, Math.min(pollIntervalMs, query.seconds * 1000)) : undefined
  const abort = (): void => {
    stopWaiting?.()
    clearTimeout(timer)
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', abort, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', abort))
}
