import { Type, type Static } from 'typebox'
import { failureCodes } from './errors.ts'

export const timelineEvents = [
  'accepted',
  'held',
  'attempt_started',
  'attempt_ended',
  'completed',
  'failed',
  'charged',
  'released',
] as const

const TimelineEventSchema = Type.Object({
  event: Type.Unsafe<(typeof timelineEvents)[number]>({
    type: 'string',
    enum: timelineEvents,
    description:
      '`accepted` and `held`: at the submit. `attempt_started` and `attempt_ended`: one try at a route. `completed` or `failed`: ' +
      'the end, with which `charged` and `released` say where the held credits went.',
  }),
  at: Type.Number({ description: 'Unix seconds, to the millisecond.' }),
  amount: Type.Optional(Type.Number({ minimum: 0, description: 'Credits that were held, charged or released.' })),
  attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'Which attempt, counting from 1.' })),
  route: Type.Optional(Type.String({ description: 'Where the attempt was made, as the operator calls it.' })),
  outcome: Type.Optional(
    Type.Unsafe<'succeeded' | 'failed' | 'not_accepted'>({
      type: 'string',
      enum: ['succeeded', 'failed', 'not_accepted'],
      description: 'Of an ended attempt; `not_accepted`: the upstream had no room, and nothing was begun.',
    }),
  ),
  error_code: Type.Optional(
    Type.Unsafe<(typeof failureCodes)[number]>({ type: 'string', enum: failureCodes, description: 'Why the task failed.' }),
  ),
  reason: Type.Optional(Type.String({ description: 'A sentence for a person: why it failed, or why credits were released.' })),
})
export type TimelineEvent = Static<typeof TimelineEventSchema>

export const TimelineSchema = Type.Object(
  {
    object: Type.Literal('timeline'),
    task: Type.String({ description: 'The id of the task.' }),
    events: Type.Array(TimelineEventSchema, { description: 'In the order in which they happened.' }),
  },
  { description: 'What has happened to a task and to the credits held for it. An addition of Framegate.' },
)
export type Timeline = Static<typeof TimelineSchema>
