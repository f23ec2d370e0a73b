import { isTerminal } from '@framegate/contract'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { requirePermission } from '../../auth/principal.ts'
import type { TaskRecord } from '../../db/task-queries.ts'
import { createdAtMsOf } from '../../identity/task-id.ts'
import { cancelTask } from '../../tasks/cancel-task.ts'
import { findTask } from '../../tasks/find-task.ts'
import { taskResult } from './task-result.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * The tasks extension of MCP, revision 2026-07-28
 * (https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html). Its tasks
 * are the tasks of the service, with the same ids. The statuses of the service correspond to those
 * of the extension as follows:
 *
 *   queued, processing   working
 *   completed            completed
 *   failed               cancelled if it was cancelled, otherwise completed with a result that has
 *                        `isError`, because `failed` is for errors of JSON-RPC
 */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

const pollIntervalMs = 5_000

type McpTask = ReturnType<typeof taskFields>

/** Returns the result of a tool call whose task has not ended yet. */
export function unfinishedTaskResult(task: TaskRecord): CallToolResult {
  return { resultType: 'task', ...taskFields(task) } as unknown as CallToolResult
}

export async function getMcpTask(call: ToolCall, taskId: string): Promise<McpTask & { result?: CallToolResult }> {
  requirePermission(call.principal, 'tasks:read')
  const task = await findTask(call.dependencies.store, call.principal.accountNo, taskId)
  call.submits.recordReceived(taskId)
  const fields = taskFields(task)
  if (fields.status !== 'completed') return fields
  const result = await taskResult(call, task)
  return { ...fields, result: task.status === 'failed' ? { ...result, isError: true } : result }
}

/**
 * Cancels a task. Does nothing if the task has already ended. Rejects with `task_already_ended` if
 * it ends at the same time.
 */
export async function cancelMcpTask({ dependencies, principal, submits }: ToolCall, taskId: string): Promise<object> {
  requirePermission(principal, 'tasks:write')
  const task = await findTask(dependencies.store, principal.accountNo, taskId)
  submits.recordReceived(taskId)
  if (!isTerminal(task.status))
    dependencies.telemetry.taskEnded(await cancelTask(dependencies.store, principal.accountNo, taskId))
  return {}
}

function taskFields(task: TaskRecord) {
  const { id, status, progress, errorCode, startedAtMs, endedAtMs, results } = task
  const createdAtMs = createdAtMsOf(id)
  const [firstResult] = results
  return {
    taskId: id,
    status: isTerminal(status)
      ? errorCode === 'cancelled'
        ? ('cancelled' as const)
        : ('completed' as const)
      : ('working' as const),
    statusMessage: isTerminal(status) ? status : `${status}, ${progress} %`,
    createdAt: new Date(createdAtMs).toISOString(),
    lastUpdatedAt: new Date(endedAtMs ?? startedAtMs ?? createdAtMs).toISOString(),
    /** Time from creation to the removal of the result. Null until there is a result. */
    ttlMs: firstResult === undefined ? null : firstResult.expiresAtMs - createdAtMs,
    pollIntervalMs,
  }
}
