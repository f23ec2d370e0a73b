import { Type, type Static } from 'typebox'
import { failureCodes } from './errors.ts'
import { nullable } from './nullable.ts'
import { promptExcerptCharacters, taskIdPattern, taskObjects } from './parameters.ts'
import { taskStatuses } from './status.ts'

/**
 * The task in responses of the model-center interface (specification section 2.1). Times are Unix
 * seconds, amounts are credits.
 */
export const TaskSchema = Type.Object(
  {
    id: Type.String({
      pattern: taskIdPattern,
      description: 'Task id, to poll status and result with. Sortable by time of creation.',
    }),
    object: Type.Unsafe<(typeof taskObjects)[number]>({ type: 'string', enum: taskObjects, description: 'What is made.' }),
    created: Type.Integer({ description: 'When the task was accepted, Unix seconds.' }),
    model: Type.String({ description: 'Model ID as requested.' }),
    status: Type.Unsafe<(typeof taskStatuses)[number]>({
      type: 'string',
      enum: taskStatuses,
      description: '`queued`, then `processing`, then `completed` or `failed`. The last two are final: stop polling there.',
    }),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Percent. Never falls; 100 only when completed.' }),
    result_url: Type.Optional(
      Type.String({
        description:
          'Link to the result: signed, made fresh at each query, expires at `expires_at`. Only when `completed`. Download promptly.',
      }),
    ),
    image_url: Type.Optional(Type.String({ description: 'The same address as `result_url`, when an image was made.' })),
    video_url: Type.Optional(Type.String({ description: 'The same address as `result_url`, when a video was made.' })),
    expires_at: Type.Optional(
      Type.Integer({ description: 'When `result_url` stops working, Unix seconds. A later query gives a fresh link.' }),
    ),
    result_expired: Type.Optional(
      Type.Literal(true, { description: 'Instead of a link, when the file of a completed task is no longer kept.' }),
    ),
    amount: Type.Number({
      minimum: 0,
      description: 'Credits: the held price until the task ends, then what was charged. 0 when failed or cancelled.',
    }),
    actualDuration: nullable(
      Type.Number({
        minimum: 0,
        description: 'Seconds of the produced video, measured from the file and billed. Null for images and until completed.',
      }),
    ),
    error: nullable(Type.String({ description: 'A sentence for a person when `failed`; null otherwise.' })),
    error_code: Type.Optional(
      Type.Unsafe<(typeof failureCodes)[number]>({
        type: 'string',
        enum: failureCodes,
        description:
          'Why the task failed, only when `failed`. `content_policy`: the request or its result was refused as unsafe. ' +
          '`invalid_input`: a picture could not be fetched or read. `upstream_failed`: the media could not be made. ' +
          '`upstream_timeout`: it took longer than the model allows. `cancelled`: by the client. `lost_upstream`: the reply of ' +
          'a provider was lost. Whatever the reason, nothing is charged.',
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The seed that was given or, once completed, chosen. Give it again to get the same.',
      }),
    ),
    started: Type.Optional(Type.Integer({ description: 'When work on it began, Unix seconds. Once it has.' })),
    completed: Type.Optional(Type.Integer({ description: 'When it ended, completed or failed, Unix seconds. Once it has.' })),
    prompt: Type.Optional(
      Type.String({
        description: `In lists only: the first ${promptExcerptCharacters} characters of the prompt, and \`…\` when there are more.`,
      }),
    ),
    parameters: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'The request without `model`: the prompt and every other parameter, with the defaults that were filled in, and `simulate` ' +
          'where it was given. URLs and assets are shown as they were given; of a data URI an object with its `content_type`, ' +
          '`size_bytes` and `sha256`. A query and a cancellation have it, and lists with `view=full`; the response to a submit does not.',
      }),
    ),
  },
  {
    description: 'A task. Ignore fields that you do not know: more may be added.',
  },
)
export type Task = Static<typeof TaskSchema>

/** The task in responses of the v1 interface. */
export const VideoTaskSchema = Type.Object(
  {
    ...TaskSchema.properties,
    seconds: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The length that was asked for, in seconds. Absent on an image task.' }),
    ),
  },
  { description: 'A task as the v1 interface shows it: the Task with `seconds`.' },
)
export type VideoTask = Static<typeof VideoTaskSchema>

const quoteReasons = [
  'brand_model_missing',
  'key_scope_missing',
  'max_amount_exceeded',
  'spending_limit_reached',
  'insufficient_credits',
  'too_many_tasks_in_flight',
  'no_route',
] as const

/** Field of a submit or a quote, beside the model's parameters. */
export const maxAmountSchema = {
  type: 'number',
  minimum: 0,
  description: 'Refuses the task (`max_amount_exceeded`) when it would hold more credits than this. Default: no bound.',
} as const

export const QuoteSchema = Type.Object(
  {
    object: Type.Literal('quote'),
    model: Type.String({ description: 'Model ID as requested.' }),
    amount: Type.Number({ minimum: 0, description: 'Credits that a submit of this body would hold.' }),
    available: Type.Boolean({ description: 'Whether a submit would be accepted now.' }),
    reason: Type.Unsafe<(typeof quoteReasons)[number] | null>({
      type: ['string', 'null'],
      enum: [...quoteReasons, null],
      description: 'When not available, the error code that a submit would be refused with; null otherwise.',
    }),
    parameters: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: "The model's parameters as they would be stored: every default filled in, without `model`.",
    }),
  },
  { description: 'What a submit would cost.' },
)
export type Quote = Static<typeof QuoteSchema>
