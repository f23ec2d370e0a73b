import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'

const counts = {
  completed: Type.Integer({ minimum: 0, description: 'Tasks that were completed.' }),
  failed: Type.Integer({ minimum: 0, description: 'Tasks that failed or were cancelled.' }),
  charged: Type.Number({ minimum: 0, description: 'Credits.' }),
  seconds: Type.Number({ minimum: 0, description: 'Of produced video.' }),
}

const UsageRowSchema = Type.Object({
  day: Type.Optional(Type.String({ description: 'The day on which the tasks were accepted, UTC, such as `2026-01-15`.' })),
  model: Type.Optional(Type.String({ description: 'Model ID.' })),
  key: Type.Optional(nullable(Type.String({ description: 'The id of the API key; null for tasks that name none.' }))),
  ...counts,
})

export const UsageSchema = Type.Object(
  {
    object: Type.Literal('usage'),
    from: Type.String({ description: 'The first day.' }),
    until: Type.String({ description: 'The last day.' }),
    rows: Type.Array(UsageRowSchema, { description: 'In the order of what `by` names.' }),
    total: Type.Object(counts),
  },
  { description: 'What the ended tasks of the account have used.' },
)
export type UsageReport = Static<typeof UsageSchema>
