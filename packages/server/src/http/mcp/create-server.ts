import type * as McpServerModule from '@modelcontextprotocol/server'
import type { McpRequestContext, Server, ServerContext } from '@modelcontextprotocol/server'
import { isObject } from '../../lib/is-object.ts'
import type { AppError } from '../../lib/app-error.ts'
import { logError } from '../responses/send-thrown.ts'
import { toAppError } from '../responses/to-app-error.ts'
import { errorResult } from './error-result.ts'
import type { OpenCalls } from './open-calls.ts'
import { cancelMcpTask, getMcpTask, tasksExtension } from './tasks-extension.ts'
import type { ToolCall } from './tool-call.ts'
import { runTool, toolNames, toolsFor } from './tools.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/** The MCP library. The first request loads it, because it takes a tenth of a second and 25 MB. */
export type Sdk = typeof McpServerModule

/** The properties that all calls of one HTTP request share, and the list of open calls. */
export type SharedByCalls = Omit<ToolCall, 'signal' | 'cancelled' | 'acceptsTask' | 'reportProgress'> & { openCalls: OpenCalls }

const instructions =
  'Generates images and videos. Choose a model with list_models, read its parameters with get_model, and its price with quote. ' +
  'generate_image and generate_video return a task; if it has not ended, call get_task with its id. Show links to results ' +
  'unchanged, because they are signed.'

/**
 * Creates the MCP server for one request. The server has no state, so any process can serve the
 * next request.
 */
export function createServer(sdk: Sdk, shared: SharedByCalls, { era }: McpRequestContext): Server {
  const { brand, principal } = shared
  const isModern = era === 'modern'
  const server = new sdk.Server(
    { name: brand.name, version: packageJson.version },
    { capabilities: { tools: {}, ...(isModern && { extensions: { [tasksExtension]: {} } }) }, instructions },
  )
  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(principal) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { call, end } = openCall(shared, context, isModern)
    try {
      const result = await runTool(call, params.name, params.arguments ?? {})
      if (result !== undefined) return result
    } catch (thrown) {
      return errorResult(logAsAppError(call, thrown), call.request.id)
    } finally {
      end()
    }
    const message = `There is no tool with this name; the tools are ${toolNames.join(', ')}.`
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message)
  })
  if (!isModern) return server
  for (const [method, run] of Object.entries({ 'tasks/get': getMcpTask, 'tasks/cancel': cancelMcpTask })) {
    server.setRequestHandler(method, { params: taskParameters }, async ({ taskId }, context) => {
      const { call, end } = openCall(shared, context, isModern)
      try {
        return { ...(await run(call, taskId)) }
      } catch (thrown) {
        throw protocolError(sdk, logAsAppError(call, thrown))
      } finally {
        end()
      }
    })
  }
  return server
}

function logAsAppError({ signal, request, dependencies }: ToolCall, thrown: unknown): AppError {
  const error = toAppError(thrown)
  if (!signal.aborted) logError(error, request.id, dependencies.logger)
  return error
}

/** Registers a call among the open calls. `end` must be called after the call. */
function openCall(
  { openCalls, ...shared }: SharedByCalls,
  { mcpReq }: ServerContext,
  isModern: boolean,
): { call: ToolCall; end: () => void } {
  const { cancelled, close } = openCalls.open(shared.principal.keyNo, mcpReq.id)
  const token = mcpReq._meta?.progressToken
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  const capabilities = envelope['io.modelcontextprotocol/clientCapabilities']
  const extensions = isObject(capabilities) ? capabilities['extensions'] : undefined
  const call: ToolCall = {
    ...shared,
    signal: AbortSignal.any([mcpReq.signal, cancelled]),
    cancelled,
    acceptsTask: isModern && isObject(extensions) && Object.hasOwn(extensions, tasksExtension),
    reportProgress:
      token === undefined
        ? undefined
        : ({ id, status, progress }) =>
            mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken: token, progress, total: 100, message: `Task ${id} is ${status}.` },
            }),
  }
  return { call, end: close }
}

function protocolError(sdk: Sdk, { code, status, message }: AppError): Error {
  const { InternalError, InvalidParams } = sdk.ProtocolErrorCode
  return new sdk.ProtocolError(status >= 500 ? InternalError : InvalidParams, message, { code })
}

/** Standard Schema for the parameters of `tasks/get` and `tasks/cancel`. */
const taskParameters = {
  '~standard': {
    version: 1 as const,
    vendor: 'own',
    validate(params: unknown) {
      const { taskId } = isObject(params) ? params : {}
      return typeof taskId === 'string'
        ? { value: { taskId } }
        : { issues: [{ message: 'taskId must be the id of a task', path: ['taskId'] }] }
    },
    types: undefined as { input: { taskId: string }; output: { taskId: string } } | undefined,
  },
}
