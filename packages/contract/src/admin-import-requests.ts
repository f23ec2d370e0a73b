import type { RequestBodySchema } from './request-body.ts'

export interface ModelImportBody {
  sources: string[]
  id?: string
  upstream?: string
  object?: 'image' | 'video' | 'chat'
  price?: Record<string, unknown>
  workflow?: Record<string, unknown>
  editor_file?: Record<string, unknown>
  document?: Record<string, unknown>
  dry_run?: boolean
  update?: boolean
}

const anyObject = (means: string, description: string) => ({ type: 'object', means, description })
const flag = (description: string) => ({ type: 'boolean', means: 'true or false', description })

export const modelImportBody: RequestBodySchema<ModelImportBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['sources'],
  properties: {
    sources: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 2_048 },
      minItems: 1,
      maxItems: 8,
      means: 'a list of 1 to 8 sources such as fal:fal-ai/flux-2-pro',
      description:
        'Sources of the model: `fal:ENDPOINT`, `replicate:OWNER/NAME[:VERSION]`, `comfyui:FLOW.json`, ' +
        '`openai:UPSTREAM[:MODEL]`, `openrouter:MODEL`, `file:URL`, or `pack:NAME` (a definition that comes with ' +
        'Framegate). Several fal endpoints, or several Replicate models, are combined into one model with a route for each.',
    },
    id: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      means: 'a Model ID of 1 to 128 printable characters',
      description:
        'The Model ID. Default: the ID of an earlier import from the same sources, otherwise a name derived from the source.',
    },
    upstream: {
      type: 'string',
      minLength: 1,
      maxLength: 63,
      means: 'the name of an upstream',
      description:
        'The upstream that will serve the model. Default: the upstream with the required driver, if there is only one.',
    },
    object: {
      type: 'string',
      enum: ['image', 'video', 'chat'],
      means: 'image, video or chat',
      description: 'Kind of result. Required if the source does not specify it.',
    },
    price: anyObject(
      'an object such as {"per_second": 0.1}',
      'The `price` of the model definition. A model without a price is not offered to clients.',
    ),
    workflow: anyObject('a workflow in the API format', 'For `comfyui:`: the workflow in the API format of ComfyUI.'),
    editor_file: anyObject(
      'the file that the ComfyUI editor saves',
      'For `comfyui:`: the workflow file as the ComfyUI editor saves it. The inputs of its App Mode become parameters.',
    ),
    document: anyObject(
      'a model definition',
      'For `file:`: the model definition. If it is set, the service does not fetch the URL.',
    ),
    dry_run: flag('True: shows the outcome without saving anything. Default: false.'),
    update: flag('True: applies changes of the source to a previously imported model. Default: false.'),
  },
}
