import { Type, type Static } from 'typebox'
import { failureCodes } from './errors.ts'
import { nullable } from './nullable.ts'
import { routeConditions, type RouteCondition } from './route-condition.ts'

export const timelineEvents = [
  'accepted',
  'held',
  'attempt_started',
  'attempt_ended',
  'completed',
  'failed',
  'charged',
  'released',
  'waiting',
] as const

const waitReasons = [
  'free_slot',
  'provider_throttled',
  'provider_unavailable',
  'account_limit',
  'delay',
  'start',
  'operator',
] as const
export type WaitReason = (typeof waitReasons)[number]

const TimelineEventSchema = Type.Object({
  event: Type.Unsafe<(typeof timelineEvents)[number]>({
    type: 'string',
    enum: timelineEvents,
    description:
      '`accepted`: the task was accepted. `held`: its price was held. `attempt_started` and `attempt_ended`: an attempt on a ' +
      'route started or ended. `completed` or `failed`: the task ended. `charged` and `released`: held credits were charged or ' +
      'returned. `waiting`: the task is waiting now; always the last event.',
  }),
  at: Type.Number({ description: 'Time of the event in Unix seconds, with milliseconds as decimals.' }),
  amount: Type.Optional(Type.Number({ minimum: 0, description: 'Credits that were held, charged or released.' })),
  attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of the attempt, counted from 1.' })),
  route: Type.Optional(Type.String({ description: 'The name of the route of the attempt.' })),
  outcome: Type.Optional(
    Type.Unsafe<'succeeded' | 'failed' | 'not_accepted'>({
      type: 'string',
      enum: ['succeeded', 'failed', 'not_accepted'],
      description: 'Outcome of an ended attempt. `not_accepted`: the upstream did not accept the submit, and no job was started.',
    }),
  ),
  error_code: Type.Optional(
    Type.Unsafe<(typeof failureCodes)[number]>({
      type: 'string',
      enum: failureCodes,
      description: 'Reason for the failure of the task.',
    }),
  ),
  reason: Type.Optional(Type.String({ description: 'The reason why the task failed or why credits were released, for people.' })),
  for: Type.Optional(
    Type.Unsafe<WaitReason>({
      type: 'string',
      enum: waitReasons,
      description:
        'Reason for the wait. `free_slot`: all routes that can serve the task are at capacity. `provider_throttled`: the ' +
        'provider asked the service to retry later. `provider_unavailable`: no route that can serve the task is in service. ' +
        '`account_limit`: the key, the account or the brand has reached a limit. `delay`: the delay that `simulate` requests. ' +
        '`start`: the task is about to start. `operator`: the installation was restored from a backup, and an operator must ' +
        'decide whether the task runs.',
    }),
  ),
  next_try: Type.Optional(
    Type.Integer({ description: 'Time of the next attempt to start a waiting task, Unix seconds. Absent while it is unknown.' }),
  ),
  routes: Type.Optional(
    Type.Array(
      Type.Object({
        route: Type.String(),
        upstream: Type.String(),
        condition: Type.Unsafe<RouteCondition>({ type: 'string', enum: routeConditions }),
        until: nullable(Type.Integer({ description: 'End of the pause, Unix seconds. Null: no pause.' })),
      }),
      { description: 'The routes that can serve a waiting task. Present only in responses to keys of operators.' },
    ),
  ),
})
export type TimelineEvent = Static<typeof TimelineEventSchema>

export const TimelineSchema = Type.Object(
  {
    object: Type.Literal('timeline'),
    task: Type.String({ description: 'The id of the task.' }),
    events: Type.Array(TimelineEventSchema, { description: 'The events in chronological order.' }),
  },
  { description: 'The events of a task and of the credits held for it.' },
)
export type Timeline = Static<typeof TimelineSchema>
