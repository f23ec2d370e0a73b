import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { entryKinds } from './parameters.ts'

export const CreditsSchema = Type.Object(
  {
    object: Type.Literal('credits'),
    balance: Type.Number({ minimum: 0, description: 'Credits available for tasks. Held credits are not included.' }),
    held: Type.Number({ minimum: 0, description: 'Credits reserved by unfinished tasks and forwarded requests.' }),
    expiring: Type.Array(
      Type.Object({
        amount: Type.Number({ exclusiveMinimum: 0, description: 'Credits.' }),
        expires_at: Type.Integer({ description: 'Unix seconds.' }),
      }),
      {
        description: 'The parts of the balance that expire, soonest first, at most 100. Tasks spend them in this order.',
      },
    ),
  },
  { description: "The account's credits." },
)
export type Credits = Static<typeof CreditsSchema>

export const CreditRequestSchema = Type.Object({
  id: Type.String({ description: 'The `X-Request-Id` of the request.' }),
  model: Type.String({ description: 'Model ID.' }),
  input_tokens: Type.Integer({ minimum: 0, description: 'Input tokens, 0 until the request has ended.' }),
  cached_input_tokens: Type.Integer({
    minimum: 0,
    description: 'The part of the input tokens that the provider read from its cache.',
  }),
  output_tokens: Type.Integer({ minimum: 0, description: 'Output tokens.' }),
  estimated: Type.Boolean({ description: 'True: the provider reported no usage, and the token counts are estimates.' }),
})

export const CreditEntrySchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('credit_entry'),
    kind: Type.Unsafe<(typeof entryKinds)[number]>({
      type: 'string',
      enum: entryKinds,
      description:
        '`grant`: credits were given. `hold`: a task or forwarded request was accepted. `settle`: the task or request was ' +
        'charged, and the rest of the hold was returned. `release`: the task or request failed or was cancelled without a ' +
        'charge, and the whole hold was returned. `adjust`: the operator corrected the balance. `expire`: the unspent rest of a ' +
        'grant expired.',
    }),
    amount: Type.Number({ description: 'Change of the balance in credits. Negative if credits were removed.' }),
    held: Type.Number({ description: 'Change of the held credits. Negative if a hold ended.' }),
    balance_after: Type.Number({ minimum: 0, description: 'The balance after this entry.' }),
    task: nullable(Type.String({ description: 'The id of the task. Null for entries without a task.' })),
    request: Type.Unsafe<Static<typeof CreditRequestSchema> | null>({
      anyOf: [CreditRequestSchema, { type: 'null' }],
      description: 'The forwarded request that caused the entry. Null for other entries.',
    }),
    note: nullable(Type.String({ description: 'Note of the operator on a grant or a correction.' })),
    expires_at: nullable(Type.Integer({ description: 'Expiry of a grant, Unix seconds. Null: never.' })),
    created: Type.Integer({ description: 'Time of the entry, Unix seconds. An entry is never older than the entry before it.' }),
  },
  { description: "An entry of an account's ledger. Entries never change." },
)
export type CreditEntry = Static<typeof CreditEntrySchema>

export const CreditsCheckSchema = Type.Object(
  {
    object: Type.Literal('credits_check'),
    accounts: Type.Integer({ minimum: 0, description: 'Number of accounts whose balance was recomputed from their entries.' }),
    entries: Type.Integer({ minimum: 0, description: 'Number of ledger entries.' }),
    holds: Type.Integer({ minimum: 0, description: 'Number of unfinished tasks and forwarded requests, each with one hold.' }),
    differences: Type.Integer({ minimum: 0, description: 'Number of differences. 0: the ledger balances.' }),
    found: Type.Array(Type.String(), { description: 'Descriptions of the differences, at most 100.' }),
  },
  { description: 'Result of a ledger check.' },
)
export type CreditsCheck = Static<typeof CreditsCheckSchema>
