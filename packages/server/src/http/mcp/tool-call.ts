import type { CallToolResult } from '@modelcontextprotocol/server'
import type { TaskRecord } from '../../db/task-queries.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import type { SubmittingCall, ToolSubmits } from './tool-submits.ts'

/** A tool call, with the dependencies of the tools. */
export interface ToolCall extends SubmittingCall {
  readonly dependencies: HttpDependencies
  readonly submits: ToolSubmits
  /** Whether the client accepts a task of the tasks extension as the result of a call. */
  readonly acceptsTask: boolean
  /** Sends a progress notification. Undefined if the client has not requested any. */
  readonly reportProgress: ((task: TaskRecord) => Promise<void>) | undefined
}

/** Runs a tool. Throws an `AppError` for a problem that the client can correct. */
export type RunTool<Arguments> = (call: ToolCall, args: Arguments) => Promise<CallToolResult>
