import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { endedCounts, producedSums } from './usage.ts'

const optionalText = (description: string) => Type.Optional(nullable(Type.String({ description })))

const sums = {
  tasks: Type.Integer({ minimum: 0, description: 'Number of ended tasks and forwarded requests.' }),
  ...endedCounts,
  ...producedSums,
  amount: Type.Number({ minimum: 0, description: 'Credits charged for the tasks and forwarded requests.' }),
  cost: nullable(
    Type.Number({
      minimum: 0,
      description: 'Known cost of upstream jobs in credits, computed from the `cost` of their routes. Null: no cost is known.',
    }),
  ),
  cost_unknown: Type.Integer({ minimum: 0, description: 'Number of upstream jobs with an unknown cost.' }),
  margin: nullable(
    Type.Number({
      description: '`amount` minus `cost`, in credits. An upper bound while `cost_unknown` is not 0. Null: no cost is known.',
    }),
  ),
  corrections: Type.Number({
    description:
      'Sum of balance corrections in credits: positive if credits were added, negative if removed. Corrections have an account ' +
      'and a day, but no key, model or route. They are not part of `amount` or `margin`.',
  }),
}

const UsageItemSchema = Type.Object({
  day: Type.Optional(Type.String({ description: 'The day on which the tasks were accepted, UTC, such as `2026-01-15`.' })),
  account: Type.Optional(Type.String({ description: 'The id of the account.' })),
  account_name: Type.Optional(Type.String({ description: 'The name of the account.' })),
  brand: Type.Optional(Type.String({ description: 'The id of the current brand of the account.' })),
  brand_name: Type.Optional(Type.String({ description: 'The name of the brand.' })),
  key: optionalText('The id of the API key. Null for corrections, and for tasks without a recorded key.'),
  key_name: optionalText('The name of the API key.'),
  model: optionalText('Model ID. Null for corrections.'),
  route: optionalText('The name of the route. Null for corrections, and for tasks that ended while no attempt was running.'),
  upstream: optionalText(
    'The name of the upstream. `embedded`: the service rendered the results itself. Null if `route` is null.',
  ),
  ...sums,
})

export const UsageOfAllSchema = Type.Object(
  {
    object: Type.Literal('usage_report'),
    from: Type.String({ description: 'The first day.' }),
    to: Type.String({ description: 'The last day.' }),
    items: Type.Array(UsageItemSchema, {
      description: 'One item for each combination of values of the dimensions in `by`, sorted by these dimensions.',
    }),
    total: Type.Object(sums),
  },
  { description: 'Usage, revenue and cost of all accounts, from ended tasks and forwarded requests.' },
)
export type UsageOfAll = Static<typeof UsageOfAllSchema>
