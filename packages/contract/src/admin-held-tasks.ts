import { Type, type Static } from 'typebox'

export const HeldTaskSchema = Type.Object(
  {
    object: Type.Literal('held_task'),
    id: Type.String({ description: 'The id of the task.' }),
    account: Type.String({ description: 'The id of the account that submitted the task.' }),
    account_name: Type.String({ description: 'The name of the account.' }),
    model: Type.String({ description: 'Model ID.' }),
    created: Type.Integer({ description: 'Time at which the task was accepted, Unix seconds.' }),
    amount: Type.Number({ minimum: 0, description: 'Credits held for the task.' }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts of the task in the restored copy.' }),
  },
  { description: 'A task in a restored copy that waits for the decision of an operator.' },
)
export type HeldTaskView = Static<typeof HeldTaskSchema>
