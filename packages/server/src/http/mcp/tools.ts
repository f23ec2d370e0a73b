import { mcpTools, type McpToolName, type RequestBodySchema } from '@framegate/contract'
import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { requirePermission, type Principal } from '../../auth/principal.ts'
import { readCredits } from '../../credits/read-credits.ts'
import { assetView } from '../../assets/asset-view.ts'
import { cancelTask } from '../../tasks/cancel-task.ts'
import { findTask } from '../../tasks/find-task.ts'
import { listTasks } from '../../tasks/list-tasks.ts'
import { quoteTask } from '../../tasks/quote-task.ts'
import { storeFetched } from '../store-fetched.ts'
import { listOf } from '../responses/list-text.ts'
import { readFields } from '../routes/admin/read-body.ts'
import { awaitTask } from './await-task.ts'
import { generate } from './generate.ts'
import { compactModel } from './compact-model.ts'
import { taskBody, withParsedParameters } from './task-body.ts'
import { taskResult } from './task-result.ts'
import type { RunTool, ToolCall } from './tool-call.ts'

type ArgumentsOf<Name extends McpToolName> =
  (typeof mcpTools)[Name]['arguments'] extends RequestBodySchema<infer Arguments> ? Arguments : never

/**
 * The implementations of the tools. Each calls the same function as the corresponding HTTP route.
 */
const runByTool: { [Name in McpToolName]: RunTool<ArgumentsOf<Name>> } = {
  async list_models({ dependencies, brand, principal }, { kind, limit = 20, cursor }) {
    const { texts, nextCursor } = await dependencies.modelViews.page(brand.catalogue, principal, {
      limit,
      cursor,
      isWanted: ({ object }) => (kind === undefined ? object === 'image' || object === 'video' : object === kind),
    })
    return jsonResult(listOf(texts.map(compactModel), nextCursor))
  },

  async get_model({ dependencies, brand, principal }, { model }) {
    return jsonResult(JSON.parse(dependencies.modelViews.find(brand.catalogue, principal, model)) as object)
  },

  async quote({ dependencies, brand, principal, signal }, args) {
    const request = { principal, catalogue: brand.catalogue, v1Family: null, body: taskBody(args), signal }
    return jsonResult(await quoteTask(dependencies, request))
  },

  generate_image: (call, args) => generate(call, 'image', args),
  generate_video: (call, args) => generate(call, 'video', args),

  async get_task(call, { id, wait_seconds = 0 }) {
    const task = await findTask(call.dependencies.store, call.principal.accountNo, id)
    call.submits.recordReceived(id)
    return await taskResult(call, await awaitTask(call, task, { seconds: wait_seconds, scope: 'tasks:read' }))
  },

  async list_tasks({ dependencies, brand, principal }, { status, model, kind, limit = 20, cursor }) {
    const { tasks, nextCursor } = await listTasks(dependencies.store, {
      accountNo: principal.accountNo,
      limit,
      ...(cursor !== undefined && { cursor }),
      ...(status !== undefined && { status }),
      ...(model !== undefined && { model }),
      ...(kind !== undefined && { object: kind }),
    })
    const items = tasks.map((task) => JSON.parse(dependencies.views.listed(task, brand.resultOrigin)) as object)
    return jsonResult(listOf(items, nextCursor))
  },

  async cancel_task(call, { id }) {
    const { store, telemetry } = call.dependencies
    const task = await cancelTask(store, call.principal.accountNo, id)
    telemetry.taskEnded(task)
    call.submits.recordReceived(id)
    return await taskResult(call, task)
  },

  async upload_asset({ dependencies, brand, principal, signal }, args) {
    const { asset } = await storeFetched(dependencies.assets, principal.accountNo, args, signal)
    return jsonResult(assetView(asset, dependencies.signer, dependencies.clock(), brand.resultOrigin))
  },

  async get_balance({ dependencies, principal }) {
    return jsonResult(await readCredits(dependencies.store.database, principal.accountNo, dependencies.clock()))
  },
}

/** Returns the tools that a key may call, in a stable order. */
export function toolsFor({ scopes }: Pick<Principal, 'scopes'>): Tool[] {
  return Object.values(mcpTools)
    .filter(({ scope }) => scope === null || scopes.has(scope))
    .map(({ name, title, description, arguments: argumentsSchema, output, annotations }) => ({
      name,
      title,
      description,
      inputSchema: inputSchemaOf(argumentsSchema),
      outputSchema: output as Tool['outputSchema'],
      annotations: { title, ...annotations },
    }))
}

/**
 * Runs a tool. Returns undefined if there is no tool with this name. Throws an `AppError` if the
 * tool fails.
 */
export async function runTool(
  call: ToolCall,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<CallToolResult | undefined> {
  if (!isToolName(name)) return undefined
  const { scope, arguments: schema } = mcpTools[name]
  requirePermission(call.principal, scope)
  const advice = 'parameters' in schema.properties ? ". Pass the parameters of the model in 'parameters'" : ''
  const parsed = readFields(withParsedParameters(args), schema as RequestBodySchema, advice)
  return await (runByTool[name] as RunTool<unknown>)(call, parsed)
}

export const toolNames = Object.keys(mcpTools)

function isToolName(name: string): name is McpToolName {
  return Object.hasOwn(mcpTools, name)
}

/** Returns the schema without `means`, which only error messages use. */
function inputSchemaOf({ required, properties }: RequestBodySchema): Tool['inputSchema'] {
  const shownProperties = Object.entries(properties).map(([name, { means: _means, ...schema }]) => [name, schema] as const)
  const schema = { type: 'object', additionalProperties: false, required, properties: Object.fromEntries(shownProperties) }
  return schema as unknown as Tool['inputSchema']
}

function jsonResult(value: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...value } }
}
