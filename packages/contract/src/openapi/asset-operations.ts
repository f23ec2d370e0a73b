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
    description: 'The account has this picture already.',
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
      summary: 'Upload a picture',
      description:
        'The file itself as a form. Every parameter that takes a picture then takes `asset:ID`. The file is kept as it is, byte for byte, ' +
        'until it is deleted. The same bytes once more are answered with the asset that there is, so that an upload may always be ' +
        'repeated. It is decoded to its end before it is kept: what is no picture, or is damaged, is refused.',
      key: 'tasks:write',
      form: reference('schemas', 'AssetUpload'),
      answers: keptAsset,
      errors: ['BadUpload', 'QuotaExceeded', 'BodyTooLarge', 'WrongType'],
    }),
    get: operation({
      ...common,
      id: 'listAssets',
      summary: 'List assets',
      description: 'The assets of the account, newest first.',
      key: 'tasks:read',
      parameters: queryParameters(assetListParameters),
      answers: {
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
      summary: 'Import a picture from an address',
      description:
        'The picture is fetched from its address, once and at once, and kept like an upload. The same bytes once more are answered with ' +
        'the asset that there is.',
      key: 'tasks:write',
      body: {
        schema: reference('schemas', 'AssetImport'),
        examples: { byAddress: { summary: 'A picture at an address', value: exampleUpload } },
      },
      answers: keptAsset,
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
      answers: {
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
        'It is shown no more, and new tasks that name it are refused. Tasks that were accepted before still get the picture: where there ' +
        'are some that have not ended, the file goes, and its links stop working, when they have; otherwise at once. Deleting it again ' +
        'within a day is answered the same.',
      key: 'tasks:write',
      parameters: [assetId],
      answers: {
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
