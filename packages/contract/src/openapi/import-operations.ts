import type { AdminModelImport, AdminModelPack } from '../admin-imports.ts'
import { modelImportBody } from '../admin-import-requests.ts'
import type { List } from '../list.ts'
import { body, common, shownBody } from './admin-body.ts'
import { reference, type Paths, type Schema } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'

export const importBodies: Record<string, Schema> = { ModelImportRequest: shownBody(modelImportBody) }

const packs: List<AdminModelPack> = {
  object: 'list',
  items: [
    {
      object: 'model_pack',
      name: 'flux-2-pro',
      driver: 'fal',
      makes: 'image',
      title: 'FLUX.2 [pro]',
      description: 'Photorealistic images from words and up to eight references.',
    },
  ],
  has_more: false,
  next_cursor: null,
}

const imported: AdminModelImport = {
  object: 'model_import',
  saved: false,
  model: {
    id: 'deer-2',
    object: 'video',
    title: 'Deer 2',
    parameters: { prompt: { maxLength: 2500 }, seconds: { enum: [5, 10], default: 5 }, first_frame: {} },
    required: ['prompt'],
    price: { per_second: 0.1 },
    source: { import: 'fal:fal-ai/deer-2/image-to-video', digest: 'sha256:2f6c' },
  },
  routes: [
    {
      name: 'deer-2',
      route: {
        model: 'deer-2',
        upstream: 'fal-main',
        upstream_model: 'fal-ai/deer-2/image-to-video',
        input: {
          prompt: { required: true },
          seconds: { field: 'duration', values: { 5: '5', 10: '10' } },
          first_frame: { field: 'image_url' },
        },
      },
    },
  ],
  notes: [{ field: 'sync_mode', message: 'It was left out: results are fetched by their address.' }],
  prices: [{ parameters: { seconds: 5 }, credits: 0.5 }],
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
        'Reads the schema that a provider publishes, and writes a model with its routes. The service fetches the schema itself, ' +
        'within limits; every schema is treated as untrusted. A model that was imported before changes only with `update`: without it, ' +
        '`drift` shows what its source has changed. A source that cannot be imported is refused with one sentence, and nothing is written.',
      body: body('ModelImportRequest', {
        sources: ['fal:fal-ai/deer-2/image-to-video'],
        id: 'deer-2',
        price: { per_second: 0.1 },
        dry_run: true,
      }),
      responses: {
        200: jsonResponse({
          description: 'What the import wrote, or would write.',
          schema: reference('schemas', 'ModelImport'),
          examples: { dryRun: { summary: 'A dry run', value: imported } },
        }),
      },
      errors: ['BadAdminBody', 'Conflict', 'BodyTooLarge', 'WrongType'],
    }),
  },
  '/admin/v1/model-packs': {
    get: operation({
      ...common,
      id: 'listModelPacks',
      summary: 'List packs',
      description: 'Ready definitions of well-known models, which come with Framegate. `pack:NAME` imports one.',
      responses: {
        200: jsonResponse({
          description: 'All packs.',
          schema: reference('schemas', 'ModelPackList'),
          examples: { one: { summary: 'One of the packs', value: packs } },
        }),
      },
    }),
  },
}
