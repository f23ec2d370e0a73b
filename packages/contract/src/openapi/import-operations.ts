import type { AdminModelImport } from '../admin-imports.ts'
import { modelImportBody } from '../admin-import-requests.ts'
import { body, common, bodyParameters } from './admin-body.ts'
import { reference, type Paths, type Schema } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'

export const importBodies: Record<string, Schema> = { ModelImportRequest: bodyParameters(modelImportBody) }

const imported: AdminModelImport = {
  object: 'model_import',
  saved: false,
  model: {
    id: 'flux-schnell',
    object: 'image',
    title: 'FLUX.1 [schnell]',
    description: 'The fastest images from words.',
    parameters: {
      prompt: {},
      aspect_ratio: { enum: ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9'], default: '1:1' },
      resolution: { enum: ['1K'], default: '1K' },
      seed: {},
      watermark: {},
    },
    required: ['prompt'],
    price: { per_image: 0.01 },
    source: {
      import: 'pack:replicate-flux-schnell',
      digest: 'sha256:8b2c1989584e3b92f2ff6ad81b9484290bb1c23faa3f51915e2967c5d82594c8',
    },
  },
  routes: [
    {
      name: 'flux-schnell',
      route: { model: 'flux-schnell', upstream: 'rep', upstream_model: 'black-forest-labs/flux-schnell' },
    },
  ],
  notes: [],
  prices: [
    { parameters: { resolution: '1K' }, credits: 0.01 },
    { parameters: { resolution: '1K', prompt: 'A red fox in a meadow at dawn' }, credits: 0.01 },
  ],
  price_hint: null,
  drift: null,
  tests: [],
  choices: [],
}

export const importOperations: Paths = {
  '/admin/v1/models/import': {
    post: operation({
      ...common,
      id: 'importModel',
      summary: 'Import a model',
      description:
        'Fetches the schema that a provider publishes, and creates a model and its routes from it. The schema is treated as ' +
        'untrusted input and has size limits. A previously imported model is changed only with `update`. Without `update`, ' +
        '`drift` lists the changes of its source. If a source cannot be imported, the request is rejected and nothing is saved.',
      body: body('ModelImportRequest', {
        sources: ['pack:replicate-flux-schnell'],
        id: 'flux-schnell',
        price: { per_image: 0.01 },
        dry_run: true,
      }),
      responses: {
        200: jsonResponse({
          description: 'The outcome of the import or the dry run.',
          schema: reference('schemas', 'ModelImport'),
          examples: { dryRun: { summary: 'A dry run', value: imported } },
        }),
      },
      errors: ['BadAdminBody', 'Conflict', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/admin/v1/model-packs': {
    get: operation({
      ...common,
      id: 'listModelPacks',
      summary: 'List packs',
      description:
        'Lists the predefined definitions of well-known models that come with Framegate. To import one, use the source ' +
        '`pack:NAME`.',
      responses: {
        200: jsonResponse({
          description: 'All packs.',
          schema: reference('schemas', 'ModelPackList'),
          examples: {},
        }),
      },
    }),
  },
}
