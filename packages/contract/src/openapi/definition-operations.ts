import { modelChangeBody, modelCreateBody } from '../admin-model-requests.ts'
import { adminListParameters } from '../parameters.ts'
import { body, common, bodyParameters } from './admin-body.ts'
import { definitionExamples as examples } from './definition-examples.ts'
import { reference, type Example, type Parameter, type Paths, type Schema } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

export const definitionBodies: Record<string, Schema> = {
  ModelDefinitionCreate: bodyParameters(modelCreateBody),
  ModelDefinitionChange: bodyParameters(modelChangeBody),
}

const id: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The Model ID.',
  schema: { type: 'string' },
  example: examples.shown.value.id,
}

const definitionResponse = (description: string, example?: Example) =>
  jsonResponse({ description, schema: reference('schemas', 'ModelDefinition'), examples: example ? { shown: example } : {} })

export const definitionOperations: Paths = {
  '/admin/v1/models': {
    get: operation({
      ...common,
      id: 'listModelDefinitions',
      summary: 'List model definitions',
      description:
        'Lists the models that operators have defined. Models from the configuration file and the folder `models` come first, ' +
        'followed by models that were set through the API. Built-in models are not listed.',
      parameters: queryParameters(adminListParameters),
      responses: {
        200: jsonResponse({
          description: 'A page of models.',
          schema: reference('schemas', 'ModelDefinitionList'),
          examples: { list: examples.list },
        }),
      },
      errors: ['BadQuery'],
    }),
    post: operation({
      ...common,
      id: 'createModelDefinition',
      summary: 'Define a model',
      description:
        'Adds a model to the catalogue. The change takes effect immediately in this process, and within a second in other ' +
        'processes. Until an image or video model has a route, the embedded driver renders placeholder results.',
      body: body('ModelDefinitionCreate', examples.definition.value),
      responses: { 201: definitionResponse('The new model.', examples.shown) },
      errors: ['BadAdminBody', 'Conflict', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/admin/v1/models/preview': {
    post: operation({
      ...common,
      id: 'previewModelDefinition',
      summary: 'Preview a model definition',
      description:
        'Validates a definition and returns the model as clients would see it without routes. Nothing is saved. A definition ' +
        'without a price can be previewed if a price was set for its Model ID.',
      body: body('ModelDefinitionCreate', examples.definition.value),
      responses: { 200: jsonResponse({ description: 'The model.', schema: reference('schemas', 'Model'), examples: {} }) },
      errors: ['BadAdminBody', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/admin/v1/models/{id}': {
    get: operation({
      ...common,
      id: 'getModelDefinition',
      summary: 'Show a model definition',
      description: 'Returns one model that an operator has defined.',
      parameters: [id],
      responses: { 200: definitionResponse('The model.', examples.shown) },
      errors: ['ResourceNotFound'],
    }),
    patch: operation({
      ...common,
      id: 'changeModelDefinition',
      summary: 'Change a model definition',
      description:
        'Replaces the given fields of the definition. Null removes a field. Tasks that were already accepted keep the earlier ' +
        'definition. A model that is defined in a file can be changed only in that file.',
      parameters: [id],
      body: body('ModelDefinitionChange', examples.change.value),
      responses: { 200: definitionResponse('The model.') },
      errors: ['BadAdminBody', 'ResourceNotFound', 'Conflict', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
    delete: operation({
      ...common,
      id: 'deleteModelDefinition',
      summary: 'Delete a model definition',
      description:
        'Deletes the definition. The request is rejected while a route names this model. Tasks that were already accepted ' +
        'continue. Tasks, prices and usage keep the Model ID.',
      parameters: [id],
      responses: { 200: definitionResponse('The deleted model.') },
      errors: ['ResourceNotFound', 'Conflict'],
    }),
  },
}
