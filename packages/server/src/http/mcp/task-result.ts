import { isTerminal, type Task } from '@framegate/contract'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import type { TaskRecord } from '../../db/task-queries.ts'
import { savedName } from '../../media/saved-name.ts'
import { readThumbnails } from './thumbnails.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * Returns a task as a tool result: a text with the links and their expiry, a resource link to each
 * result, thumbnails, and the Task object.
 */
export async function taskResult(
  call: Pick<ToolCall, 'dependencies' | 'brand' | 'request' | 'signal'>,
  task: TaskRecord,
  note = '',
): Promise<CallToolResult> {
  const view = JSON.parse(call.dependencies.views.view(task, call.brand.resultOrigin).text) as Task
  const links = (view.results ?? []).map(({ url, type, bytes }, index): ContentBlock => {
    const name = savedName(task.results[index]?.objectKey ?? view.id, call.brand)
    return { type: 'resource_link', uri: url, name, mimeType: type, size: bytes }
  })
  const thumbnails = links.length === 0 ? [] : await readThumbnails(call, task)
  return {
    content: [{ type: 'text', text: [describe(view), note].filter(Boolean).join('\n') }, ...links, ...thumbnails],
    structuredContent: view,
  }
}

function describe(task: Task): string {
  const { id, object, model, status, progress, amount } = task
  const summary = `Task ${id}: ${object} by ${model}`
  if (!isTerminal(status)) {
    return `${summary} is ${status} (${progress} %). It holds ${amount} credits. Call get_task with this id for the result.`
  }
  if (status === 'failed') return `${summary} has failed (${task.error_code}): ${task.error} Nothing was charged.`
  const urls = task.results?.map(({ url }) => url) ?? []
  if (urls.length === 0) return `${summary} is completed, but its result has been removed. It cost ${amount} credits.`
  const expiry = new Date((task.expires_at ?? 0) * 1000).toISOString()
  return `${summary} is completed and cost ${amount} credits. Links, valid until ${expiry}; get_task returns fresh ones:\n${urls.join('\n')}`
}
