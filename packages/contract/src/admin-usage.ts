import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'

const name = (description: string) => Type.Optional(nullable(Type.String({ description })))

const sums = {
  tasks: Type.Integer({ minimum: 0, description: 'Tasks that have ended.' }),
  completed: Type.Integer({ minimum: 0, description: 'Tasks that completed.' }),
  failed: Type.Integer({ minimum: 0, description: 'Tasks that failed or were cancelled.' }),
  seconds: Type.Number({ minimum: 0, description: 'Seconds of produced video.' }),
  input_tokens: Type.Integer({ minimum: 0, description: 'Tokens of requests for models that are priced by tokens.' }),
  cached_input_tokens: Type.Integer({ minimum: 0, description: 'The part of them that providers had in their caches.' }),
  output_tokens: Type.Integer({ minimum: 0, description: 'Tokens of the responses.' }),
  amount: Type.Number({ minimum: 0, description: 'Credits charged for the tasks.' }),
  cost: nullable(
    Type.Number({
      minimum: 0,
      description: 'Known cost of upstream jobs in credits, by the `cost` of their routes. Null: no cost is known.',
    }),
  ),
  cost_unknown: Type.Integer({ minimum: 0, description: 'Number of upstream jobs with an unknown cost.' }),
  margin: nullable(
    Type.Number({
      description:
        '`amount` minus `cost`, in credits. While `cost_unknown` is not 0, the true margin is at most this. Null: no cost is known.',
    }),
  ),
  corrections: Type.Number({
    description:
      'Sum of balance corrections in credits: positive if added, negative if removed. Corrections belong only to an account ' +
      'and a day. They are not part of `amount` or `margin`.',
  }),
}

const UsageItemSchema = Type.Object({
  day: Type.Optional(Type.String({ description: 'The day on which the tasks were accepted, UTC, such as `2026-01-15`.' })),
  account: Type.Optional(Type.String({ description: 'The id of the account.' })),
  account_name: Type.Optional(Type.String({ description: 'Its name.' })),
  brand: Type.Optional(Type.String({ description: 'The id of the brand that the account belongs to now.' })),
  brand_name: Type.Optional(Type.String({ description: 'Its name.' })),
  key: name('The id of the API key. Null: none.'),
  key_name: name('Its name.'),
  model: name('Model ID. Null for corrections.'),
  route: name('The name of the route. Null: the tasks ended while no route worked on them.'),
  upstream: name('The name of its upstream. `embedded`: the service rendered the results itself.'),
  ...sums,
})

export const UsageOfAllSchema = Type.Object(
  {
    object: Type.Literal('usage_report'),
    from: Type.String({ description: 'The first day.' }),
    to: Type.String({ description: 'The last day.' }),
    items: Type.Array(UsageItemSchema, { description: 'One item for each combination of the names in `by`, in their order.' }),
    total: Type.Object(sums),
  },
  { description: 'Usage, revenue and cost of ended tasks of all accounts.' },
)
export type UsageOfAll = Static<typeof UsageOfAllSchema>
