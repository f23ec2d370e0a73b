import { Type, type Static } from 'typebox'

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
  { description: "The account's credits. An addition of Framegate." },
)
export type Credits = Static<typeof CreditsSchema>

export const CreditsCheckSchema = Type.Object(
  {
    object: Type.Literal('credits_check'),
    accounts: Type.Integer({ minimum: 0, description: 'Accounts whose balance was recomputed from their entries.' }),
    entries: Type.Integer({ minimum: 0, description: 'Entries of the ledger.' }),
    holds: Type.Integer({ minimum: 0, description: 'Queued and processing tasks, each with one hold.' }),
    differences: Type.Integer({ minimum: 0, description: 'How many figures disagree. 0: the books balance.' }),
    found: Type.Array(Type.String(), { description: 'The differences in words; at most 100.' }),
  },
  { description: 'What going through the books has found. An addition of Framegate.' },
)
export type CreditsCheck = Static<typeof CreditsCheckSchema>
