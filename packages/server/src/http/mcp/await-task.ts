import { isTerminal } from '@framegate/contract'
import type { TaskRecord } from '../../db/task-queries.ts'
import { findTask } from '../../tasks/find-task.ts'
import { requestOwnerOf } from '../is-operator.ts'
import type { ToolCall } from './tool-call.ts'

/** Minimum time between two progress notifications of a call. */
const intervalSeconds = 1

/**
 * Waits until the task ends, the time is up or the client cancels the call, and returns the current
 * state of the task. Reports progress when it increases. If too many calls are already waiting,
 * returns immediately.
 */
export async function awaitTask(call: ToolCall, task: TaskRecord, seconds: number): Promise<TaskRecord> {
  const { context, reportProgress, signal } = call
  const untilMs = performance.now() + seconds * 1000
  let reportedProgress = -1
  let current = task
  for (;;) {
    const leftSeconds = (untilMs - performance.now()) / 1000
    if (isTerminal(current.status) || leftSeconds <= 0 || signal.aborted) return current
    call.request.wasHeld = true
    let wait = { seconds: leftSeconds, knownVersion: reportProgress === undefined ? null : current.version }
    if (reportProgress !== undefined && current.progress > reportedProgress) {
      reportedProgress = current.progress
      await reportProgress(current)
      wait = { seconds: Math.min(leftSeconds, intervalSeconds), knownVersion: null }
    }
    if (!(await waitForChange(call, task.id, wait))) return await findTask(context.store, task.accountNo, task.id)
    // Reads the task again, because a change between two waits resolves neither of them.
    current = await findTask(context.store, task.accountNo, task.id)
  }
}

/** Waits for a change of the task. Resolves to false if the wait is not possible. */
function waitForChange(
  { context, principal, signal }: ToolCall,
  taskId: string,
  wait: { seconds: number; knownVersion: number | null },
): Promise<boolean> {
  return new Promise((resolve) => {
    const owner = requestOwnerOf(principal, context.brands)
    const cancel = (): void => {
      cancelWait?.()
      resolve(true)
    }
    const cancelWait = context.waiters.add({ taskId, owner, ...wait }, () => {
      signal.removeEventListener('abort', cancel)
      resolve(true)
    })
    if (cancelWait === undefined) return resolve(false)
    signal.addEventListener('abort', cancel, { once: true })
  })
}
