import { Type, type Static } from 'typebox'
import { keyScopes } from './admin-requests.ts'
import { PriceSchema } from './model.ts'
import { nullable } from './nullable.ts'

const unixSeconds = (description: string) => Type.Integer({ description: `${description}, Unix seconds.` })

export const AccountSchema = Type.Object(
  {
    object: Type.Literal('account'),
    id: Type.String(),
    brand: Type.String({ description: 'The id of its brand.' }),
    brand_name: Type.String({ description: 'The name of its brand.' }),
    name: Type.String(),
    status: Type.Unsafe<'active' | 'suspended' | 'closed'>({ type: 'string', enum: ['active', 'suspended', 'closed'] }),
    balance: Type.Number({ minimum: 0, description: 'Credits that can be spent.' }),
    held: Type.Number({ minimum: 0, description: 'Credits that queued and processing tasks have reserved.' }),
    tasks_in_flight_max: nullable(Type.Integer()),
    credits_in_flight_max: nullable(Type.Number()),
    over_limit: Type.Unsafe<'refuse' | 'wait'>({ type: 'string', enum: ['refuse', 'wait'] }),
    created: unixSeconds('When it was made'),
  },
  { description: 'An account: it belongs to one brand, holds credits and has API keys.' },
)
export type Account = Static<typeof AccountSchema>

export const BrandSchema = Type.Object(
  {
    object: Type.Literal('brand'),
    id: Type.String(),
    name: Type.String(),
    is_default: Type.Boolean({ description: 'Whether it answers on every host that belongs to no brand.' }),
    hosts: Type.Array(Type.String()),
    result_origin: nullable(Type.String()),
    color: nullable(Type.String({ description: 'As `#rrggbb`.' })),
    logo: nullable(Type.String({ description: 'The digest of the file that it was made of, as `sha256:` and 64 hex digits.' })),
    models: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Model ID.' }),
        visibility: Type.Unsafe<'hidden' | 'visible' | 'invocable' | null>({ enum: ['hidden', 'visible', 'invocable', null] }),
        title: nullable(Type.String()),
      }),
      { description: 'What it says of single models otherwise than the catalogue.' },
    ),
    other_models: Type.Unsafe<'catalogue' | 'hidden'>({ type: 'string', enum: ['catalogue', 'hidden'] }),
    tasks_in_flight_max: nullable(Type.Integer()),
    credits_in_flight_max: nullable(Type.Number()),
    prompt_retention_days: nullable(
      Type.Integer({
        minimum: 1,
        description: 'Days that prompts are kept after their tasks have ended. Null: as long as results.',
      }),
    ),
    created: unixSeconds('When it was made'),
  },
  { description: "A brand: a domain's shop window." },
)
export type AdminBrand = Static<typeof BrandSchema>

export const BrandModelSchema = Type.Object(
  {
    object: Type.Literal('brand_model'),
    brand: Type.String({ description: 'The id of the brand.' }),
    model: Type.String({ description: 'Model ID.' }),
    visibility: Type.Unsafe<'hidden' | 'visible' | 'invocable'>({ type: 'string', enum: ['hidden', 'visible', 'invocable'] }),
    title: Type.String({ description: 'What it is called there.' }),
    own_visibility: Type.Unsafe<'hidden' | 'visible' | 'invocable' | null>({
      enum: ['hidden', 'visible', 'invocable', null],
      description: 'What the brand says itself; null: it is as in the catalogue, or as the other models of the brand.',
    }),
    own_title: nullable(Type.String({ description: 'What the brand says itself; null: the title of the catalogue.' })),
    price: PriceSchema,
    price_from: Type.Unsafe<'brand' | 'all' | 'catalogue'>({
      type: 'string',
      enum: ['brand', 'all', 'catalogue'],
      description: 'Whose price that is. An account may have its own.',
    }),
  },
  { description: 'A model as a brand shows it, hidden ones too.' },
)
export type AdminBrandModel = Static<typeof BrandModelSchema>

export const GrantSchema = Type.Object(
  {
    object: Type.Literal('grant'),
    account: Type.String({ description: 'The id of its account.' }),
    reference: Type.String(),
    amount: Type.Number({ description: 'Credits that were granted.' }),
    note: nullable(Type.String()),
    created: unixSeconds('When it was made'),
    expires_at: nullable(unixSeconds('When what is left of it is taken off')),
  },
  { description: 'Credits that were granted under a reference.' },
)
export type AdminGrant = Static<typeof GrantSchema>

const keyFields = {
  object: Type.Literal('api_key'),
  id: Type.String(),
  account: Type.String({ description: 'The id of its account.' }),
  account_name: Type.String({ description: 'The name of its account.' }),
  name: Type.String(),
  scopes: Type.Array(Type.Unsafe<(typeof keyScopes)[number]>({ type: 'string', enum: keyScopes })),
  models: nullable(Type.Array(Type.String())),
  requests_per_second_max: nullable(Type.Integer()),
  tasks_in_flight_max: nullable(Type.Integer()),
  credits_in_flight_max: nullable(Type.Number()),
  spent_per_day_max: nullable(Type.Number()),
  spent_per_month_max: nullable(Type.Number()),
  created: unixSeconds('When it was made'),
  expires_at: nullable(unixSeconds('When it stops working')),
  revoked_at: nullable(unixSeconds('When it was revoked')),
  last_used_at: nullable(unixSeconds('When a request last came with it, to about ten seconds')),
}

export const ApiKeySchema = Type.Object(keyFields, { description: 'An API key, without its secret.' })
export type ApiKey = Static<typeof ApiKeySchema>

export const IssuedKeySchema = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The secret. It is shown this once and stored nowhere.' }) },
  { description: 'An API key with a new secret.' },
)
export type IssuedApiKey = Static<typeof IssuedKeySchema>

export const AuditEntrySchema = Type.Object(
  {
    object: Type.Literal('audit_entry'),
    at: unixSeconds('When'),
    key: nullable(Type.String({ description: 'The id of the key that asked for it.' })),
    action: Type.String({ description: 'Such as `account.change`.' }),
    target: Type.String({ description: 'The id of what was changed.' }),
    before: Type.Unknown({ description: 'What it was; null when it was not there.' }),
    after: Type.Unknown({ description: 'What it became, or what was asked for; null when it is gone.' }),
  },
  { description: 'One change that an operator has made.' },
)
export type AuditEntry = Static<typeof AuditEntrySchema>
