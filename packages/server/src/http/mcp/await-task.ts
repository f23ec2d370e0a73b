import { isTerminal } from '@framegate/contract'
import type { Scope } from '../../auth/scopes.ts'
import type { TaskRecord } from '../../db/task-queries.ts'
import { findTaskIfAvailable } from '../../tasks/find-task.ts'
import { reauthorize } from '../authorize.ts'
import { requestOwnerOf } from '../is-operator.ts'
import type { ToolCall } from './tool-call.ts'

interface AwaitTaskOptions {
  /** Maximum duration of the wait. */
  seconds: number
  /** Scope that the tool requires. The key may lose it during the wait. */
  scope: Scope
}

/** Minimum time between two progress notifications of a call. */
const progressIntervalSeconds = 1
/** Time after which the task is read again if the database was unavailable. */
const unavailableRetrySeconds = 2

/**
 * Waits until the task ends, the time is up or the call is aborted, and returns the current state
 * of the task. Reports progress when it increases. If the owner may not add another long poll,
 * returns without a wait. While the database is unavailable, uses the last known state. Rejects
 * with an `AppError` if the key no longer permits the call.
 */
export async function awaitTask(call: ToolCall, task: TaskRecord, options: AwaitTaskOptions): Promise<TaskRecord> {
  const { dependencies, reportProgress, signal } = call
  const untilMs = performance.now() + options.seconds * 1000
  let reportedProgress = -1
  let currentTask = task
  let waitSecondsMax = Infinity
  const readTask = async (): Promise<TaskRecord> => {
    const foundTask = await findTaskIfAvailable(dependencies.store, task.accountNo, task.id)
    // The only notification of the task's end may come while the database is unavailable.
    waitSecondsMax = foundTask === undefined ? unavailableRetrySeconds : Infinity
    return foundTask ?? currentTask
  }
  for (;;) {
    const remainingSeconds = (untilMs - performance.now()) / 1000
    if (isTerminal(currentTask.status) || remainingSeconds <= 0 || signal.aborted) return currentTask
    call.request.wasDelayedOnRequest = true
    const seconds = Math.min(remainingSeconds, waitSecondsMax)
    let wait = { seconds, knownVersion: reportProgress === undefined ? null : currentTask.version }
    if (reportProgress !== undefined && currentTask.progress > reportedProgress) {
      reportedProgress = currentTask.progress
      await reportProgress(currentTask)
      wait = { seconds: Math.min(remainingSeconds, progressIntervalSeconds), knownVersion: null }
    }
    const hasWaited = await waitForChange(call, task.id, wait)
    await reauthorize(dependencies.keys, options.scope, call.request)
    if (!hasWaited) return await readTask()
    // Reads the task again, because a change between two waits resolves neither of them.
    currentTask = await readTask()
  }
}

/**
 * Waits for a change of the task, or, without `knownVersion`, for its end. Also resolves when the
 * time is up or the call is aborted. Resolves to false if the owner may not add another long poll.
 */
function waitForChange(
  { dependencies, principal, signal }: ToolCall,
  taskId: string,
  wait: { seconds: number; knownVersion: number | null },
): Promise<boolean> {
  return new Promise((resolve) => {
    const owner = requestOwnerOf(principal, dependencies.brands)
    const cancel = (): void => {
      cancelWait?.()
      resolve(true)
    }
    const cancelWait = dependencies.waiters.add({ taskId, owner, ...wait }, () => {
      signal.removeEventListener('abort', cancel)
      resolve(true)
    })
    if (cancelWait === undefined) return resolve(false)
    signal.addEventListener('abort', cancel, { once: true })
  })
}
