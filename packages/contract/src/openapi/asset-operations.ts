import { assetImportBody, assetUploadForm } from '../asset-requests.ts'
import { assetListParameters } from '../parameters.ts'
import { shownBody } from './admin-body.ts'
import { reference, type Parameter, type Paths } from './document-types.ts'
import { examples, exampleUpload } from './examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

export const assetBodies = { AssetImport: shownBody(assetImportBody), AssetUpload: assetUploadForm }

const common = { tag: 'Assets', source: 'an addition of Framegate.' } as const

const assetId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `id` of the asset.',
  schema: { type: 'string' },
  example: examples.asset.value.id,
}

const keptAsset = {
  200: jsonResponse({
    description: 'The account has this file already.',
    schema: reference('schemas', 'Asset'),
    headers: ['Location'],
    examples: { asset: examples.asset },
  }),
  201: jsonResponse({
    description: 'Kept.',
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
        'Uploads the file as a form. Every parameter of its kind then accepts `asset:ID`. The file is kept unchanged until it ' +
        'is deleted. Uploading identical bytes again returns the existing asset, so an upload may always be repeated. Before ' +
        'the service keeps a file, it decodes an image, and reads the index of a video or sound to its end. It refuses a file ' +
        'that is damaged or of another kind.',
      key: 'tasks:write',
      form: reference('schemas', 'AssetUpload'),
      responses: keptAsset,
      errors: ['BadUpload', 'QuotaExceeded', 'BodyTooLarge', 'WrongType'],
    }),
    get: operation({
      ...common,
      id: 'listAssets',
      summary: 'List assets',
      description: 'The assets of the account, newest first.',
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
        'The service fetches the file from its address, once and during the request, and keeps it like an upload. Importing ' +
        'identical bytes again returns the existing asset.',
      key: 'tasks:write',
      body: {
        schema: reference('schemas', 'AssetImport'),
        examples: { byAddress: { summary: 'An image at an address', value: exampleUpload } },
      },
      responses: keptAsset,
      errors: ['BadTask', 'QuotaExceeded', 'BodyTooLarge', 'WrongType'],
    }),
  },
  '/v2/assets/{id}': {
    get: operation({
      ...common,
      id: 'getAsset',
      summary: 'Show an asset',
      description: 'The asset, with a fresh link to its file.',
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
        'The asset is no longer shown, and new tasks that refer to it are refused. Tasks that were accepted earlier still get ' +
        'the file: it and its links stay until these tasks have ended. Without such tasks the file is removed ' +
        'immediately. Deleting the asset again within a day returns the same response.',
      key: 'tasks:write',
      parameters: [assetId],
      responses: {
        200: jsonResponse({
          description: 'Deleted.',
          schema: reference('schemas', 'DeletedAsset'),
          examples: { deleted: examples.deletedAsset },
        }),
      },
      errors: ['AssetNotFound'],
    }),
  },
}
