import { Type, type Static } from 'typebox'
import { failureCodes } from './errors.ts'
import { nullable } from './nullable.ts'
import { promptExcerptCharacters, resultsMax, taskIdPattern, taskObjects, type TaskObject } from './parameters.ts'
import { taskStatuses } from './status.ts'

const thumbnailDescription =
  'Signed link to a thumbnail: a WebP image of the result, or of an early frame of the video, at most 512 pixels on the longer ' +
  'side. It expires together with the link to the result. Absent if no thumbnail can be created.'

/** One file of a completed task. */
export const ResultSchema = Type.Object({
  url: Type.String({ description: 'Signed link to this file. It expires at `expires_at` of the task.' }),
  thumbnail_url: Type.Optional(Type.String({ description: thumbnailDescription })),
  type: Type.String({ description: 'Media type of the file, such as `image/png`, `video/mp4` or `text/plain`.' }),
  width: Type.Integer({ minimum: 0, description: 'Width in pixels; 0 for a text.' }),
  height: Type.Integer({ minimum: 0, description: 'Height in pixels; 0 for a text.' }),
  seconds: nullable(
    Type.Number({
      minimum: 0,
      description: 'Length of a video in seconds, measured from the file. Null for an image or a text.',
    }),
  ),
  bytes: Type.Integer({ minimum: 0, description: 'Size of the file in bytes.' }),
  seed: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The seed of this result. Absent if the provider does not report it.' }),
  ),
})
export type Result = Static<typeof ResultSchema>

/** The task in responses of the v2 API. Times are Unix seconds, amounts are credits. */
export const TaskSchema = Type.Object(
  {
    id: Type.String({
      pattern: taskIdPattern,
      description: 'Task id, used to poll the task. Ids sort by time of creation.',
    }),
    object: Type.Unsafe<TaskObject>({ type: 'string', enum: taskObjects, description: 'Kind of the result.' }),
    created: Type.Integer({ description: 'Time at which the task was accepted, Unix seconds.' }),
    model: Type.String({ description: 'Model ID as requested.' }),
    status: Type.Unsafe<(typeof taskStatuses)[number]>({
      type: 'string',
      enum: taskStatuses,
      description:
        '`queued`, then `processing`, then `completed` or `failed`. A task that no provider accepted returns to `queued`. A ' +
        'completed or failed task never changes, so stop polling.',
    }),
    progress: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Progress in percent. It never decreases, and reaches 100 only when the task completes.',
    }),
    result_url: Type.Optional(
      Type.String({
        description:
          'Signed link to the result. It expires at `expires_at`, so download the result promptly. Each query returns a new ' +
          'link. Present only when `completed`.',
      }),
    ),
    image_url: Type.Optional(Type.String({ description: 'The same address as `result_url`, for images.' })),
    video_url: Type.Optional(Type.String({ description: 'The same address as `result_url`, for videos.' })),
    thumbnail_url: Type.Optional(Type.String({ description: thumbnailDescription })),
    text_url: Type.Optional(Type.String({ description: 'The same address as `result_url`, for texts.' })),
    expires_at: Type.Optional(
      Type.Integer({ description: 'Expiry of `result_url`, Unix seconds. A later query returns a fresh link.' }),
    ),
    results: Type.Optional(
      Type.Array(ResultSchema, {
        minItems: 1,
        maxItems: resultsMax,
        description:
          'All results. Present together with `result_url`, which links to the first result. Most models produce one result; a ' +
          'model with the parameter `n` produces `n` results. If some of them could not be produced, only the others are ' +
          'listed and charged.',
      }),
    ),
    text: Type.Optional(
      Type.String({
        description:
          'The text that a text task produced, identical to the file at `result_url`. Present only together with `result_url`, ' +
          'and only in the responses to a query, to a cancellation, and to a list with `view=full`.',
      }),
    ),
    engine: Type.Optional(
      Type.Literal('embedded', {
        description:
          'Present together with `text` if the service generated the text from its own vocabulary, without a language model.',
      }),
    ),
    improved_prompt: Type.Optional(
      nullable(
        Type.String({
          description:
            'The prompt from which the result is generated, if the request has `improve_prompt`. Null if the prompt could not ' +
            'be improved; the prompt of the request is then used. Absent until the improvement has ended. In lists only with ' +
            '`view=full`.',
        }),
      ),
    ),
    result_expired: Type.Optional(
      Type.Literal(true, { description: 'Present after the files of a completed task were removed. The links are then absent.' }),
    ),
    amount: Type.Number({
      minimum: 0,
      description: 'Credits: the held price until the task ends, then the charged amount. 0 when failed or cancelled.',
    }),
    actualDuration: nullable(
      Type.Number({
        minimum: 0,
        description:
          'Length of the produced video in seconds, measured from the file. The charge is based on it. For several videos, the ' +
          'sum. Null for images and texts, and for tasks that are not completed.',
      }),
    ),
    error: nullable(Type.String({ description: 'Error message for people when `failed`; null otherwise.' })),
    error_code: Type.Optional(
      Type.Unsafe<(typeof failureCodes)[number]>({
        type: 'string',
        enum: failureCodes,
        description:
          'Reason for the failure, only when `failed`. `content_policy`: the request or its result was refused as unsafe. ' +
          '`invalid_input`: an input file could not be fetched or read, or the provider rejected the input. ' +
          '`upstream_failed`: the media could not be generated. ' +
          '`upstream_timeout`: the generation took longer than the model allows, or no provider accepted the task in time. ' +
          '`cancelled`: the client cancelled the task, or its job was cancelled at the provider. ' +
          '`lost_upstream`: it is unknown whether a provider accepted the task. A failed task is never charged.',
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The seed of the request. If the request had no seed, the seed that was used, once the task is completed. A request ' +
          'with this seed reproduces the result if the provider supports that.',
      }),
    ),
    started: Type.Optional(Type.Integer({ description: 'Time at which processing started, Unix seconds. Absent before that.' })),
    completed: Type.Optional(
      Type.Integer({ description: 'Time at which the task completed or failed, Unix seconds. Absent before that.' }),
    ),
    prompt: Type.Optional(
      Type.String({
        description: `Only in lists: the first ${promptExcerptCharacters} characters of the prompt, followed by \`…\` if it is longer.`,
      }),
    ),
    parameters: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'The request without `model`: the prompt and all other parameters, including defaults, with `improve_prompt` and ' +
          '`simulate` if given. URLs and assets are shown as given. A data URI is shown as an object with its `content_type`, ' +
          '`size_bytes` and `sha256`. If the price depends on input files, `billed_inputs` has the `seconds` of input videos and ' +
          'the number of input `images`. ' +
          'Present in the responses to a query, to a cancellation, and to a list with `view=full`, but not to a submit.',
      }),
    ),
  },
  {
    description: 'A task. Ignore unknown fields, because more may be added.',
  },
)
export type Task = Static<typeof TaskSchema>

/** The task in responses of the v1 API. */
export const VideoTaskSchema = Type.Object(
  {
    ...TaskSchema.properties,
    seconds: Type.Optional(Type.Integer({ minimum: 1, description: 'The requested length in seconds. Absent for image tasks.' })),
  },
  { description: 'A task in responses of the v1 API: a Task with `seconds`.' },
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

/**
 * Schema of the field `max_amount` of submits and quotes. The field is not a parameter of the
 * model.
 */
export const maxAmountSchema = {
  type: 'number',
  minimum: 0,
  description:
    'Maximum price in credits. A task that would hold more is rejected with `max_amount_exceeded`. Default: no maximum.',
} as const

/**
 * Schema of the field `improve_prompt` of submits and quotes. Only models that produce images or
 * videos accept the field.
 */
export const improvePromptSchema = {
  type: 'boolean',
  default: false,
  description:
    'Improves the prompt with `text-prompt-enhance`, and generates the result from the improved prompt, which the task shows ' +
    'as `improved_prompt`. The price of `text-prompt-enhance` is added, and is charged only if the prompt was improved.',
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
      description: 'The error code that a submit would get. Null: it would be accepted.',
    }),
    parameters: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The parameters of the task that a submit would create, including defaults, without `model`.',
    }),
  },
  { description: 'The price of a submit.' },
)
export type Quote = Static<typeof QuoteSchema>
