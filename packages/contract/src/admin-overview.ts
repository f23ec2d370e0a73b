import { Type, type Static } from 'typebox'
import type { WebhookDisabledReason } from './event-types.ts'
import { webhookDisabledReasons } from './event-types.ts'
import { nullable } from './nullable.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const seconds = (description: string) => nullable(Type.Number({ minimum: 0, description }))

const ModelLoadSchema = Type.Object({
  model: Type.String({ description: 'Model ID.' }),
  queued: count('Number of queued tasks.'),
  processing: count('Number of tasks in progress.'),
  completed: count('Number of completed tasks in the sample that begins at `times_from`.'),
  p50_seconds: seconds('Median time from acceptance to completion. Null: the sample has no completed task of this model.'),
  p95_seconds: seconds('95th percentile of the time from acceptance to completion.'),
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
      description:
        'Why the address is disabled: the service has disabled it, or an operator has suspended it. Null: it is enabled, or ' +
        'the account has disabled it.',
    }),
    failures: count('Consecutive failed attempts.'),
    failing_since: nullable(
      Type.Integer({
        description: 'Time of the first failure since the last success, Unix seconds. Null: there was none.',
      }),
    ),
  },
  { description: 'An address that receives events of an account, as an operator sees it.' },
)
export type OperatorWebhook = Static<typeof OperatorWebhookSchema>

export const OverviewSchema = Type.Object(
  {
    object: Type.Literal('overview'),
    tasks: Type.Object({
      queued: count('Number of queued tasks.'),
      processing: count('Number of tasks in progress.'),
      held: count('Tasks on hold after a restore.'),
      oldest_queued: nullable(
        Type.Integer({
          description: 'Time at which the oldest queued task was accepted, Unix seconds. Null: no task is queued.',
        }),
      ),
    }),
    models: Type.Array(ModelLoadSchema, {
      description: 'Models with a task that is queued, in progress or in the sample, sorted by Model ID.',
    }),
    times_from: Type.Integer({
      description:
        'Start of the sample from which processing times are computed, Unix seconds. The sample has the tasks of the last 24 ' +
        'hours, but at most the newest 20,000.',
    }),
    webhooks: Type.Object({
      failing: count('Number of addresses whose last delivery failed, or that the service has disabled. The count stops at 100.'),
      items: Type.Array(Type.Unsafe<OperatorWebhook>({ $ref: '#/components/schemas/OperatorWebhook' }), {
        description: 'At most 20 of these addresses. Those that have failed for the longest time come first.',
      }),
    }),
    ledger: Type.Object({
      checked: nullable(
        Type.Integer({
          description:
            'Time at which this process last completed a ledger check, Unix seconds. Null: it has not completed one yet.',
        }),
      ),
      differences: nullable(count('Number of differences that the check found. 0: the ledger balances.')),
    }),
  },
  { description: 'The workload of the installation, its processing times, and problems that need an operator.' },
)
export type Overview = Static<typeof OverviewSchema>
