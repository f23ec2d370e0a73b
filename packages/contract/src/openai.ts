import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { taskIdPattern } from './parameters.ts'

/**
 * Objects of OpenAI's API: `Video`, `ImagesResponse` and `Model` of the official clients (npm
 * `openai` 6.49.0). These clients ignore unknown fields, so the objects may have additional ones.
 */

const id = Type.String({ pattern: taskIdPattern, description: 'The id of the task.' })

export const openAiVideoStatuses = ['queued', 'in_progress', 'completed', 'failed'] as const

export const OpenAiVideoSchema = Type.Object(
  {
    id,
    object: Type.Literal('video'),
    model: Type.String({ description: 'The Model ID.' }),
    status: Type.Unsafe<(typeof openAiVideoStatuses)[number]>({
      type: 'string',
      enum: openAiVideoStatuses,
      description: '`in_progress` corresponds to the task status `processing`.',
    }),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Percentage.' }),
    created_at: Type.Integer({ description: 'Time of the request, Unix seconds.' }),
    completed_at: nullable(Type.Integer({ description: 'Time at which the task ended, Unix seconds.' })),
    expires_at: nullable(Type.Integer({ description: 'Time at which the video is removed, Unix seconds.' })),
    seconds: nullable(
      Type.String({ description: 'Length in seconds: as requested, or as measured once the video is completed.' }),
    ),
    size: nullable(Type.String({ description: 'Width and height in pixels, such as `1280x720`.' })),
    prompt: nullable(Type.String()),
    remixed_from_video_id: nullable(Type.String()),
    error: Type.Unsafe<{ code: string | null; message: string } | null>({
      type: ['object', 'null'],
      properties: { code: { type: ['string', 'null'] }, message: { type: 'string' } },
      required: ['code', 'message'],
      description: 'The reason why the task failed. Null: the task has not failed.',
    }),
    amount: Type.Number({ description: 'Price of the task in credits.' }),
    improved_prompt: Type.Optional(nullable(Type.String({ description: 'The same as `improved_prompt` of the task.' }))),
    result_url: Type.Optional(Type.String({ description: 'Signed link to the video.' })),
    thumbnail_url: Type.Optional(Type.String({ description: 'Signed link to a small WebP image of an early frame.' })),
    result_expired: Type.Optional(Type.Literal(true, { description: 'Present if the video was removed.' })),
  },
  { description: "A task of a video model in the format of OpenAI's API." },
)
export type OpenAiVideo = Static<typeof OpenAiVideoSchema>

export const OpenAiVideoListSchema = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Type.Unsafe<OpenAiVideo>({ $ref: '#/components/schemas/OpenAiVideo' })),
    first_id: nullable(Type.String()),
    last_id: nullable(Type.String({ description: 'The value of `after` for the next page.' })),
    has_more: Type.Boolean(),
  },
  { description: 'A page of videos, newest first unless `order` is `asc`.' },
)

export const OpenAiDeletedVideoSchema = Type.Object({
  id,
  object: Type.Literal('video.deleted'),
  deleted: Type.Literal(true),
})

export const OpenAiModelSchema = Type.Object(
  {
    id: Type.String({ description: 'The Model ID.' }),
    object: Type.Literal('model'),
    created: Type.Integer({ description: 'Unix seconds.' }),
    owned_by: Type.String({ description: 'The name of the service.' }),
  },
  { description: 'A model. `GET /v2/model-center/models/{id}` returns its parameters and price.' },
)

export const OpenAiModelListSchema = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(Type.Unsafe<object>({ $ref: '#/components/schemas/OpenAiModel' })),
})

export const OpenAiImagesSchema = Type.Object(
  {
    created: Type.Integer({ description: 'Unix seconds.' }),
    data: Type.Array(
      Type.Object({
        url: Type.Optional(Type.String({ description: 'Signed link to the image.' })),
        b64_json: Type.Optional(Type.String({ description: 'The image in base64.' })),
        revised_prompt: Type.Optional(Type.String({ description: 'The improved prompt, if the request has `improve_prompt`.' })),
      }),
    ),
    size: Type.String({ description: 'Width and height in pixels.' }),
    output_format: Type.String({ description: 'File format of the images, such as `png`.' }),
  },
  { description: 'The generated images. Each image has `url` or `b64_json`, depending on `response_format`.' },
)

/**
 * Allows fields that a schema does not list. Requests for images and videos may have all parameters
 * of the model, which the catalogue defines. Other requests and their responses are forwarded with
 * all their fields.
 */
const anyOtherFields = { additionalProperties: true }

export const OpenAiVideoRequestSchema = Type.Object(
  {
    model: Type.String({ description: 'The exact Model ID of a video model.' }),
    prompt: Type.Optional(Type.String()),
    seconds: Type.Optional(
      Type.Unsafe<string | number>({
        type: 'string',
        description: "Length in seconds. A string, because OpenAI's clients send strings. A number is accepted too.",
      }),
    ),
    size: Type.Optional(
      Type.String({ description: 'Width and height in pixels, such as `1280x720`. Sets the aspect ratio and the resolution.' }),
    ),
    input_reference: Type.Optional(
      Type.Unsafe<unknown>({
        description:
          'An image for the parameter `first_frame`, or a reference image if the model has no such parameter. The value is a ' +
          'URL, `asset:ID`, `{"image_url": "…"}` or `{"file_id": "asset_…"}`. A form may contain a file instead.',
      }),
    ),
  },
  {
    ...anyOtherFields,
    description: "A request for a video in the format of OpenAI's API. All parameters of the model are also accepted.",
  },
)

const OpenAiUsageSchema = Type.Object(
  {
    prompt_tokens: Type.Integer({ minimum: 0, description: 'Input tokens.' }),
    completion_tokens: Type.Optional(Type.Integer({ minimum: 0, description: 'Output tokens.' })),
    total_tokens: Type.Integer({ minimum: 0 }),
  },
  { ...anyOtherFields, description: 'The charged tokens.' },
)

export const OpenAiChatRequestSchema = Type.Object(
  {
    model: Type.String({ description: 'The exact Model ID of a chat model.' }),
    messages: Type.Array(Type.Object({}, anyOtherFields), { minItems: 1, description: "The conversation, as in OpenAI's API." }),
    max_completion_tokens: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Maximum number of tokens in a choice. Default: the maximum of the model.' }),
    ),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1, description: 'The older name of `max_completion_tokens`.' })),
    n: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 16,
        default: 1,
        description: 'Number of choices. The output tokens of each choice are charged.',
      }),
    ),
    stream: Type.Optional(Type.Boolean({ default: false, description: 'Whether the response is sent as server-sent events.' })),
    stream_options: Type.Optional(
      Type.Object(
        { include_usage: Type.Optional(Type.Boolean({ default: false, description: 'Adds an event with the usage.' })) },
        anyOtherFields,
      ),
    ),
  },
  {
    ...anyOtherFields,
    description:
      'A chat completion request. Other fields are forwarded, and the provider of the model decides which of them it accepts.',
  },
)

export const OpenAiChatSchema = Type.Object(
  {
    id: Type.Optional(Type.String()),
    object: Type.Optional(Type.String()),
    created: Type.Optional(Type.Integer({ description: 'Unix seconds.' })),
    model: Type.Optional(Type.String({ description: 'The Model ID.' })),
    choices: Type.Optional(Type.Array(Type.Object({}, anyOtherFields))),
    usage: Type.Optional(Type.Unsafe<unknown>({ anyOf: [OpenAiUsageSchema, { type: 'null' }] })),
  },
  { ...anyOtherFields, description: 'The response of the provider, with the Model ID in `model`.' },
)

export const OpenAiResponseRequestSchema = Type.Object(
  {
    model: Type.String({ description: 'The exact Model ID of a chat model.' }),
    input: Type.Unsafe<unknown>({ description: 'A string, or the whole conversation as a list of items.' }),
    max_output_tokens: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Maximum number of tokens in the response. Default: the maximum of the model.' }),
    ),
    stream: Type.Optional(Type.Boolean({ default: false, description: 'Whether the response is sent as server-sent events.' })),
    store: Type.Optional(Type.Boolean({ default: false, description: 'Must be false: responses are not stored.' })),
  },
  {
    ...anyOtherFields,
    description:
      "A request of OpenAI's Responses API. Other fields are forwarded, and the provider of the model decides which of them " +
      'it accepts.',
  },
)

export const OpenAiInputRequestSchema = Type.Object(
  {
    model: Type.String({ description: 'The exact Model ID.' }),
    input: Type.Unsafe<unknown>({ description: 'A string or a list.' }),
  },
  {
    ...anyOtherFields,
    description:
      'A request for embeddings or for a moderation. Other fields are forwarded, and the provider of the model decides which ' +
      'of them it accepts.',
  },
)

export const OpenAiForwardedSchema = Type.Object(
  { model: Type.Optional(Type.String({ description: 'The Model ID.' })) },
  { ...anyOtherFields, description: 'The response of the provider, with the Model ID in `model`.' },
)

const remixFields = {
  prompt: Type.Optional(Type.String()),
  model: Type.Optional(
    Type.String({ description: 'The exact Model ID of a model with `input_video`. Default: the model of the earlier video.' }),
  ),
}

export const OpenAiRemixSchema = Type.Object(remixFields, {
  ...anyOtherFields,
  description:
    'A request to generate a video from an earlier video. All parameters of the model except `input_video` are also accepted.',
})

export const OpenAiVideoEditSchema = Type.Object(
  {
    ...remixFields,
    video: Type.Optional(
      Type.Unsafe<unknown>({
        type: 'string',
        format: 'binary',
        description:
          'The video: a file in a form, or a link or `asset:ID`. These require `model`. For an earlier video, send its id as ' +
          '`video[id]` in a form, or as `{"id": "task_…"}` in JSON.',
      }),
    ),
    seconds: Type.Optional(
      Type.String({ description: 'Length in seconds of the new video, or of the part that an extension adds.' }),
    ),
  },
  {
    description:
      'A request to generate a video from an earlier or uploaded video. All parameters of the model are also accepted.',
  },
)

export const OpenAiImageRequestSchema = Type.Object(
  {
    model: Type.String({ description: 'The exact Model ID of an image model.' }),
    prompt: Type.Optional(Type.String()),
    n: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 1, description: 'Number of images.' })),
    size: Type.Optional(
      Type.String({ description: 'Width and height in pixels, such as `1024x1024`. Sets the aspect ratio and the resolution.' }),
    ),
    response_format: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['b64_json', 'url'],
        default: 'b64_json',
        description: 'Format of the images in the response: base64 or signed links.',
      }),
    ),
    stream: Type.Optional(Type.Boolean({ default: false, description: 'Whether each image is sent as a server-sent event.' })),
  },
  {
    ...anyOtherFields,
    description: "A request for images in the format of OpenAI's API. All parameters of the model are also accepted.",
  },
)

export const OpenAiImageEditSchema = Type.Object(
  {
    model: Type.String({ description: 'The exact Model ID of an image model.' }),
    prompt: Type.Optional(Type.String()),
    image: Type.Optional(
      Type.Unsafe<unknown>({
        type: 'string',
        format: 'binary',
        description: 'The image file to edit. Send several files as `image[]`.',
      }),
    ),
    response_format: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['b64_json', 'url'],
        default: 'b64_json',
        description: 'Format of the images in the response: base64 or signed links.',
      }),
    ),
  },
  // `additionalProperties` is not set, because OpenAPI Generator does not support unknown form
  // fields.
  { description: 'A request to edit images. All parameters of the model are also accepted.' },
)
