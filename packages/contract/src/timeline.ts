import { Type, type Static } from 'typebox'
import { failureCodes } from './errors.ts'
import { nullable } from './nullable.ts'

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

/** In order of severity. */
export const routeConditions = ['open', 'throttled', 'unavailable', 'out_of_order'] as const
/**
 * Condition of a route or an upstream.
 *
 *   open           no known problem
 *   throttled      the provider asked us to back off
 *   unavailable    an attempt could not reach the provider, or was refused for a reason unrelated to
 *                  the task
 *   out_of_order   the same repeatedly, or confirmed: tasks that need it are refused at submit
 */
export type RouteCondition = (typeof routeConditions)[number]

const TimelineEventSchema = Type.Object({
  event: Type.Unsafe<(typeof timelineEvents)[number]>({
    type: 'string',
    enum: timelineEvents,
    description:
      '`accepted` and `held`: at the submit. `attempt_started` and `attempt_ended`: one try at a route. `completed` or `failed`: ' +
      'the end, with which `charged` and `released` say where the held credits went. `waiting`: the last event of a task that waits, ' +
      'as of this response.',
  }),
  at: Type.Number({ description: 'Unix seconds, to the millisecond.' }),
  amount: Type.Optional(Type.Number({ minimum: 0, description: 'Credits that were held, charged or released.' })),
  attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'Which attempt, counting from 1.' })),
  route: Type.Optional(Type.String({ description: 'Where the attempt was made, as the operator calls it.' })),
  outcome: Type.Optional(
    Type.Unsafe<'succeeded' | 'failed' | 'not_accepted'>({
      type: 'string',
      enum: ['succeeded', 'failed', 'not_accepted'],
      description: 'Of an ended attempt; `not_accepted`: the upstream did not take it on, and nothing was started.',
    }),
  ),
  error_code: Type.Optional(
    Type.Unsafe<(typeof failureCodes)[number]>({ type: 'string', enum: failureCodes, description: 'Why the task failed.' }),
  ),
  reason: Type.Optional(Type.String({ description: 'A sentence for a person: why it failed, or why credits were released.' })),
  for: Type.Optional(
    Type.Unsafe<WaitReason>({
      type: 'string',
      enum: waitReasons,
      description:
        'What a waiting task waits for. `free_slot`: the routes that can serve it are at their limit. `provider_throttled`: the ' +
        'provider asked to come back later. `provider_unavailable`: no route that can serve it works. `account_limit`: a limit of the ' +
        'key, the account or the brand. `delay`: its simulated queue time. `start`: it is about to be started. `operator`: the installation was restored from a ' +
        'backup, and an operator decides whether to make the task.',
    }),
  ),
  next_try: Type.Optional(
    Type.Integer({ description: 'When a waiting task is tried next, Unix seconds; left out while that is unknown.' }),
  ),
  routes: Type.Optional(
    Type.Array(
      Type.Object({
        route: Type.String(),
        upstream: Type.String(),
        condition: Type.Unsafe<RouteCondition>({ type: 'string', enum: routeConditions }),
        until: nullable(Type.Integer({ description: 'When its pause ends, Unix seconds; null: there is no pause.' })),
      }),
      { description: 'The routes that can serve a waiting task. Only for keys of the operator.' },
    ),
  ),
})
export type TimelineEvent = Static<typeof TimelineEventSchema>

export const TimelineSchema = Type.Object(
  {
    object: Type.Literal('timeline'),
    task: Type.String({ description: 'The id of the task.' }),
    events: Type.Array(TimelineEventSchema, { description: 'In the order in which they happened.' }),
  },
  { description: 'What has happened to a task and to the credits held for it.' },
)
export type Timeline = Static<typeof TimelineSchema>
