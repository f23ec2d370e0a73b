import { eventTypes, webhookDeliveryStatuses } from './event-types.ts'
import { taskStatuses } from './status.ts'

/**
 * A query parameter or header as JSON Schema. The server validates requests with these schemas, and
 * the OpenAPI document contains them. They are plain objects, because every start of the service
 * loads them, and TypeBox would slow it down.
 */
export type WireParameter =
  /** `means` completes the error message "PARAMETER must be …". Default: the range. */
  | { type: 'integer'; minimum: number; maximum: number; default?: number; means?: string; description: string }
  | { type: 'string'; enum: readonly string[]; description: string }
  | { type: 'string'; minLength: number; maxLength?: number; description: string }
  | { type: 'string'; minLength?: number; maxLength?: number; pattern: string; means: string; description: string }

/**
 * Maximum number of results of a task. The service ignores any further files that an upstream
 * returns.
 */
export const resultsMax = 16

export const taskObjects = ['image', 'video', 'text'] as const
/** Kind of a task's result. */
export type TaskObject = (typeof taskObjects)[number]

/** Kind of result of a model that an operator defines or imports. */
export type MediaObject = Exclude<TaskObject, 'text'>

/** Maximum size of a produced text in bytes of UTF-8. */
export const textBytesMax = 64 * 1024

/** Kinds of token models. Requests for them are forwarded to an upstream and charged by tokens. */
export const tokenObjects = ['chat', 'embedding', 'moderation'] as const

export const modelTypes = [...taskObjects, ...tokenObjects] as const
/** Kinds of models that operators can define. */
export const definableTypes = ['image', 'video', ...tokenObjects] as const

/** `task_` and a UUIDv7 without dashes. */
export const taskIdPattern = '^task_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$'

const taskId = (description: string) =>
  ({ type: 'string', pattern: taskIdPattern, means: 'the id of a task', description }) as const satisfies WireParameter

const unixTime = (description: string) =>
  ({
    type: 'integer',
    minimum: 0,
    maximum: 99_999_999_999,
    means: 'a time in Unix seconds, such as 1768478400',
    description,
  }) as const satisfies WireParameter

const object = {
  type: 'string',
  enum: taskObjects,
  description: 'Only tasks whose result is of this kind.',
} as const satisfies WireParameter

/** Pagination parameters of every list. */
const page = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'Maximum number of items on a page.' },
  cursor: {
    type: 'string',
    minLength: 1,
    description: 'Position at which the page starts: `next_cursor` of the previous page. Omit it for the first page.',
  },
} as const satisfies Record<string, WireParameter>

/** Length of the prompt excerpt in a list, in Unicode code points. */
export const promptExcerptCharacters = 100

const taskFilterParameters = {
  status: { type: 'string', enum: taskStatuses, description: 'Only tasks in this status.' },
  model: { type: 'string', minLength: 1, description: 'Only tasks with exactly this Model ID.' },
  object,
  created_after: unixTime('Only tasks accepted at this time or later, Unix seconds.'),
  created_before: unixTime('Only tasks accepted before this time, Unix seconds.'),
} as const satisfies Record<string, WireParameter>

export const taskListParameters = {
  ...page,
  ...taskFilterParameters,
  q: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description:
      'Only tasks whose prompt contains all of these words, in any case and order. A request searches at most 2,000 tasks, so ' +
      'a page may have fewer than `limit` tasks, or none, while `has_more` is true.',
  },
  view: {
    type: 'string',
    enum: ['full'],
    description:
      '`full`: each task has `parameters`, as in the response of a query. Default: each task has only the beginning of its ' +
      'prompt.',
  },
} as const satisfies Record<string, WireParameter>

export const taskDeletionParameters = {
  limit: { ...page.limit, default: 100, description: 'Maximum number of tasks that a request deletes.' },
  cursor: {
    ...page.cursor,
    description:
      'Position at which the deletion continues: `next_cursor` of the previous request. Without a cursor, the request examines ' +
      'all tasks again.',
  },
  ...taskFilterParameters,
  all: { type: 'string', enum: ['true'], description: '`true`: deletes all tasks. Required if no filter is given.' },
} as const satisfies Record<string, WireParameter>

export const entryKinds = ['grant', 'hold', 'settle', 'release', 'adjust', 'expire'] as const

/** Filters for the entries of an account's ledger. */
export const entryFilterParameters = {
  kind: { type: 'string', enum: entryKinds, description: 'Only entries of this kind.' },
  task: taskId('Only entries of the task with this id.'),
  created_after: unixTime('Only entries written at this time or later, Unix seconds.'),
  created_before: unixTime('Only entries written before this time, Unix seconds.'),
} as const satisfies Record<string, WireParameter>

export const entryListParameters = { ...page, ...entryFilterParameters } as const satisfies Record<string, WireParameter>

/**
 * Deprecated way to request CSV. The OpenAPI document omits it, because the paths that end in
 * `.csv` replace it.
 */
export const formatParameter = {
  format: {
    type: 'string',
    enum: ['json', 'csv'],
    description: 'Format of the response. Default: the format that `Accept` requests.',
  },
} as const satisfies Record<string, WireParameter>

export const modelListParameters = {
  ...page,
  object: { type: 'string', enum: modelTypes, description: 'Only models of this kind.' },
} as const satisfies Record<string, WireParameter>

export const assetListParameters = page

export const webhookListParameters = page

export const webhookDeliveryListParameters = {
  ...page,
  status: { type: 'string', enum: webhookDeliveryStatuses, description: 'Only deliveries in this status.' },
  type: { type: 'string', enum: eventTypes, description: 'Only events of this type.' },
  task: taskId('Only events of the task with this id.'),
} as const satisfies Record<string, WireParameter>

/** Parameters of `GET /v1/videos`, as in OpenAI's API. */
export const videoListParameters = {
  limit: { type: 'integer', minimum: 0, maximum: 100, default: 20, description: 'Maximum number of videos on a page.' },
  after: { type: 'string', minLength: 1, description: 'Position at which the page starts: `last_id` of the previous page.' },
  order: {
    type: 'string',
    enum: ['asc', 'desc'],
    description: '`desc`: newest first. `asc`: oldest first. Default: `desc`.',
  },
} as const satisfies Record<string, WireParameter>

/** Small images that the service generates from a result. */
export const previewKinds = ['thumbnail', 'spritesheet'] as const
export type PreviewKind = (typeof previewKinds)[number]

export const videoContentParameters = {
  variant: {
    type: 'string',
    enum: ['video', ...previewKinds],
    description:
      '`video`: the video itself. `thumbnail`: an early frame as WebP, with at most 512 pixels on its longer side. ' +
      '`spritesheet`: one WebP image with 25 frames in 5 rows of 5, from left to right and from top to bottom. Frame `k`, ' +
      'counted from 0, is the frame at `(k + 0.5) / 25` of the length. Default: `video`.',
  },
} as const satisfies Record<string, WireParameter>

/** Parameters of lists in the operator's API. */
export const adminListParameters = page

export const priceStates = ['current', 'later', 'replaced'] as const
export type PriceState = (typeof priceStates)[number]

/** Reasons why an operator must review an attempt. */
export const unresolvedReasons = ['lost_reply', 'unusable_result', 'overdue', 'late'] as const
export type UnresolvedReason = (typeof unresolvedReasons)[number]

export const attemptListParameters = {
  ...page,
  unresolved: {
    type: 'string',
    enum: ['true'],
    description: '`true`: only attempts that an operator must still resolve. Default: all.',
  },
  reason: { type: 'string', enum: unresolvedReasons, description: 'Only attempts with this reason for a review.' },
  task: taskId('Only attempts of the task with this id.'),
} as const satisfies Record<string, WireParameter>

export const operatorWebhookListParameters = {
  ...page,
  failing: {
    type: 'string',
    enum: ['true'],
    description: '`true`: only addresses whose last delivery failed, or that the service has disabled. Default: all.',
  },
  account: { type: 'string', minLength: 1, description: 'Only addresses of the account with this id.' },
} as const satisfies Record<string, WireParameter>

export const logParameters = {
  ...page,
  after: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Only lines with a greater `no`.' },
  task: taskId('Only lines about the task with this id.'),
} as const satisfies Record<string, WireParameter>

const modelId = { type: 'string', minLength: 1, description: 'The exact Model ID.' } as const satisfies WireParameter

const idOf = (description: string) => ({ type: 'string', minLength: 1, description }) as const satisfies WireParameter

export const priceListParameters = {
  ...page,
  model: { ...modelId, description: 'Only prices of exactly this Model ID.' },
  brand: idOf('Only prices of the brand with this id.'),
  account: idOf('Only prices of the account with this id.'),
  state: { type: 'string', enum: priceStates, description: 'Only prices in this state.' },
} as const satisfies Record<string, WireParameter>

export const priceInForceParameters = {
  model: modelId,
  brand: idOf('Show the price for accounts of the brand with this id.'),
  account: idOf('Show the price for the account with this id.'),
} as const satisfies Record<string, WireParameter>

export const usageDimensions = ['day', 'model', 'key'] as const
export const usageOfAllDimensions = ['day', 'brand', 'account', 'key', 'model', 'route', 'upstream'] as const
export type UsageOfAllDimension = (typeof usageOfAllDimensions)[number]

const day = (description: string) =>
  ({
    type: 'string',
    pattern: String.raw`^\d{4}-\d\d-\d\d$`,
    means: 'a day such as 2026-01-15',
    description,
  }) as const satisfies WireParameter

const dimensionList = (dimensions: readonly string[]) => `^(${dimensions.join('|')})(,(${dimensions.join('|')}))*$`

export const usageParameters = {
  from: day('The first day, UTC, such as `2026-01-15`. Default: 29 days before the last day.'),
  until: day('The last day, UTC. Default: today. The period has at most 366 days.'),
  by: {
    type: 'string',
    pattern: dimensionList(usageDimensions),
    means: `a list of ${usageDimensions.join(', ')}, such as day,model`,
    description: 'Grouping: `day`, `model`, `key`, or several, separated by commas. Default: `day`.',
  },
} as const satisfies Record<string, WireParameter>

export const usageOfAllParameters = {
  from: day('The first day, UTC, such as `2026-01-15`. Default: 29 days before the last day.'),
  to: day('The last day, UTC. Default: today. The period has at most 366 days.'),
  by: {
    type: 'string',
    pattern: dimensionList(usageOfAllDimensions),
    means: `a list of ${usageOfAllDimensions.join(', ')}, such as account,model`,
    description:
      `Grouping: ${usageOfAllDimensions.map((dimension) => `\`${dimension}\``).join(', ')}, or several, separated by commas. ` +
      `Default: \`day\`.`,
  },
  brand: idOf('Only accounts of the brand with this id.'),
  account: idOf('Only the account with this id.'),
  model: { ...modelId, description: 'Only tasks with exactly this Model ID.' },
} as const satisfies Record<string, WireParameter>

export const waitParameter = {
  type: 'integer',
  minimum: 0,
  maximum: 60,
  default: 0,
  description:
    'Long polling: the service delays the response until the task ends, for at most this many seconds. One such request ' +
    'replaces ten polls. With `If-None-Match`, the response is sent as soon as `status` or `progress` changes. If too many ' +
    'requests are already waiting, the response is sent immediately. `wait` takes precedence over `Prefer`.',
} as const satisfies WireParameter

export const idempotencyKeyHeader = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: String.raw`^[\x20-\x7e]+$`,
  means: '1 to 255 printable ASCII characters',
  description:
    'A unique key that the client chooses for this request, 1 to 255 printable ASCII characters. With it, a request whose ' +
    'response was lost can be retried safely. The service stores the keys of an account for 24 hours. A request with the same ' +
    'key, model and parameters returns the first task with `Idempotency-Replayed: true`, and costs nothing. A request with the ' +
    'same key and other parameters, or with the key of a deleted task, is rejected with 409 `idempotency_key_reused`. For this ' +
    'comparison, the order of fields does not matter, and model parameters that the later request omits are not compared. The ' +
    'v1 and v2 APIs share the keys.',
} as const satisfies WireParameter
