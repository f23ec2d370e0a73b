import { Type, type Static } from 'typebox'
import { failureCodes } from './errors.ts'
import { taskStatuses } from './status.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

/** The Task as both interfaces answer it (specification section 2.1). Times are Unix seconds, amounts are credits. */
export const TaskSchema = Type.Object({
  id: Type.String({ description: 'Task id. Used to poll status and result.' }),
  object: Type.Enum(['image', 'video'], { description: 'What is made.' }),
  created: Type.Integer({ description: 'When the task was accepted, Unix seconds.' }),
  model: Type.String({ description: 'Model ID as requested.' }),
  status: Type.Enum([...taskStatuses], { description: 'Stop polling at completed or failed.' }),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Never falls; 100 only when completed.' }),
  result_url: Type.Optional(Type.String({ description: 'Signed, expiring. Only when completed.' })),
  image_url: Type.Optional(Type.String({ description: 'The same address, for images.' })),
  video_url: Type.Optional(Type.String({ description: 'The same address, for videos.' })),
  expires_at: Type.Optional(Type.Integer({ description: 'When result_url stops working, Unix seconds.' })),
  result_expired: Type.Optional(Type.Literal(true, { description: 'The file is no longer kept.' })),
  amount: Type.Number({ description: 'Credits: held until the task ends, then charged. 0 when failed.' }),
  actualDuration: nullable(Type.Number({ description: 'Seconds of the produced video, measured from the file.' })),
  error: nullable(Type.String({ description: 'A sentence for a person when failed.' })),
  error_code: Type.Optional(Type.Enum([...failureCodes])),
  seed: Type.Optional(Type.Integer()),
  started: Type.Optional(Type.Integer({ description: 'Unix seconds.' })),
  completed: Type.Optional(Type.Integer({ description: 'When it ended, Unix seconds.' })),
  seconds: Type.Optional(Type.Integer({ description: 'v1 interface only: the seconds asked for.' })),
})
export type Task = Static<typeof TaskSchema>

export const QuoteSchema = Type.Object({
  object: Type.Literal('quote'),
  model: Type.String(),
  amount: Type.Number({ description: 'Credits that a submit would hold.' }),
  available: Type.Boolean(),
  reason: nullable(Type.String({ description: 'An error code when not available.' })),
  parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'With every default filled in.' }),
})
export type Quote = Static<typeof QuoteSchema>

export interface List<T> {
  object: 'list'
  items: T[]
  has_more: boolean
  next_cursor: string | null
}
