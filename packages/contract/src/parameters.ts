import { taskStatuses } from './status.ts'

/**
 * Query parameters and headers of requests as JSON Schema. The server validates requests with these
 * very schemas, and the OpenAPI document shows them. They are plain values because every start of
 * the service needs them.
 */
export type WireParameter =
  | { type: 'integer'; minimum: number; maximum: number; default?: number; description: string }
  | { type: 'string'; enum: readonly string[]; description: string }
  | { type: 'string'; minLength: number; maxLength?: number; description: string }
  /** `means` ends the sentence that tells a client what the value must be. */
  | { type: 'string'; minLength?: number; maxLength?: number; pattern: string; means: string; description: string }

export const taskObjects = ['image', 'video'] as const

/** `task_` and a UUIDv7 without dashes. */
export const taskIdPattern = '^task_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$'

const taskId = (description: string) =>
  ({ type: 'string', pattern: taskIdPattern, means: 'the id of a task', description }) as const satisfies WireParameter

const unixSecondsMax = 99_999_999_999

const object = {
  type: 'string',
  enum: taskObjects,
  description: 'Only what makes images, or only what makes videos.',
} as const satisfies WireParameter

/** Parameters of every list. */
const page = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many items a page has at most.' },
  cursor: {
    type: 'string',
    minLength: 1,
    description: 'Where the page begins: `next_cursor` of the page before. The first page needs none.',
  },
} as const satisfies Record<string, WireParameter>

/** Length of the prompt excerpt in a list, in Unicode code points. */
export const promptExcerptCharacters = 100

const taskFilterParameters = {
  status: { type: 'string', enum: taskStatuses, description: 'Only tasks in this status.' },
  model: { type: 'string', minLength: 1, description: 'Only tasks of this Model ID, byte for byte.' },
  object,
  created_after: {
    type: 'integer',
    minimum: 0,
    maximum: unixSecondsMax,
    description: 'Only tasks accepted in this second or later, Unix seconds.',
  },
  created_before: {
    type: 'integer',
    minimum: 0,
    maximum: unixSecondsMax,
    description: 'Only tasks accepted before this second, Unix seconds.',
  },
} as const satisfies Record<string, WireParameter>

export const taskListParameters = {
  ...page,
  ...taskFilterParameters,
  view: {
    type: 'string',
    enum: ['full'],
    description: '`full`: each task as a query shows it, with `parameters`. Left out: with the beginning of its prompt instead.',
  },
} as const satisfies Record<string, WireParameter>

export const taskDeletionParameters = {
  limit: { ...page.limit, default: 100, description: 'How many tasks a request deletes at most.' },
  cursor: {
    ...page.cursor,
    description:
      'Where the deletion goes on: `next_cursor` of the request before. Without it the next request looks at all tasks again.',
  },
  ...taskFilterParameters,
  all: { type: 'string', enum: ['true'], description: '`true`: every task, where no filter is given. A filter needs none.' },
} as const satisfies Record<string, WireParameter>

export const entryKinds = ['grant', 'hold', 'settle', 'release', 'adjust', 'expire'] as const

/** Filters for the entries of an account's ledger. */
export const entryFilterParameters = {
  kind: { type: 'string', enum: entryKinds, description: 'Only entries of this kind.' },
  task: taskId('Only entries of the task with this id.'),
  created_after: {
    type: 'integer',
    minimum: 0,
    maximum: unixSecondsMax,
    description: 'Only entries written in this second or later, Unix seconds.',
  },
  created_before: {
    type: 'integer',
    minimum: 0,
    maximum: unixSecondsMax,
    description: 'Only entries written before this second, Unix seconds.',
  },
} as const satisfies Record<string, WireParameter>

export const entryListParameters = { ...page, ...entryFilterParameters } as const satisfies Record<string, WireParameter>

/**
 * The older way to request CSV. The path that ends in `.csv` has replaced it, and the OpenAPI
 * document does not list it.
 */
export const formatParameter = {
  format: { type: 'string', enum: ['json', 'csv'], description: '`csv` for a spreadsheet. Left out: as `Accept` says.' },
} as const satisfies Record<string, WireParameter>

export const modelListParameters = { ...page, object } as const satisfies Record<string, WireParameter>

export const assetListParameters = page

/** Parameters of lists that only operators see. */
export const adminListParameters = page

export const priceStates = ['current', 'later', 'replaced'] as const
export type PriceState = (typeof priceStates)[number]

/** Why an operator must review an attempt. */
export const unresolvedReasons = ['lost_reply', 'unusable_result', 'overdue', 'late'] as const
export type UnresolvedReason = (typeof unresolvedReasons)[number]

export const attemptListParameters = {
  ...page,
  unresolved: {
    type: 'string',
    enum: ['true'],
    description: '`true`: only attempts that somebody has to look at, until they are resolved. Left out: all.',
  },
  reason: { type: 'string', enum: unresolvedReasons, description: 'Only attempts that had to be looked at for this.' },
  task: taskId('Only attempts at the task with this id.'),
} as const satisfies Record<string, WireParameter>

const modelId = { type: 'string', minLength: 1, description: 'The Model ID, byte for byte.' } as const satisfies WireParameter

const idOf = (description: string) => ({ type: 'string', minLength: 1, description }) as const satisfies WireParameter

export const priceListParameters = {
  ...page,
  model: { ...modelId, description: 'Only prices of this Model ID, byte for byte.' },
  brand: idOf('Only prices of the brand with this id.'),
  account: idOf('Only prices of the account with this id.'),
  state: { type: 'string', enum: priceStates, description: 'Only prices in this state.' },
} as const satisfies Record<string, WireParameter>

export const priceInForceParameters = {
  model: modelId,
  brand: idOf('What it costs the accounts of the brand with this id.'),
  account: idOf('What it costs the account with this id.'),
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
  from: day('The first day, UTC, such as `2026-01-15`. Left out: 30 days with the last one.'),
  until: day('The last day, UTC. Left out: today. At most 366 days.'),
  by: {
    type: 'string',
    pattern: dimensionList(usageDimensions),
    means: `a list of ${usageDimensions.join(', ')}, such as day,model`,
    description: 'What to tell apart: `day`, `model`, `key`, or several with commas. Left out: `day`.',
  },
} as const satisfies Record<string, WireParameter>

export const usageOfAllParameters = {
  from: day('The first day, UTC, such as `2026-01-15`. Left out: 30 days with the last one.'),
  to: day('The last day, UTC. Left out: today. At most 366 days.'),
  by: {
    type: 'string',
    pattern: dimensionList(usageOfAllDimensions),
    means: `a list of ${usageOfAllDimensions.join(', ')}, such as account,model`,
    description: `What to tell apart: ${usageOfAllDimensions.map((dimension) => `\`${dimension}\``).join(', ')}, or several with commas. Left out: \`day\`.`,
  },
  brand: idOf('Only accounts of the brand with this id.'),
  account: idOf('Only the account with this id.'),
  model: { ...modelId, description: 'Only tasks of this Model ID, byte for byte.' },
} as const satisfies Record<string, WireParameter>

export const waitParameter = {
  type: 'integer',
  minimum: 0,
  maximum: 60,
  default: 0,
  description:
    'Seconds to hold the answer: it comes as soon as the task ends, or when the time is up. One request instead of ten. ' +
    'With `If-None-Match` it comes as soon as `status` or `progress` changes. ' +
    'When too many requests are held already, the answer comes at once. Wins over `Prefer`.',
} as const satisfies WireParameter

export const idempotencyKeyHeader = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: String.raw`^[\x20-\x7e]+$`,
  means: '1 to 255 printable ASCII characters',
  description:
    'A name of your own for this request, 1 to 255 printable ASCII characters, kept for 24 hours for the account. The same key ' +
    'with the same model and parameters answers with the first task and `Idempotency-Replayed: true`, and costs nothing; ' +
    'with others it is refused with 409 `idempotency_key_reused`. The order of fields does not matter, defaults count as ' +
    'given, and both interfaces share the keys. So a request that got no answer can be sent again safely.',
} as const satisfies WireParameter
