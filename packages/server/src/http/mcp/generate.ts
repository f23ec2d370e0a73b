import { isTerminal, mcpDefaultWaitSeconds, type McpGenerateArguments } from '@framegate/contract'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Model } from '../../catalogue/model.ts'
import { resolveModel } from '../../catalogue/resolve-model.ts'
import { taskObjectOf } from '../../catalogue/token-model.ts'
import { AppError } from '../../lib/app-error.ts'
import type { SubmittedTask } from '../../tasks/submit-task.ts'
import { awaitTask } from './await-task.ts'
import { unfinishedTaskResult } from './tasks-extension.ts'
import { taskBody } from './task-body.ts'
import { taskResult } from './task-result.ts'
import type { ToolCall } from './tool-call.ts'

const repeatNote =
  'This call repeats an earlier one, so it returns the task of the earlier call, and nothing was charged again. To generate ' +
  'another result with the same arguments, pass a different idempotency_key.'

/**
 * Submits a task and waits until it ends. If the wait times out, a client that supports the tasks
 * extension gets a task in the extension's format.
 */
export async function generate(
  call: ToolCall,
  kind: 'image' | 'video',
  { wait_seconds, idempotency_key, ...request }: McpGenerateArguments,
): Promise<CallToolResult> {
  requireKind(resolveModel(call.brand.catalogue, request.model), kind)
  const submitted = await call.submits.submit(call, taskBody(request), idempotency_key)
  try {
    return await resultOf(call, submitted, wait_seconds)
  } catch (error) {
    call.submits.recordFailed(submitted.task.id)
    throw error
  }
}

async function resultOf(
  call: ToolCall,
  { task, replayed }: Pick<SubmittedTask, 'task' | 'replayed'>,
  waitSeconds: number | undefined,
): Promise<CallToolResult> {
  const currentTask = await awaitTask(call, task, {
    seconds: waitSeconds ?? (call.acceptsTask ? 0 : mcpDefaultWaitSeconds),
    scope: 'tasks:write',
  })
  if (call.acceptsTask && !isTerminal(currentTask.status)) return unfinishedTaskResult(currentTask)
  const result = await taskResult(call, currentTask, replayed ? repeatNote : '')
  return currentTask.status === 'failed' ? { ...result, isError: true } : result
}

function requireKind(model: Model, kind: 'image' | 'video'): void {
  const modelObject = taskObjectOf(model)
  if (modelObject === kind) return
  const advice = modelObject === 'text' ? 'no tool generates texts' : `call generate_${modelObject}`
  throw new AppError('invalid_parameter', `${model.id} generates ${modelObject}s; ${advice}.`, { param: 'model' })
}
