import { assetImportBody, assetUploadForm } from '../asset-requests.ts'
import { assetListParameters } from '../parameters.ts'
import { bodyParameters } from './admin-body.ts'
import { reference, type Parameter, type Paths } from './document-types.ts'
import { examples, exampleUpload } from './examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

export const assetBodies = { AssetImport: bodyParameters(assetImportBody), AssetUpload: assetUploadForm }

const common = { tag: 'Assets', source: 'an addition of Framegate.' } as const

const assetId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `id` of the asset.',
  schema: { type: 'string' },
  example: examples.asset.value.id,
}

const storedAsset = {
  200: jsonResponse({
    description: 'The account already has this file. The response is the existing asset.',
    schema: reference('schemas', 'Asset'),
    headers: ['Location'],
    examples: { asset: examples.asset },
  }),
  201: jsonResponse({
    description: 'The new asset.',
    schema: reference('schemas', 'Asset'),
    headers: ['Location'],
    examples: { asset: examples.asset },
  }),
}

export const assetOperations: Paths = {
  '/v2/assets': {
    post: operation({
      ...common,
      id: 'createAsset',
      summary: 'Upload an image, video or sound',
      description:
        'Uploads a file as a form. Parameters that take a file of this kind then accept `asset:ID`. The file is stored ' +
        'unchanged until it is deleted. An upload of identical bytes returns the existing asset, so an upload can always be ' +
        'retried. Before the service stores a file, it decodes an image completely, and reads the complete index of a video or ' +
        'sound. Damaged files and other formats are rejected.',
      key: 'tasks:write',
      form: reference('schemas', 'AssetUpload'),
      responses: storedAsset,
      errors: ['BadUpload', 'QuotaExceeded', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
    get: operation({
      ...common,
      id: 'listAssets',
      summary: 'List assets',
      description: 'Lists the assets of the account, newest first.',
      key: 'tasks:read',
      parameters: queryParameters(assetListParameters),
      responses: {
        200: jsonResponse({
          description: 'A page of assets.',
          schema: reference('schemas', 'AssetList'),
          examples: { page: examples.assetList },
        }),
      },
      errors: ['BadQuery'],
    }),
  },
  '/v2/assets/import': {
    post: operation({
      ...common,
      id: 'importAsset',
      summary: 'Import a file from an address',
      description:
        'Fetches a file from its address once, during the request, and stores it like an upload. An import of identical bytes ' +
        'returns the existing asset.',
      key: 'tasks:write',
      body: {
        schema: reference('schemas', 'AssetImport'),
        examples: { byAddress: { summary: 'An image at an address', value: exampleUpload } },
      },
      responses: storedAsset,
      errors: ['BadTask', 'QuotaExceeded', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/v2/assets/{id}': {
    get: operation({
      ...common,
      id: 'getAsset',
      summary: 'Show an asset',
      description: 'Returns the asset with a new link to its file.',
      key: 'tasks:read',
      parameters: [assetId],
      responses: {
        200: jsonResponse({
          description: 'The asset.',
          schema: reference('schemas', 'Asset'),
          examples: { asset: examples.asset },
        }),
      },
      errors: ['AssetNotFound'],
    }),
    delete: operation({
      ...common,
      id: 'deleteAsset',
      summary: 'Delete an asset',
      description:
        'The asset is no longer shown, and new tasks that refer to it are rejected. Tasks that were accepted earlier can still ' +
        'use the file: it is kept, and its links work, until these tasks have ended. Without such tasks, the file is removed ' +
        'immediately. For a day, a repeated deletion gets the same response.',
      key: 'tasks:write',
      parameters: [assetId],
      responses: {
        200: jsonResponse({
          description: 'The asset was deleted.',
          schema: reference('schemas', 'DeletedAsset'),
          examples: { deleted: examples.deletedAsset },
        }),
      },
      errors: ['AssetNotFound'],
    }),
  },
}
