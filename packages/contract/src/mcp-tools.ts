import type { KeyScope } from './admin-key-requests.ts'
import type { RequestBodySchema } from './request-body.ts'
import { assetImportBody } from './asset-requests.ts'
import { idempotencyKeyHeader, taskIdPattern } from './parameters.ts'
import { taskStatuses, type TaskStatus } from './status.ts'

/**
 * A tool of the MCP endpoint. Schemas are flat and have no references, because some MCP hosts
 * accept nothing else. Texts do not contain the product name, because clients of white-label brands
 * see them too.
 */
export interface McpTool<Arguments = unknown> {
  name: string
  title: string
  description: string
  /** Scope that an API key needs to see and call the tool. Null: any key. */
  scope: KeyScope | null
  arguments: RequestBodySchema<Arguments>
  output: Readonly<Record<string, unknown>>
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean }
}

/** Maximum wait of a tool call, in seconds. Many MCP hosts time out after 60 seconds. */
export const mcpWaitSecondsMax = 50
const defaultWaitSeconds = 30

export interface McpTaskRequest {
  model: string
  prompt?: string
  parameters?: Readonly<Record<string, unknown>>
}

export interface McpGenerateArguments extends McpTaskRequest {
  wait_seconds?: number
  idempotency_key?: string
}

export interface McpTaskArguments {
  id: string
}

const argumentsSchema = <Body>(
  properties: RequestBodySchema['properties'],
  ...required: readonly (keyof Body & string)[]
): RequestBodySchema<Body> => ({ type: 'object', additionalProperties: false, required, properties })

const taskRequest = {
  model: {
    type: 'string',
    minLength: 1,
    means: 'a Model ID, such as list_models returns',
    description: 'Model ID, exactly as list_models returns it.',
  },
  prompt: { type: 'string', means: 'a text', description: 'Description of the image or video to generate.' },
  parameters: {
    type: 'object',
    means: 'an object with further parameters of the model',
    description:
      'Further parameters of the model, such as aspect_ratio, resolution, seconds, seed or reference_images. get_model returns ' +
      'their schema. To pass an uploaded file, use asset:ID.',
  },
} as const

const waitSeconds = (defaultValue: number) => ({
  type: 'number',
  minimum: 0,
  maximum: mcpWaitSecondsMax,
  default: defaultValue,
  means: `a number of seconds from 0 to ${mcpWaitSecondsMax}`,
  description:
    `Seconds to wait for the task to finish, 0 to ${mcpWaitSecondsMax}. If the task takes longer, it continues, and get_task ` +
    'returns its result later.',
})

const taskId = {
  type: 'string',
  pattern: taskIdPattern,
  means: 'the id of a task, such as a generate tool returns',
  description: 'Task id.',
} as const

const limit = {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  default: 20,
  means: 'a whole number from 1 to 100',
  description: 'Maximum number of items.',
} as const

const cursor = {
  type: 'string',
  minLength: 1,
  maxLength: 1000,
  means: 'the next_cursor of an earlier page',
  description: 'next_cursor of the previous page.',
} as const

const kind = {
  type: 'string',
  enum: ['image', 'video'],
  means: 'image or video',
  description: 'Filter: only images, or only videos.',
} as const

const objectSchema = (required: readonly string[], properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  required,
  properties,
})

const taskOutput = objectSchema(['id', 'object', 'model', 'status', 'progress', 'amount'], {
  id: { type: 'string' },
  object: { type: 'string' },
  model: { type: 'string' },
  status: { type: 'string', enum: taskStatuses },
  progress: { type: 'integer', description: 'Percent.' },
  result_url: { type: 'string', description: 'Link to the result. It expires at expires_at.' },
  expires_at: { type: 'integer', description: 'Unix seconds.' },
  amount: { type: 'number', description: 'Credits.' },
  error: { type: ['string', 'null'] },
})

const listOutput = objectSchema(['items', 'has_more', 'next_cursor'], {
  items: { type: 'array', items: { type: 'object' } },
  has_more: { type: 'boolean' },
  next_cursor: { type: ['string', 'null'] },
})

const readAnnotations = { readOnlyHint: true, openWorldHint: false }

function generateTool(generatedKind: 'image' | 'video'): McpTool<McpGenerateArguments> {
  return {
    name: `generate_${generatedKind}`,
    title: `Generate ${generatedKind === 'image' ? 'an image' : 'a video'}`,
    description:
      `Generates ${generatedKind === 'image' ? 'an image' : 'a video'} and charges its price. Returns a task. A completed task has a ` +
      'link to the result, which expires. Otherwise, call get_task with the id of the task. To get the price first, call quote. ' +
      'If the response to a call was lost, repeat the call unchanged: it returns the same task and is charged once. To generate ' +
      'another result with the same arguments, pass a different idempotency_key.',
    scope: 'tasks:write',
    arguments: argumentsSchema<McpGenerateArguments>(
      {
        ...taskRequest,
        wait_seconds: waitSeconds(defaultWaitSeconds),
        idempotency_key: {
          type: 'string',
          minLength: idempotencyKeyHeader.minLength,
          maxLength: idempotencyKeyHeader.maxLength,
          pattern: idempotencyKeyHeader.pattern,
          means: idempotencyKeyHeader.means,
          description:
            'A unique key for this result. For 24 hours, calls with the same key return the same task and are charged once.',
        },
      },
      'model',
    ),
    output: taskOutput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  }
}

export interface McpListModelsArguments {
  kind?: 'image' | 'video'
  limit?: number
  cursor?: string
}

export interface McpListTasksArguments extends McpListModelsArguments {
  status?: TaskStatus
  model?: string
}

/** All tools, in the order of `tools/list`. */
export const mcpTools = {
  list_models: {
    name: 'list_models',
    title: 'List models',
    description: 'Lists the models that generate images and videos, with their prices.',
    scope: null,
    arguments: argumentsSchema<McpListModelsArguments>({ kind, limit, cursor }),
    output: listOutput,
    annotations: readAnnotations,
  } satisfies McpTool<McpListModelsArguments>,
  get_model: {
    name: 'get_model',
    title: 'Show a model',
    description: 'Shows a model with the JSON Schema of its parameters, its price, its limits and examples.',
    scope: null,
    arguments: argumentsSchema<Pick<McpTaskRequest, 'model'>>({ model: taskRequest.model }, 'model'),
    output: objectSchema(['id', 'parameters', 'price', 'available'], {
      id: { type: 'string' },
      parameters: { type: 'object' },
      price: { type: 'object' },
      available: { type: 'boolean' },
    }),
    annotations: readAnnotations,
  } satisfies McpTool<Pick<McpTaskRequest, 'model'>>,
  quote: {
    name: 'quote',
    title: 'Quote a price',
    description: 'Returns the price in credits that a generate tool would charge for these arguments. Does not start a task.',
    scope: 'tasks:read',
    arguments: argumentsSchema<McpTaskRequest>(taskRequest, 'model'),
    output: objectSchema(['model', 'amount', 'available', 'reason', 'parameters'], {
      model: { type: 'string' },
      amount: { type: 'number', description: 'Credits.' },
      available: { type: 'boolean' },
      reason: { type: ['string', 'null'] },
      parameters: { type: 'object' },
    }),
    annotations: readAnnotations,
  } satisfies McpTool<McpTaskRequest>,
  generate_image: generateTool('image'),
  generate_video: generateTool('video'),
  get_task: {
    name: 'get_task',
    title: 'Show a task',
    description: 'Shows the status of a task and, once it is completed, a fresh link to its result and a small preview.',
    scope: 'tasks:read',
    arguments: argumentsSchema<McpTaskArguments & { wait_seconds?: number }>({ id: taskId, wait_seconds: waitSeconds(0) }, 'id'),
    output: taskOutput,
    annotations: readAnnotations,
  } satisfies McpTool<McpTaskArguments & { wait_seconds?: number }>,
  list_tasks: {
    name: 'list_tasks',
    title: 'List tasks',
    description: "Lists the account's tasks, newest first.",
    scope: 'tasks:read',
    arguments: argumentsSchema<McpListTasksArguments>({
      status: {
        type: 'string',
        enum: taskStatuses,
        means: `one of ${taskStatuses.join(', ')}`,
        description: 'Only tasks in this status.',
      },
      model: { ...taskRequest.model, description: 'Only tasks of exactly this Model ID.' },
      kind,
      limit,
      cursor,
    }),
    output: listOutput,
    annotations: readAnnotations,
  } satisfies McpTool<McpListTasksArguments>,
  cancel_task: {
    name: 'cancel_task',
    title: 'Cancel a task',
    description: 'Cancels a queued or processing task. Its credits are returned.',
    scope: 'tasks:write',
    arguments: argumentsSchema<McpTaskArguments>({ id: taskId }, 'id'),
    output: taskOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  } satisfies McpTool<McpTaskArguments>,
  upload_asset: {
    name: 'upload_asset',
    title: 'Upload a file',
    description:
      'Stores an image, a video or sound for later tasks. Pass its public address or a data URI. To use the file in the ' +
      'parameters of a task, write asset:ID.',
    scope: 'tasks:write',
    arguments: assetImportBody,
    output: objectSchema(['id', 'content_type', 'size_bytes'], {
      id: { type: 'string', description: 'To use the file in the parameters of a task, write asset: followed by this id.' },
      content_type: { type: 'string' },
      size_bytes: { type: 'integer' },
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  } satisfies McpTool,
  get_balance: {
    name: 'get_balance',
    title: 'Show the balance',
    description: 'Shows the credits that the account can spend, and the credits held for unfinished tasks and requests.',
    scope: 'tasks:read',
    arguments: argumentsSchema<Record<string, never>>({}),
    output: objectSchema(['balance', 'held'], { balance: { type: 'number' }, held: { type: 'number' } }),
    annotations: readAnnotations,
  } satisfies McpTool<Record<string, never>>,
} as const

export type McpToolName = keyof typeof mcpTools
export { defaultWaitSeconds as mcpDefaultWaitSeconds }
