import type { Model } from '../model.ts'
import { modelListParameters } from '../parameters.ts'
import { reference, type Paths } from './document-types.ts'
import { modelExample, modelListExample } from './examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

export function modelOperations(models: readonly Model[]): Paths {
  return {
    '/v2/model-center/models': {
      get: operation({
        id: 'listModels',
        tag: 'Models',
        summary: 'List models',
        description: 'Lists all models that the account may see, in pages. They include models that it may not invoke.',
        source: 'an addition of Framegate; the Model IDs are those of specification 2.4 and 2.6.',
        key: 'any',
        parameters: queryParameters(modelListParameters),
        responses: {
          200: jsonResponse({
            description: 'A page of models.',
            schema: reference('schemas', 'ModelList'),
            examples: { page: modelListExample(models) },
          }),
        },
        errors: ['BadQuery'],
      }),
    },
    '/v2/model-center/models/{id}': {
      get: operation({
        id: 'getModel',
        tag: 'Models',
        summary: 'Show a model',
        description: 'Returns one model, with the JSON Schema of its request body in `parameters`.',
        source: 'an addition of Framegate; specification 2.3 shows the parameters of `imgA_5.0Pro`.',
        key: 'any',
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'The Model ID, percent-encoded: spaces are `%20`.',
            schema: { type: 'string' },
            example: 'imgA_5.0Pro',
          },
        ],
        responses: {
          200: jsonResponse({
            description: 'The model.',
            schema: reference('schemas', 'Model'),
            examples: { imgA_5_0Pro: modelExample(models) },
          }),
        },
        errors: ['ModelNotFound'],
      }),
    },
  }
}
