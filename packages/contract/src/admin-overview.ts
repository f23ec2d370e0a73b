import { Type, type Static } from 'typebox'
import type { WebhookDisabledReason } from './event-types.ts'
import { webhookDisabledReasons } from './event-types.ts'
import { nullable } from './nullable.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const seconds = (description: string) => nullable(Type.Number({ minimum: 0, description }))

const ModelLoadSchema = Type.Object({
  model: Type.String({ description: 'Model ID.' }),
  queued: count('Tasks that wait for a route.'),
  processing: count('Tasks that run.'),
  completed: count('Tasks in the sample from which the times are computed.'),
  p50_seconds: seconds('Median time from acceptance to completion. Null: the sample has no completed task of this model.'),
  p95_seconds: seconds('Time in which 95 % of the tasks completed.'),
})

export const OperatorWebhookSchema = Type.Object(
  {
    object: Type.Literal('operator_webhook'),
    id: Type.String({ description: '`wh_` and 32 hexadecimal digits.' }),
    account: Type.String({ description: 'The id of the account.' }),
    account_name: Type.String({ description: 'The name of the account.' }),
    kind: Type.Unsafe<'account' | 'task'>({
      type: 'string',
      enum: ['account', 'task'],
      description: '`account`: a webhook of the account. `task`: all addresses of one origin that tasks named as `webhook_url`.',
    }),
    url: Type.String({ description: 'The address, or the origin for the kind `task`.' }),
    enabled: Type.Boolean({ description: 'False: nothing is sent.' }),
    disabled_reason: Type.Unsafe<WebhookDisabledReason | null>({
      type: ['string', 'null'],
      enum: [...webhookDisabledReasons, null],
      description: 'Why the service has disabled it. Null: the service has not disabled it.',
    }),
    failures: count('Consecutive failed attempts.'),
    failing_since: nullable(
      Type.Integer({ description: 'First failure since the last success, Unix seconds. Null: the last attempt succeeded.' }),
    ),
  },
  { description: 'An address that receives events of an account, as an operator sees it.' },
)
export type OperatorWebhook = Static<typeof OperatorWebhookSchema>

export const OverviewSchema = Type.Object(
  {
    object: Type.Literal('overview'),
    tasks: Type.Object({
      queued: count('Tasks that wait for a route.'),
      processing: count('Tasks that run.'),
      held: count('Tasks on hold after a restore.'),
      oldest_queued: nullable(
        Type.Integer({ description: 'Acceptance of the oldest queued task, Unix seconds. Null: no task is queued.' }),
      ),
    }),
    models: Type.Array(ModelLoadSchema, {
      description: 'Models with a task in the queue, in progress or in the sample of the times, by Model ID.',
    }),
    times_from: Type.Integer({
      description:
        'Acceptance of the oldest task in the sample of the times, Unix seconds. The sample is the last day, and at most its ' +
        'newest 20,000 tasks.',
    }),
    webhooks: Type.Object({
      failing: count('Addresses whose last delivery failed, or that the service has disabled. At most 100 are counted.'),
      items: Type.Array(Type.Unsafe<OperatorWebhook>({ $ref: '#/components/schemas/OperatorWebhook' }), {
        description: 'These addresses, the longest failing first, at most 20.',
      }),
    }),
    ledger: Type.Object({
      checked: nullable(
        Type.Integer({ description: 'End of the last check by this process, Unix seconds. Null: it has checked nothing yet.' }),
      ),
      differences: nullable(count('Differences that the check found. 0: the ledger balances.')),
    }),
  },
  { description: 'What runs, how long it takes, and what needs an operator.' },
)
export type Overview = Static<typeof OverviewSchema>
