import { Type, type Static } from 'typebox'
import { attemptResolutions, foundResolutions, type AttemptResolution, type FoundResolution } from './admin-requests.ts'
import { nullable } from './nullable.ts'
import { unresolvedReasons, type UnresolvedReason } from './parameters.ts'

const unixSeconds = (description: string) => Type.Integer({ description: `${description}, Unix seconds.` })

const attemptStatuses = ['running', 'succeeded', 'failed', 'not_accepted'] as const

export const AttemptSchema = Type.Object(
  {
    object: Type.Literal('attempt'),
    id: Type.String({ description: 'The id of its task, `_` and its number there.' }),
    task: Type.String(),
    model: Type.String({ description: 'Model ID.' }),
    account: Type.String({ description: 'The id of the account whose task it is.' }),
    account_name: Type.String({ description: 'The name of that account.' }),
    route: Type.String({ description: 'The name of the route it was made on.' }),
    status: Type.Unsafe<(typeof attemptStatuses)[number]>({
      type: 'string',
      enum: attemptStatuses,
      description: '`not_accepted`: surely nothing was started, and nothing is to be paid.',
    }),
    started: unixSeconds('When it was opened'),
    ended: nullable(unixSeconds('When it ended here')),
    error: nullable(Type.String({ description: 'Why it failed, as the client may read it.' })),
    detail: nullable(Type.String({ description: 'What the upstream said.' })),
    operation: Type.Unknown({ description: 'What the driver keeps of the job upstream, its id there among it; null: nothing.' }),
    cost: nullable(Type.Number({ description: 'What the upstream says that it charges.' })),
    cost_unit: nullable(Type.String({ description: 'In what.' })),
    cost_credits: nullable(
      Type.Number({ description: 'What the operator pays for it, by the `cost` of its route, credits. Null: it is not known.' }),
    ),
    reason: Type.Unsafe<UnresolvedReason | null>({
      enum: [...unresolvedReasons, null],
      description:
        'Why somebody has to look at it. `lost_reply`: whether it was taken on is not known. `unusable_result`: it was made and paid, ' +
        'and its file cannot be used. `overdue`: its task has ended, it goes on upstream and is still asked after. `late`: it was ' +
        'completed after its task had ended. Null: nobody has to.',
    }),
    resolved_at: nullable(unixSeconds('When it was resolved')),
    resolution: Type.Unsafe<AttemptResolution | FoundResolution | null>({
      enum: [...attemptResolutions, ...foundResolutions, null],
      description: 'What an operator has said of it, or what was found out: `never_started` or `ended_without_result`.',
    }),
    note: nullable(Type.String({ description: 'What the operator has added.' })),
  },
  { description: 'One try at a task, as only the operator sees it.' },
)
export type AdminAttempt = Static<typeof AttemptSchema>
