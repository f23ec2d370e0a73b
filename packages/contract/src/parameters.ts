import { taskStatuses } from './status.ts'

/**
 * What a request may say beside its body: query parameters and headers, as JSON Schema. The server reads requests by
 * these very schemas and the OpenAPI document shows them. Plain values, for every start of the service needs them.
 */
export type WireParameter =
  | { type: 'integer'; minimum: number; maximum: number; default?: number; description: string }
  | { type: 'string'; enum: readonly string[]; description: string }
  | { type: 'string'; minLength: number; maxLength?: number; pattern?: string; description: string }

export const taskObjects = ['image', 'video'] as const

const unixSecondsMax = 99_999_999_999

const object = {
  type: 'string',
  enum: taskObjects,
  description: 'Only what makes images, or only what makes videos.',
} as const satisfies WireParameter

/** Of every list. */
const page = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many items a page has at most.' },
  cursor: {
    type: 'string',
    minLength: 1,
    description: 'Where the page begins: `next_cursor` of the page before. The first page needs none.',
  },
} as const satisfies Record<string, WireParameter>

export const taskListParameters = {
  ...page,
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

export const entryKinds = ['grant', 'hold', 'settle', 'release', 'adjust', 'expire'] as const

/** Of an account's ledger. */
export const adminEntryParameters = {
  ...page,
  kind: { type: 'string', enum: entryKinds, description: 'Only entries of this kind.' },
  task: { type: 'string', minLength: 1, description: 'Only entries of the task with this id.' },
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

export const entryParameters = {
  ...adminEntryParameters,
  format: {
    type: 'string',
    enum: ['json', 'csv'],
    description:
      '`csv` for a spreadsheet: all entries that the filters let through, without pages, at most 10,000. Left out: `json`.',
  },
} as const satisfies Record<string, WireParameter>

export const modelListParameters = { ...page, object } as const satisfies Record<string, WireParameter>

export const assetListParameters = page

/** Of lists that only operators see. */
export const adminListParameters = page

export const priceStates = ['current', 'later', 'replaced'] as const
export type PriceState = (typeof priceStates)[number]

/** Why an operator has to look at an attempt. */
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
  task: { type: 'string', minLength: 1, description: 'Only attempts at the task with this id.' },
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

const day = (description: string) => ({ type: 'string', minLength: 1, description }) as const satisfies WireParameter

export const usageParameters = {
  from: day('The first day, UTC, such as `2026-01-15`. Left out: 30 days with the last one.'),
  until: day('The last day, UTC. Left out: today. At most 366 days.'),
  by: day('What to tell apart: `day`, `model`, `key`, or several with commas. Left out: `day`.'),
  format: { type: 'string', enum: ['json', 'csv'], description: '`csv` for a spreadsheet. Left out: `json`.' },
} as const satisfies Record<string, WireParameter>

export const waitParameter = {
  type: 'integer',
  minimum: 0,
  maximum: 60,
  default: 0,
  description:
    'Seconds to hold the answer: it comes as soon as the task ends, or when the time is up. One request instead of ten. ' +
    'When too many requests are held already, the answer comes at once. Wins over `Prefer`.',
} as const satisfies WireParameter

export const idempotencyKeyHeader = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: String.raw`^[\x20-\x7e]+$`,
  description:
    'A name of your own for this request, 1 to 255 printable ASCII characters, kept for 24 hours for the account. The same key ' +
    'with the same model and parameters answers with the first task and `Idempotency-Replayed: true`, and costs nothing; ' +
    'with others it is refused with 409 `idempotency_key_reused`. The order of fields does not matter, defaults count as ' +
    'given, and both interfaces share the keys. So a request that got no answer can be sent again safely.',
} as const satisfies WireParameter
