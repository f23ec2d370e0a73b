import { Type, type Static } from 'typebox'
import { keyScopes } from './admin-key-requests.ts'
import { PriceSchema, type ShownPrice } from './model.ts'
import { nullable } from './nullable.ts'

const unixSeconds = (description: string) => Type.Integer({ description: `${description}, Unix seconds.` })

export const AccountSchema = Type.Object(
  {
    object: Type.Literal('account'),
    id: Type.String(),
    brand: Type.String({ description: 'The id of the brand of the account.' }),
    brand_name: Type.String({ description: 'The name of the brand of the account.' }),
    name: Type.String(),
    status: Type.Unsafe<'active' | 'suspended' | 'closed'>({ type: 'string', enum: ['active', 'suspended', 'closed'] }),
    balance: Type.Number({ minimum: 0, description: 'Credits available for tasks.' }),
    held: Type.Number({
      minimum: 0,
      description: 'Credits reserved by unfinished tasks, and by open requests for token models, such as chats.',
    }),
    tasks_in_flight_max: nullable(Type.Integer()),
    credits_in_flight_max: nullable(Type.Number()),
    requests_per_minute_max: nullable(
      Type.Integer({ description: 'Maximum requests per minute for models that are priced by tokens. Null: no limit.' }),
    ),
    tokens_per_minute_max: nullable(
      Type.Integer({
        description: 'Maximum tokens per minute, over requests for models that are priced by tokens. Null: no limit.',
      }),
    ),
    over_limit: Type.Unsafe<'refuse' | 'wait'>({ type: 'string', enum: ['refuse', 'wait'] }),
    created: unixSeconds('Time of creation'),
  },
  { description: 'An account of a brand, with a balance and API keys.' },
)
export type Account = Static<typeof AccountSchema>

export const BrandSchema = Type.Object(
  {
    object: Type.Literal('brand'),
    id: Type.String(),
    name: Type.String(),
    is_default: Type.Boolean({ description: 'Whether the brand serves all hosts that belong to no brand.' }),
    hosts: Type.Array(Type.String()),
    result_origin: nullable(Type.String()),
    color: nullable(Type.String({ description: 'Color as `#rrggbb`.' })),
    logo: nullable(Type.String({ description: 'SHA-256 of the uploaded logo file, as `sha256:` and 64 hex digits.' })),
    models: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Model ID.' }),
        visibility: Type.Unsafe<'hidden' | 'visible' | 'invocable' | null>({ enum: ['hidden', 'visible', 'invocable', null] }),
        title: nullable(Type.String()),
      }),
      { description: 'Models that have settings in this brand.' },
    ),
    other_models: Type.Unsafe<'catalogue' | 'hidden'>({ type: 'string', enum: ['catalogue', 'hidden'] }),
    tasks_in_flight_max: nullable(Type.Integer()),
    credits_in_flight_max: nullable(Type.Number()),
    prompt_retention_days: nullable(
      Type.Integer({
        minimum: 1,
        description: 'Days for which prompts and inputs are kept after the end of their tasks. Null: as long as results.',
      }),
    ),
    created: unixSeconds('Time of creation'),
  },
  { description: 'A brand: a white-label storefront, selected by host name.' },
)
export type AdminBrand = Static<typeof BrandSchema>

export const BrandModelSchema = Type.Object(
  {
    object: Type.Literal('brand_model'),
    brand: Type.String({ description: 'The id of the brand.' }),
    model: Type.String({ description: 'Model ID.' }),
    visibility: Type.Unsafe<'hidden' | 'visible' | 'invocable'>({ type: 'string', enum: ['hidden', 'visible', 'invocable'] }),
    title: Type.String({ description: 'Title of the model in this brand.' }),
    own_visibility: Type.Unsafe<'hidden' | 'visible' | 'invocable' | null>({
      enum: ['hidden', 'visible', 'invocable', null],
      description:
        'Visibility that the brand sets for this model. Null: the model has the visibility of the catalogue, or is hidden if `other_models` of the brand is `hidden`.',
    }),
    own_title: nullable(Type.String({ description: 'Title that the brand sets. Null: the title of the catalogue applies.' })),
    price: Type.Unsafe<ShownPrice | null>({
      anyOf: [PriceSchema, { type: 'null' }],
      description: 'The price. Null: the model has no price yet, and clients cannot use it.',
    }),
    price_from: Type.Unsafe<'brand' | 'all' | 'catalogue'>({
      type: 'string',
      enum: ['brand', 'all', 'catalogue'],
      description:
        'Where the price is set: for the brand, for all accounts, or in the catalogue. If an account has its own price, that price applies instead.',
    }),
  },
  { description: 'A model as the brand shows it to clients. Hidden models are included.' },
)
export type AdminBrandModel = Static<typeof BrandModelSchema>

export const GrantSchema = Type.Object(
  {
    object: Type.Literal('grant'),
    account: Type.String({ description: 'The id of the account.' }),
    reference: Type.String({ description: 'Unique text that the operator chose for the grant, such as an invoice number.' }),
    amount: Type.Number({ description: 'Granted credits.' }),
    note: nullable(Type.String()),
    created: unixSeconds('Time of creation'),
    expires_at: nullable(unixSeconds('Expiry, at which unspent credits are removed')),
  },
  { description: 'Credits that an operator has granted to an account.' },
)
export type AdminGrant = Static<typeof GrantSchema>

const keyFields = {
  object: Type.Literal('api_key'),
  id: Type.String(),
  account: Type.String({ description: 'The id of the account.' }),
  account_name: Type.String({ description: 'The name of the account.' }),
  name: Type.String(),
  scopes: Type.Array(Type.Unsafe<(typeof keyScopes)[number]>({ type: 'string', enum: keyScopes })),
  models: nullable(Type.Array(Type.String())),
  requests_per_second_max: nullable(Type.Integer()),
  requests_per_minute_max: nullable(
    Type.Integer({ description: 'Maximum requests per minute for models that are priced by tokens. Null: no limit.' }),
  ),
  tokens_per_minute_max: nullable(
    Type.Integer({
      description: 'Maximum tokens per minute, over requests for models that are priced by tokens. Null: no limit.',
    }),
  ),
  tasks_in_flight_max: nullable(Type.Integer()),
  credits_in_flight_max: nullable(Type.Number()),
  spent_per_day_max: nullable(Type.Number()),
  spent_per_month_max: nullable(Type.Number()),
  created: unixSeconds('Time of creation'),
  expires_at: nullable(unixSeconds('Expiry')),
  revoked_at: nullable(unixSeconds('Time of revocation')),
  last_used_at: nullable(unixSeconds('Time of the last request with the key, accurate to about ten seconds')),
}

export const ApiKeySchema = Type.Object(keyFields, { description: 'An API key, without its secret.' })
export type ApiKey = Static<typeof ApiKeySchema>

export const IssuedKeySchema = Type.Object(
  {
    ...keyFields,
    key: Type.String({ description: 'The secret. Only this response contains it; the service does not store it.' }),
  },
  { description: 'An API key with a new secret.' },
)
export type IssuedApiKey = Static<typeof IssuedKeySchema>

export const AuditEntrySchema = Type.Object(
  {
    object: Type.Literal('audit_entry'),
    at: unixSeconds('Time of the change'),
    key: nullable(Type.String({ description: 'The id of the API key that made the change.' })),
    key_name: Type.Optional(nullable(Type.String({ description: 'The current name of this key.' }))),
    action: Type.String({ description: 'Kind of change, such as `account.change`.' }),
    target: Type.String({ description: 'The id of the changed object.' }),
    target_name: Type.Optional(
      nullable(
        Type.String({
          description: 'The current name of a changed brand, account or key. Null for objects without such a name.',
        }),
      ),
    ),
    before: Type.Unknown({ description: 'State before the change. Null if the object did not exist.' }),
    after: Type.Unknown({
      description:
        'The object after the change, or only the fields that the request set. Null if the object was removed, or if the action sets no fields.',
    }),
  },
  { description: 'A change made by an operator.' },
)
export type AuditEntry = Static<typeof AuditEntrySchema>
