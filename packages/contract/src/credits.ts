import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { entryKinds } from './parameters.ts'

export const CreditsSchema = Type.Object(
  {
    object: Type.Literal('credits'),
    balance: Type.Number({ minimum: 0, description: 'Credits that can be spent: what is held is not among them.' }),
    held: Type.Number({ minimum: 0, description: 'Credits that queued and processing tasks have reserved.' }),
    expiring: Type.Array(
      Type.Object({
        amount: Type.Number({ exclusiveMinimum: 0, description: 'Credits.' }),
        expires_at: Type.Integer({ description: 'Unix seconds.' }),
      }),
      {
        description:
          'The part of the balance that expires, soonest first, which is also the order in which it is spent; at most 100.',
      },
    ),
  },
  { description: "The account's credits." },
)
export type Credits = Static<typeof CreditsSchema>

export const CreditEntrySchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('credit_entry'),
    kind: Type.Unsafe<(typeof entryKinds)[number]>({
      type: 'string',
      enum: entryKinds,
      description:
        '`grant`: credits were given. `hold`: a task was accepted. `settle`: it was completed, and what was held and not charged came ' +
        'back. `release`: it failed or was cancelled, and all of it came back. `adjust`: the operator has corrected the balance. ' +
        '`expire`: what was left of a grant was taken off.',
    }),
    amount: Type.Number({ description: 'Credits that it added to the balance; below 0: that it took.' }),
    held: Type.Number({ description: 'Credits that it added to what tasks hold; below 0: that it took.' }),
    balance_after: Type.Number({ minimum: 0, description: 'The balance once it was written.' }),
    task: nullable(Type.String({ description: 'The id of the task; null for entries of none.' })),
    note: nullable(Type.String({ description: 'What the operator has said of a grant or a correction.' })),
    expires_at: nullable(Type.Integer({ description: 'When what is left of a grant is taken off, Unix seconds; null: never.' })),
    created: Type.Integer({ description: 'When it was written, Unix seconds. No entry is older than the one before it.' }),
  },
  { description: "A line of an account's ledger; it never changes." },
)
export type CreditEntry = Static<typeof CreditEntrySchema>

export const CreditsCheckSchema = Type.Object(
  {
    object: Type.Literal('credits_check'),
    accounts: Type.Integer({ minimum: 0, description: 'Accounts whose balance was recomputed from their entries.' }),
    entries: Type.Integer({ minimum: 0, description: 'Entries of the ledger.' }),
    holds: Type.Integer({ minimum: 0, description: 'Queued and processing tasks, each with one hold.' }),
    differences: Type.Integer({ minimum: 0, description: 'How many figures disagree. 0: the books balance.' }),
    found: Type.Array(Type.String(), { description: 'The differences in words; at most 100.' }),
  },
  { description: 'What going through the books has found.' },
)
export type CreditsCheck = Static<typeof CreditsCheckSchema>
