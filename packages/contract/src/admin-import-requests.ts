import type { RequestBodySchema } from './admin-requests.ts'

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

const anObject = (means: string, description: string) => ({ type: 'object', means, description })
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
        'Where the model comes from: `fal:ENDPOINT`, `replicate:OWNER/NAME[:VERSION]`, `comfyui:FLOW.json`, ' +
        '`openai:UPSTREAM[:MODEL]`, `openrouter:MODEL`, `file:ADDRESS` or `pack:NAME`. Several sources of fal or of Replicate become ' +
        'one model with a route for each.',
    },
    id: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      means: 'a Model ID of 1 to 128 printable characters',
      description: 'The Model ID. Default: that of an earlier import from the same sources, or a name from the source.',
    },
    upstream: {
      type: 'string',
      minLength: 1,
      maxLength: 63,
      means: 'the name of an upstream',
      description: 'The upstream that will serve it. Default: the only one with the driver of the source.',
    },
    object: {
      type: 'string',
      enum: ['image', 'video', 'chat'],
      means: 'image, video or chat',
      description: 'What the model makes, where the source does not say.',
    },
    price: anObject(
      'an object such as {"per_second": 0.1}',
      "The price, as in a model's definition. Without one the model is not offered.",
    ),
    workflow: anObject('a workflow in the API format', 'For `comfyui:`: the workflow in the API format.'),
    editor_file: anObject(
      "the editor's file of the workflow",
      "For `comfyui:`: the editor's file of the workflow, for its App Mode.",
    ),
    document: anObject('a definition', 'For `file:`: the contents of a file, in place of an address.'),
    dry_run: flag('True: nothing is written. Default: false.'),
    update: flag('True: applies the changes of the source to a model that was imported before. Default: false.'),
  },
}
