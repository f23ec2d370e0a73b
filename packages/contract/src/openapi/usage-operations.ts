import type { UsageOfAll } from '../admin-usage.ts'
import { usageOfAllParameters } from '../parameters.ts'
import { common } from './admin-body.ts'
import { csvResponse } from './csv-response.ts'
import { reference, type Paths } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

const account = { account: 'acct_1', account_name: 'Studio North' }
const noTokens = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 } as const
const video = {
  tasks: 5,
  completed: 4,
  failed: 1,
  seconds: 32,
  ...noTokens,
  amount: 2.24,
  cost: 0.84,
  cost_unknown: 1,
  margin: 1.4,
}
const image = { tasks: 2, completed: 2, failed: 0, seconds: 0, ...noTokens, amount: 0.08, cost: 0, cost_unknown: 0, margin: 0.08 }

const usage: UsageOfAll = {
  object: 'usage_report',
  from: '2026-01-01',
  to: '2026-01-31',
  items: [
    { ...account, model: 'imgA-5.0', ...image, corrections: 0 },
    { ...account, model: 'vidG_video3', ...video, corrections: 0 },
  ],
  total: {
    tasks: 7,
    completed: 6,
    failed: 1,
    seconds: 32,
    ...noTokens,
    amount: 2.32,
    cost: 0.84,
    cost_unknown: 1,
    margin: 1.48,
    corrections: 0,
  },
}

export const usageOperations: Paths = {
  '/admin/v1/usage': {
    get: operation({
      ...common,
      id: 'getUsageOfAll',
      summary: 'Show usage, revenue and cost',
      description:
        'Returns the usage of all accounts, grouped by the dimensions in `by`. A task or forwarded request is counted once it ' +
        'has ended, on the day on which it was accepted. Its charge is attributed to the route that produced the result. The ' +
        'cost of each job is attributed to the route of the job, and computed from the `cost` of that route. A job without a ' +
        'result costs nothing, unless its upstream reports a cost. If the report would have more than 50,000 items, the ' +
        'request is rejected with `invalid_parameter`.',
      parameters: queryParameters(usageOfAllParameters),
      responses: {
        200: jsonResponse({
          description: 'The usage.',
          schema: reference('schemas', 'UsageOfAll'),
          examples: { usage: { summary: 'One account, by model', value: usage } },
        }),
      },
      errors: ['BadQuery'],
    }),
  },
  '/admin/v1/usage.csv': {
    get: operation({
      ...common,
      id: 'exportUsageOfAll',
      summary: 'Export usage, revenue and cost',
      description: 'Returns the items of the usage report as CSV, without the total.',
      parameters: queryParameters(usageOfAllParameters),
      responses: { 200: csvResponse('The usage.') },
      errors: ['BadQuery'],
    }),
  },
}
