import { Type, type Static } from 'typebox'

export const HeldTaskSchema = Type.Object(
  {
    object: Type.Literal('held_task'),
    id: Type.String({ description: 'The id of the task.' }),
    account: Type.String({ description: 'The id of its account.' }),
    account_name: Type.String({ description: 'The name of that account.' }),
    model: Type.String({ description: 'Model ID.' }),
    created: Type.Integer({ description: 'Time of its acceptance, Unix seconds.' }),
    amount: Type.Number({ minimum: 0, description: 'Credits held for it.' }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts that the restored copy contains.' }),
  },
  { description: 'A task of a restored copy. It waits for the decision of an operator.' },
)
export type HeldTaskView = Static<typeof HeldTaskSchema>
