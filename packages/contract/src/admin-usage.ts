import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'

const name = (description: string) => Type.Optional(nullable(Type.String({ description })))

const sums = {
  tasks: Type.Integer({ minimum: 0, description: 'Tasks that have ended.' }),
  completed: Type.Integer({ minimum: 0, description: 'Those that were completed.' }),
  failed: Type.Integer({ minimum: 0, description: 'Those that failed or were cancelled.' }),
  seconds: Type.Number({ minimum: 0, description: 'Seconds of produced video.' }),
  amount: Type.Number({ minimum: 0, description: 'Credits that the tasks were charged.' }),
  cost: nullable(
    Type.Number({
      minimum: 0,
      description: 'Credits that are known to be paid to upstreams, by the `cost` of the routes. Null: no cost is known.',
    }),
  ),
  cost_unknown: Type.Integer({ minimum: 0, description: 'Jobs at upstreams whose cost is not known.' }),
  margin: nullable(
    Type.Number({
      description:
        '`amount` without `cost`, credits. While `cost_unknown` is not 0, the true margin is at most this. Null: no cost is known.',
    }),
  ),
  corrections: Type.Number({
    description:
      'Credits that corrections have moved on balances: positive given, negative taken. They belong to an account and a day alone, ' +
      'and are part of neither `amount` nor `margin`.',
  }),
}

const UsageItemSchema = Type.Object({
  day: Type.Optional(Type.String({ description: 'The day on which the tasks were accepted, UTC, such as `2026-01-15`.' })),
  account: Type.Optional(Type.String({ description: 'The id of the account.' })),
  account_name: Type.Optional(Type.String({ description: 'Its name.' })),
  brand: Type.Optional(Type.String({ description: 'The id of the brand that the account belongs to now.' })),
  brand_name: Type.Optional(Type.String({ description: 'Its name.' })),
  key: name('The id of the API key; null: none.'),
  key_name: name('Its name.'),
  model: name('Model ID; null: of corrections.'),
  route: name('The name of the route; null: the tasks ended while no route worked on them.'),
  upstream: name('The name of its upstream; `embedded`: it was made here.'),
  ...sums,
})

export const UsageOfAllSchema = Type.Object(
  {
    object: Type.Literal('usage_report'),
    from: Type.String({ description: 'The first day.' }),
    to: Type.String({ description: 'The last day.' }),
    items: Type.Array(UsageItemSchema, { description: 'Each with the names in `by`, and in their order.' }),
    total: Type.Object(sums),
  },
  { description: 'What ended tasks of all accounts have used, brought in and cost.' },
)
export type UsageOfAll = Static<typeof UsageOfAllSchema>
