import { videoContentParameters, videoListParameters } from '../parameters.ts'
import { reference, type Parameter, type Paths } from './document-types.ts'
import { headerReferences, jsonResponse } from './json-response.ts'
import { openAiExamples as examples } from './openai-examples.ts'
import { operation } from './operation.ts'
import { queryParameters, shared } from './parameters.ts'

const common = { tag: 'OpenAI', source: "an addition of Framegate, compatible with OpenAI's API." } as const

const videoId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the task, regardless of the API that submitted it.',
  schema: { type: 'string' },
  example: examples.video.value.id,
}

const modelId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The exact Model ID, percent-encoded.',
  schema: { type: 'string' },
  example: examples.model.value.id,
}

const video = jsonResponse({
  description: 'The video.',
  schema: reference('schemas', 'OpenAiVideo'),
  headers: ['openai-poll-after-ms'],
  examples: { video: examples.video },
})

const changedVideo = jsonResponse({
  description: 'The new video.',
  schema: reference('schemas', 'OpenAiVideo'),
  headers: ['openai-poll-after-ms'],
  examples: {},
})

const images = {
  200: jsonResponse({
    description: 'The images. With `stream`, the body is `text/event-stream`.',
    schema: reference('schemas', 'OpenAiImages'),
    examples: {},
  }),
}

const videoErrors = [
  'BadTask',
  'InsufficientCredits',
  'ForbiddenTask',
  'ModelNotFound',
  'KeyReusedOrQuotaExceeded',
  'BodyTooLarge',
  'UnsupportedMediaType',
  'TooManyRequests',
  'Unavailable',
] as const

/** Errors of requests that name an earlier video. */
const changeErrors = [...videoErrors.filter((name) => name !== 'ModelNotFound'), 'ModelOrTaskNotFound', 'ResultExpired'] as const

const imageErrors = [
  'BadTask',
  'InsufficientCredits',
  'ForbiddenTask',
  'ModelNotFound',
  'KeyReusedOrQuotaExceeded',
  'ResultExpired',
  'BodyTooLarge',
  'UnsupportedMediaType',
  'GenerationFailed',
  'TooManyRequests',
  'Unavailable',
  'StillRunning',
] as const

export const openAiOperations: Paths = {
  '/v1/models': {
    get: operation({
      ...common,
      id: 'openAiListModels',
      summary: 'List models',
      description: 'Lists the models that the service offers.',
      key: 'any',
      responses: {
        200: jsonResponse({ description: 'All models.', schema: reference('schemas', 'OpenAiModelList'), examples: {} }),
      },
    }),
  },
  '/v1/models/{id}': {
    get: operation({
      ...common,
      id: 'openAiGetModel',
      summary: 'Show a model',
      description: 'Returns one model.',
      key: 'any',
      parameters: [modelId],
      responses: {
        200: jsonResponse({
          description: 'The model.',
          schema: reference('schemas', 'OpenAiModel'),
          examples: { model: examples.model },
        }),
      },
      errors: ['ModelNotFound'],
    }),
  },
  '/v1/videos': {
    post: operation({
      ...common,
      id: 'openAiCreateVideo',
      summary: 'Create a video',
      description:
        'Accepts JSON, or a form (`multipart/form-data`) with the same fields. Files in a form become assets of the account. ' +
        'The video is a task, which the v1 and v2 APIs also show.',
      key: 'tasks:write',
      parameters: shared('IdempotencyKey'),
      body: { schema: reference('schemas', 'OpenAiVideoRequest'), examples: { video: examples.videoBody } },
      responses: { 200: video },
      errors: [...videoErrors],
    }),
    get: operation({
      ...common,
      id: 'openAiListVideos',
      summary: 'List videos',
      description: 'Lists the tasks of video models, newest first unless `order` is `asc`.',
      key: 'tasks:read',
      parameters: queryParameters(videoListParameters),
      responses: {
        200: jsonResponse({
          description: 'A page of videos.',
          schema: reference('schemas', 'OpenAiVideoList'),
          examples: { videos: examples.videos },
        }),
      },
      errors: ['BadQuery'],
    }),
  },
  '/v1/videos/{id}': {
    get: operation({
      ...common,
      id: 'openAiGetVideo',
      summary: 'Query a video',
      description:
        'Returns the video. While its task runs, the header `openai-poll-after-ms` has the recommended time until the next ' +
        'poll.',
      key: 'tasks:read',
      parameters: [videoId],
      responses: { 200: video },
      errors: ['TaskNotFound'],
    }),
    delete: operation({
      ...common,
      id: 'openAiDeleteVideo',
      summary: 'Delete a video',
      description: 'Deletes the task with its result and its prompt. A running task is cancelled first.',
      key: 'tasks:write',
      parameters: [videoId],
      responses: {
        200: jsonResponse({
          description: 'The video was deleted.',
          schema: reference('schemas', 'OpenAiDeletedVideo'),
          examples: { deleted: examples.deleted },
        }),
      },
      errors: ['TaskNotFound'],
    }),
  },
  '/v1/videos/{id}/content': {
    get: operation({
      ...common,
      id: 'openAiDownloadVideo',
      summary: 'Download a video',
      description:
        'Redirects to the signed link of the file. Thumbnails and spritesheets are created when their link is first requested.',
      key: 'tasks:read',
      parameters: [videoId, ...queryParameters(videoContentParameters)],
      responses: { 302: { description: 'The address of the file.', headers: headerReferences(['Location']) } },
      errors: ['BadQuery', 'VideoNotFound', 'ResultExpired'],
    }),
  },
  '/v1/videos/{id}/remix': {
    post: operation({
      ...common,
      id: 'openAiRemixVideo',
      summary: 'Remix a video',
      description:
        'Generates a new video from an earlier one, which is passed as the parameter `input_video` of the model. Accepts JSON ' +
        'or a form.',
      key: 'tasks:write',
      parameters: [videoId, ...shared('IdempotencyKey')],
      body: { schema: reference('schemas', 'OpenAiRemix'), examples: { remix: examples.remixBody } },
      responses: { 200: changedVideo },
      errors: [...changeErrors],
    }),
  },
  '/v1/videos/edits': {
    post: operation({
      ...common,
      id: 'openAiEditVideo',
      summary: 'Edit a video',
      description: 'Generates a new video from an earlier or uploaded video. Accepts a form or JSON.',
      key: 'tasks:write',
      parameters: shared('IdempotencyKey'),
      form: reference('schemas', 'OpenAiVideoEdit'),
      responses: { 200: changedVideo },
      errors: [...changeErrors],
    }),
  },
  '/v1/videos/extensions': {
    post: operation({
      ...common,
      id: 'openAiExtendVideo',
      summary: 'Extend a video',
      description: 'Generates a new video that continues an earlier or uploaded video. Accepts a form or JSON.',
      key: 'tasks:write',
      parameters: shared('IdempotencyKey'),
      form: reference('schemas', 'OpenAiVideoEdit'),
      responses: { 200: changedVideo },
      errors: [...changeErrors],
    }),
  },
  '/v1/images/generations': {
    post: operation({
      ...common,
      id: 'openAiCreateImages',
      summary: 'Generate images',
      description:
        'Responds once all images are complete. With `stream`, each image is sent as an event `image_generation.completed`. If ' +
        'the client disconnects, the tasks of the images continue.',
      key: 'tasks:write',
      parameters: shared('IdempotencyKey'),
      body: { schema: reference('schemas', 'OpenAiImageRequest'), examples: { link: examples.imageBody } },
      responses: images,
      errors: [...imageErrors],
    }),
  },
  '/v1/images/edits': {
    post: operation({
      ...common,
      id: 'openAiEditImages',
      summary: 'Edit images',
      description:
        'Works like image generation. The images of the request are passed as the parameter `reference_images`. A request ' +
        'without an image is rejected. Accepts a form or JSON.',
      key: 'tasks:write',
      parameters: shared('IdempotencyKey'),
      form: reference('schemas', 'OpenAiImageEdit'),
      responses: images,
      errors: [...imageErrors],
    }),
  },
}
