import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'

/** Numbers of ended tasks and requests, in the report of an account and in that of the operator. */
export const endedCounts = {
  completed: Type.Integer({ minimum: 0, description: 'Number of completed tasks and forwarded requests.' }),
  failed: Type.Integer({ minimum: 0, description: 'Number of tasks and forwarded requests that failed or were cancelled.' }),
}

/** Amounts of what was produced, in the report of an account and in that of the operator. */
export const producedSums = {
  seconds: Type.Number({ minimum: 0, description: 'Total length of produced videos in seconds.' }),
  input_tokens: Type.Integer({ minimum: 0, description: 'Input tokens of requests for models that are priced by tokens.' }),
  cached_input_tokens: Type.Integer({
    minimum: 0,
    description: 'The part of the input tokens that providers read from their caches.',
  }),
  output_tokens: Type.Integer({ minimum: 0, description: 'Output tokens of requests for models that are priced by tokens.' }),
}

const sums = {
  ...endedCounts,
  charged: Type.Number({ minimum: 0, description: 'Charged credits.' }),
  ...producedSums,
}

const UsageRowSchema = Type.Object({
  day: Type.Optional(Type.String({ description: 'The day on which the tasks were accepted, UTC, such as `2026-01-15`.' })),
  model: Type.Optional(Type.String({ description: 'Model ID.' })),
  key: Type.Optional(nullable(Type.String({ description: 'The id of the API key. Null for tasks without a recorded key.' }))),
  ...sums,
})

export const UsageSchema = Type.Object(
  {
    object: Type.Literal('usage'),
    from: Type.String({ description: 'First day of the report, UTC, such as `2026-01-01`.' }),
    until: Type.String({ description: 'Last day of the report, inclusive, UTC, such as `2026-01-31`.' }),
    rows: Type.Array(UsageRowSchema, {
      description: 'One row for each combination of values of the dimensions in `by`, sorted by these dimensions.',
    }),
    total: Type.Object(sums),
  },
  { description: 'Usage of the account: its ended tasks and its ended forwarded requests.' },
)
export type UsageReport = Static<typeof UsageSchema>
