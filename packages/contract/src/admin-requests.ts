/**
 * A request body as JSON Schema. The server validates requests with these schemas, and the OpenAPI
 * document contains them. They are plain objects, because every start of the service loads them,
 * and TypeBox would slow it down. Credits are decimal numbers.
 */
export interface RequestBodySchema<Body = unknown> {
  /** Never set at run time. It only carries the type of a valid body. */
  readonly passes?: Body
  type: 'object'
  additionalProperties: false
  required: readonly string[]
  properties: Readonly<Record<string, BodyFieldSchema>>
}

/** `means` completes the error message "FIELD must be …". */
export type BodyFieldSchema = Readonly<Record<string, unknown>> & { means: string; description: string }

export const keyScopes = ['tasks:write', 'tasks:read', 'webhooks:write', 'admin'] as const
export type KeyScope = (typeof keyScopes)[number]

export interface AccountCreateBody {
  name: string
  brand?: string
}

export interface AccountChangeBody {
  name?: string
  status?: 'active' | 'suspended' | 'closed'
  tasks_in_flight_max?: number | null
  credits_in_flight_max?: number | null
  requests_per_minute_max?: number | null
  tokens_per_minute_max?: number | null
  over_limit?: 'refuse' | 'wait'
}

export interface KeyBody {
  name?: string
  scopes?: KeyScope[]
  models?: string[] | null
  requests_per_second_max?: number | null
  requests_per_minute_max?: number | null
  tokens_per_minute_max?: number | null
  tasks_in_flight_max?: number | null
  credits_in_flight_max?: number | null
  spent_per_day_max?: number | null
  spent_per_month_max?: number | null
  expires_at?: number | null
}

export interface KeyCreateBody extends KeyBody {
  unique_name?: boolean
}

export interface KeyRotateBody {
  overlap_seconds?: number
}

export interface GrantBody {
  amount: number
  note?: string
  expires_at?: number
  reference?: string
}

export interface AdjustmentBody {
  amount: number
  note: string
}

export interface BrandCreateBody {
  name: string
  hosts?: string[]
  color?: string | null
  logo?: string | null
}

export interface BrandChangeBody {
  name?: string
  hosts?: string[]
  move_hosts?: boolean
  result_origin?: string | null
  color?: string | null
  logo?: string | null
  other_models?: 'catalogue' | 'hidden'
  tasks_in_flight_max?: number | null
  credits_in_flight_max?: number | null
  prompt_retention_days?: number | null
}

export interface BrandModelBody {
  model: string
  visibility?: 'hidden' | 'visible' | 'invocable' | null
  title?: string | null
}

export interface PriceBody {
  model: string
  brand?: string
  account?: string
  /** Not described by the schema. The service validates it with rules that depend on the model. */
  price: object | null
  effective_at?: number
  dry_run?: boolean
}

/** Resolutions that an operator may record for an unresolved attempt. */
export const attemptResolutions = [
  'was_not_started',
  'not_charged_upstream',
  'refunded_upstream',
  'charged_to_account',
  'accepted_loss',
] as const
export type AttemptResolution = (typeof attemptResolutions)[number]

/** Resolutions that the service itself may record for an unresolved attempt. */
export const serviceResolutions = ['never_started', 'ended_without_result'] as const
export type ServiceResolution = (typeof serviceResolutions)[number]

export interface AttemptResolveBody {
  resolution: AttemptResolution
  note?: string
}

const creditsMax = 1_000_000_000
/** One micro-credit, the unit of the ledger. */
const creditsMin = 0.000001
/**
 * The largest double below `creditsMin`. The schema of an adjustment excludes the values up to it
 * with `not`, because client generators do not support unions of numbers, and the docs page does
 * not support exclusive bounds inside `not`.
 */
const belowCreditsMin = 9.999999999999997e-7
/**
 * Maximum total of credits that an account can be granted. Up to this value, JSON numbers represent
 * sums exactly to the millionth.
 */
export const creditsGrantedMax = 8_000_000_000
const unixSecondsMax = 99_999_999_999
const countMax = 1_000_000
const tokensMax = 1_000_000_000
const promptRetentionDaysMax = 3_650

const name = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  means: 'a text of 1 to 100 characters',
  description: 'Display name.',
}

function limitField(type: 'integer' | 'number', maximum: number, description: string): BodyFieldSchema {
  const minimum = type === 'integer' ? 1 : creditsMin
  const number = type === 'integer' ? 'a whole number from 1' : 'a number from 0.000001'
  return {
    type: [type, 'null'],
    minimum,
    maximum,
    means: `${number} to ${maximum}, or null for no limit`,
    description: `${description} Null: no limit.`,
  }
}

const inFlight = {
  tasks_in_flight_max: limitField('integer', countMax, 'Maximum number of queued and processing tasks.'),
  credits_in_flight_max: limitField('number', creditsMax, 'Maximum total of credits held by queued and processing tasks.'),
}

const perMinute = {
  requests_per_minute_max: limitField('integer', countMax, 'Maximum requests per minute for models that are priced by tokens.'),
  tokens_per_minute_max: limitField(
    'integer',
    tokensMax,
    'Maximum tokens per minute, over requests for models that are priced by tokens.',
  ),
}

const keyFields = {
  scopes: {
    type: 'array',
    items: { type: 'string', enum: keyScopes },
    minItems: 1,
    maxItems: keyScopes.length,
    means: `a list of ${keyScopes.join(', ')}`,
    description: 'Permissions of the key. Default: `tasks:write` and `tasks:read`.',
  },
  models: {
    type: ['array', 'null'],
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    maxItems: 1000,
    uniqueItems: true,
    means: 'a list of Model IDs, or null for all models',
    description: 'The Model IDs that the key may invoke. Null: all models that the account may invoke.',
  },
  requests_per_second_max: limitField('integer', countMax, 'Maximum requests per second.'),
  ...perMinute,
  ...inFlight,
  spent_per_day_max: limitField('number', creditsMax, 'Maximum credits that the key may spend per day (UTC).'),
  spent_per_month_max: limitField('number', creditsMax, 'Maximum credits that the key may spend per month (UTC).'),
  expires_at: {
    type: ['integer', 'null'],
    minimum: 0,
    maximum: unixSecondsMax,
    means: 'Unix seconds, or null for never',
    description: 'Expiry of the key, Unix seconds. Null: never.',
  },
} as const

/** Maximum number of hosts of a brand. */
export const brandHostsMax = 100

const hosts = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 255 },
  maxItems: brandHostsMax,
  uniqueItems: true,
  means: 'a list of host names',
  description:
    'Host names without scheme, port and path. Requests to these hosts belong to this brand. The list replaces the existing ' +
    'list.',
}

/** Maximum size of a logo file in bytes. */
export const logoBytesMax = 512 * 1024

const appearanceFields = {
  color: {
    type: ['string', 'null'],
    pattern: '^#[0-9A-Fa-f]{6}$',
    means: 'a color of the form #rrggbb, or null',
    description: 'Color of the docs page and the watermark of the brand. Null: the default color.',
  },
  logo: {
    type: ['string', 'null'],
    minLength: 1,
    maxLength: 700_000,
    means: 'a data URI of an image of at most 512 KiB, or null',
    description:
      'Logo of the docs page and the watermark of the brand: a data URI of a JPEG, PNG, WebP, AVIF or GIF image of at most 512 ' +
      'KiB. The service scales it to at most 128 pixels on each side. Null: no logo.',
  },
}

export const brandCreateBody: RequestBodySchema<BrandCreateBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { ...name, description: 'Display name. A request with an existing name returns that brand, unchanged.' },
    hosts,
    ...appearanceFields,
  },
}

export const brandChangeBody: RequestBodySchema<BrandChangeBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    name,
    hosts,
    move_hosts: {
      type: 'boolean',
      means: 'true or false',
      description:
        'Whether hosts in the list that belong to other brands move to this brand, in the same change. Default: false, which ' +
        'rejects such hosts.',
    },
    result_origin: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 300,
      means: 'an origin such as https://media.example.com, or null',
      description: 'Origin of the result links of the brand. Null: the origin of the installation.',
    },
    ...appearanceFields,
    other_models: {
      type: 'string',
      enum: ['catalogue', 'hidden'],
      means: 'catalogue or hidden',
      description: 'Visibility of models that have no setting in this brand: as in the catalogue, or hidden.',
    },
    ...inFlight,
    prompt_retention_days: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: promptRetentionDaysMax,
      means: `a whole number of days from 1 to ${promptRetentionDaysMax}, or null`,
      description: 'Days for which prompts and inputs are kept after the end of their tasks. Null: as long as results.',
    },
  },
}

export const brandModelBody: RequestBodySchema<BrandModelBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['model'],
  properties: {
    model: { type: 'string', minLength: 1, means: 'a Model ID', description: 'The Model ID.' },
    visibility: {
      enum: ['hidden', 'visible', 'invocable', null],
      means: 'hidden, visible, invocable or null',
      description:
        '`hidden`: clients get the same responses as for a model that does not exist. `visible`: the model is listed, but ' +
        'submits for it are rejected. `invocable`: clients can use the model. Null: as in the catalogue.',
    },
    title: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 200,
      means: 'a text of 1 to 200 characters, or null',
      description: 'Title of the model in this brand. Null: as in the catalogue.',
    },
  },
}

export const accountCreateBody: RequestBodySchema<AccountCreateBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: {
      ...name,
      description: 'Display name, unique within the brand. A request with an existing name returns that account.',
    },
    brand: {
      type: 'string',
      minLength: 1,
      means: 'the id of a brand',
      description: 'The id of the brand of the account. Default: the default brand.',
    },
  },
}

export const accountChangeBody: RequestBodySchema<AccountChangeBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    name,
    status: {
      type: 'string',
      enum: ['active', 'suspended', 'closed'],
      means: 'active, suspended or closed',
      description:
        "`suspended`: requests with the account's keys are rejected. `closed`: the account's keys are permanently invalid.",
    },
    ...inFlight,
    ...perMinute,
    over_limit: {
      type: 'string',
      enum: ['refuse', 'wait'],
      means: 'refuse or wait',
      description:
        'What happens to a task that would exceed `tasks_in_flight_max` or `credits_in_flight_max`. `refuse`: the submit is ' +
        'rejected with 429. `wait`: the task is accepted and waits.',
    },
  },
}

export const keyCreateBody: RequestBodySchema<KeyCreateBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    name: { ...name, description: 'Display name. Default: `key`.' },
    unique_name: {
      type: 'boolean',
      means: 'true or false',
      description:
        'Whether the request is rejected with `conflict` if the account has a key of this name that is not revoked. Default: ' +
        'false.',
    },
    ...keyFields,
  },
}

export const keyChangeBody: RequestBodySchema<KeyBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: { name, ...keyFields },
}

export const keyRotateBody: RequestBodySchema<KeyRotateBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    overlap_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: 30 * 86_400,
      means: 'a whole number of seconds up to 2,592,000',
      description: 'Seconds for which the previous secrets remain valid. Default: one day.',
    },
  },
}

const note = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  means: 'a text of 1 to 200 characters',
  description: 'The reason. It is recorded in the ledger, which the account can read.',
}

export const grantBody: RequestBodySchema<GrantBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['amount'],
  properties: {
    amount: {
      type: 'number',
      minimum: creditsMin,
      maximum: creditsMax,
      means: `a number of credits from 0.000001 to ${creditsMax}`,
      description: `Credits to add, with at most six decimals. The total of all grants and corrections of an account is at most ${creditsGrantedMax} credits.`,
    },
    note,
    expires_at: {
      type: 'integer',
      minimum: 0,
      maximum: unixSecondsMax,
      means: 'Unix seconds',
      description: 'Expiry, Unix seconds. Unspent credits are removed at this time. Default: never.',
    },
    reference: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: String.raw`^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$`,
      // A client could not request such a grant, because URLs with these path segments are
      // normalized.
      not: { enum: ['.', '..'] },
      means: 'a text of 1 to 100 printable ASCII characters, but not . or ..',
      description:
        'A reference such as an invoice number. An account receives only one grant per reference, even if the request is ' +
        'repeated with another API key. Takes precedence over `Idempotency-Key`, which applies only to the requesting API key.',
    },
  },
}

export const adjustmentBody: RequestBodySchema<AdjustmentBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['amount', 'note'],
  properties: {
    amount: {
      type: 'number',
      not: { minimum: -belowCreditsMin, maximum: belowCreditsMin },
      minimum: -creditsMax,
      maximum: creditsMax,
      means: `a number of credits from 0.000001 to ${creditsMax}, or from -${creditsMax} to -0.000001`,
      description:
        'Credits to add, or to remove if negative, with at most six decimals. A correction that would make the balance ' +
        'negative is rejected.',
    },
    note,
  },
}

const priceOwnerId = (subject: string) => ({
  type: 'string',
  minLength: 1,
  means: `the id of ${subject}`,
  description: `The id of ${subject} to which the price applies. Without \`brand\` and \`account\`, the price applies to all accounts.`,
})

export const priceBody: RequestBodySchema<PriceBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['model', 'price'],
  properties: {
    model: { type: 'string', minLength: 1, means: 'a Model ID', description: 'The Model ID.' },
    brand: priceOwnerId('a brand'),
    account: priceOwnerId('an account'),
    price: {
      type: ['object', 'null'],
      means: 'an object such as {"unit": "second", "credits": {"720p": 0.1, "*": 0.2}}, or null',
      description: 'The price. Null: ends the current price, and the next broader price applies.',
    },
    effective_at: {
      type: 'integer',
      minimum: 0,
      maximum: unixSecondsMax,
      means: 'Unix seconds',
      description:
        'Time from which the price applies, Unix seconds. Default: now. A time in the past has the same effect as now. Tasks accepted ' +
        'earlier keep their price.',
    },
    dry_run: {
      type: 'boolean',
      means: 'true or false',
      description: 'True: validates the request and returns its effect without changing anything.',
    },
  },
}

export interface PriceSimulationBody {
  models: string[]
  brand?: string
  account?: string
  price: unknown
  from?: string
  to?: string
}

const simulatedDay = (description: string) =>
  ({
    type: 'string',
    pattern: String.raw`^\d{4}-\d\d-\d\d$`,
    means: 'a day such as 2026-01-15',
    description,
  }) as const

/** Maximum number of models of a price simulation. */
export const simulatedModelsMax = 20

export const priceSimulationBody: RequestBodySchema<PriceSimulationBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['models', 'price'],
  properties: {
    models: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      maxItems: simulatedModelsMax,
      means: `a list of 1 to ${simulatedModelsMax} Model IDs`,
      description: 'The Model IDs for which the price is simulated.',
    },
    brand: priceOwnerId('a brand'),
    account: priceOwnerId('an account'),
    price: {
      type: ['object', 'null'],
      means: 'an object such as {"unit": "second", "credits": {"720p": 0.1, "*": 0.2}}, or null',
      description: 'The price to simulate. Null: the next broader price applies.',
    },
    from: simulatedDay('The first day, UTC. Default: 29 days before the last day.'),
    to: simulatedDay('The last day, UTC. Default: today.'),
  },
}

export interface OperatorWebhookBody {
  enabled: boolean
}

export const operatorWebhookBody: RequestBodySchema<OperatorWebhookBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['enabled'],
  properties: {
    enabled: {
      type: 'boolean',
      means: 'true or false',
      description:
        'False: no events are sent, and the account cannot enable the webhook. True: deliveries resume, and the failure ' +
        'count is reset.',
    },
  },
}

export const attemptResolveBody: RequestBodySchema<AttemptResolveBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['resolution'],
  properties: {
    resolution: {
      type: 'string',
      enum: attemptResolutions,
      means: `one of ${attemptResolutions.join(', ')}`,
      description:
        '`was_not_started`: the upstream never accepted the job. `not_charged_upstream`: the upstream accepted the job and charges ' +
        'nothing. `refunded_upstream`: the upstream refunded the cost. `charged_to_account`: the client pays the cost through an ' +
        'adjustment. `accepted_loss`: the operator bears the cost.',
    },
    note: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      means: 'a text of 1 to 500 characters',
      description: "Note for the operator's own records.",
    },
  },
}
