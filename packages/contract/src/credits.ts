import { Type, type Static } from 'typebox'

export const CreditsSchema = Type.Object(
  {
    object: Type.Literal('credits'),
    balance: Type.Number({ minimum: 0, description: 'Credits that can be spent: what is held is not among them.' }),
    held: Type.Number({ minimum: 0, description: 'Credits that queued and processing tasks have reserved.' }),
  },
  { description: "The account's credits. An addition of Framegate." },
)
export type Credits = Static<typeof CreditsSchema>
