import { Type, type Static } from 'typebox'
import {
  attemptResolutions,
  serviceResolutions,
  type AttemptResolution,
  type ServiceResolution,
} from './admin-attempt-requests.ts'
import { nullable } from './nullable.ts'
import { unresolvedReasons, type UnresolvedReason } from './parameters.ts'

const unixSeconds = (description: string) => Type.Integer({ description: `${description}, Unix seconds.` })

const attemptStatuses = ['running', 'succeeded', 'failed', 'not_accepted'] as const

export const AttemptSchema = Type.Object(
  {
    object: Type.Literal('attempt'),
    id: Type.String({ description: 'The id of the task, followed by `_` and the number of the attempt.' }),
    task: Type.String(),
    model: Type.String({ description: 'Model ID.' }),
    account: Type.String({ description: 'The id of the account that submitted the task.' }),
    account_name: Type.String({ description: 'The name of the account.' }),
    route: Type.String({ description: 'The name of the route that the attempt uses.' }),
    status: Type.Unsafe<(typeof attemptStatuses)[number]>({
      type: 'string',
      enum: attemptStatuses,
      description: '`not_accepted`: the upstream definitely did not start a job, so the attempt costs nothing.',
    }),
    started: unixSeconds('Start of the attempt'),
    ended: nullable(unixSeconds('End of the attempt in this service')),
    error: nullable(Type.String({ description: 'Reason for the failure, as shown to the client.' })),
    detail: nullable(Type.String({ description: 'Message of the upstream.' })),
    operation: Type.Unknown({
      description:
        "The state that the driver stores for the upstream job, such as the job's id. Null: the driver has stored nothing.",
    }),
    cost: nullable(Type.Number({ description: 'Cost as reported by the upstream.' })),
    cost_unit: nullable(Type.String({ description: 'Unit of `cost`.' })),
    cost_credits: nullable(
      Type.Number({
        description:
          'Cost to the operator in credits, computed from the `cost` of the route. 0 for the embedded driver. Null: unknown.',
      }),
    ),
    reason: Type.Unsafe<UnresolvedReason | null>({
      enum: [...unresolvedReasons, null],
      description:
        'Why an operator must review the attempt. `lost_reply`: it is unknown whether the upstream accepted the submit. ' +
        '`unusable_result`: the job completed and must be paid for, but its file cannot be used, or the upstream no longer has ' +
        'the job and may have charged for it. `overdue`: the task has ' +
        'ended, but the job still runs upstream and the service keeps polling it. `late`: the job completed after the task had ' +
        'ended. Null: no review is needed.',
    }),
    resolved_at: nullable(unixSeconds('Time of the resolution')),
    resolution: Type.Unsafe<AttemptResolution | ServiceResolution | null>({
      enum: [...attemptResolutions, ...serviceResolutions, null],
      description:
        'The recorded resolution. An operator records it, except for `never_started` and `ended_without_result`, which the ' +
        'service records. Null: none is recorded.',
    }),
    note: nullable(Type.String({ description: 'Note of the operator.' })),
  },
  { description: 'One attempt at a task. Only operators see attempts.' },
)
export type AdminAttempt = Static<typeof AttemptSchema>
