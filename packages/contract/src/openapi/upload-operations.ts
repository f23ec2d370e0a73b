import { uploadMetadataCharactersMax } from '../asset-requests.ts'
import { reference, type Parameter, type Paths, type Response } from './document-types.ts'
import { examples } from './examples.ts'
import { headerReferences, jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import type { ResponseHeader } from './headers.ts'

const common = { tag: 'Assets', source: 'an addition of Framegate; the tus protocol 1.0.0 (https://tus.io/protocols).' } as const
const bytesType = 'application/offset+octet-stream'
const wholeNumber = { type: 'integer', minimum: 0 } as const

const version = headerParameter('Tus-Resumable', 'The version of the tus protocol.', { type: 'string', enum: ['1.0.0'] }, '1.0.0')

const uploadId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `id` of the upload.',
  schema: { type: 'string' },
  example: examples.assetUpload.value.id,
}

function headerParameter(name: string, description: string, schema: object, example?: unknown): Parameter {
  return { name, in: 'header', required: example !== undefined, description, schema, ...(example !== undefined && { example }) }
}

function withoutBody(description: string, headers: readonly ResponseHeader[]): Response {
  return { description, headers: headerReferences(['Tus-Resumable', ...headers]) }
}

export const uploadOperations: Paths = {
  '/v2/assets/uploads': {
    post: operation({
      ...common,
      id: 'createAssetUpload',
      summary: 'Start a resumable upload',
      description:
        'Starts an upload of a large file in several requests, which can be resumed after a lost connection. Any tus client ' +
        'can perform it. The size of the whole file counts towards the quota of the account as soon as the upload starts. An ' +
        'account may have up to 20 unfinished uploads.',
      key: 'tasks:write',
      parameters: [
        version,
        headerParameter(
          'Upload-Length',
          'Size of the whole file in bytes.',
          { type: 'integer', minimum: 1 },
          examples.assetUpload.value.size_bytes,
        ),
        headerParameter(
          'Upload-Metadata',
          'Comma-separated keys, each followed by a space and its value in base64. `name` or `filename` is the display name. ' +
            '`sha256` is the hash of the whole file; the service rejects a file with another hash. HEAD returns all keys unchanged. ' +
            `At most ${uploadMetadataCharactersMax} characters.`,
          { type: 'string' },
        ),
      ],
      responses: {
        201: jsonResponse({
          description: 'The upload was started. Send the bytes to the address in `Location`.',
          schema: reference('schemas', 'ResumableUpload'),
          headers: ['Location', 'Upload-Expires', 'Tus-Resumable'],
          examples: { started: examples.assetUpload },
        }),
      },
      errors: ['BadUploadHeader', 'QuotaExceeded', 'TusVersionUnsupported', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
    get: operation({
      ...common,
      id: 'listAssetUploads',
      summary: 'List unfinished uploads',
      description: 'Lists the uploads of the account that can be resumed, newest first. The list has one page.',
      key: 'tasks:read',
      responses: {
        200: jsonResponse({
          description: 'The uploads.',
          schema: reference('schemas', 'ResumableUploadList'),
          headers: ['Tus-Resumable'],
          examples: { page: examples.assetUploadList },
        }),
      },
    }),
  },
  '/v2/assets/uploads/{id}': {
    get: operation({
      ...common,
      id: 'getAssetUpload',
      summary: 'Show an upload',
      description:
        'Returns the number of received bytes and the outcome: `asset`, or `error` if the file was rejected. An upload can be ' +
        'queried for 24 hours after its last byte; a complete upload, for 24 hours after its completion.',
      key: 'tasks:read',
      parameters: [uploadId],
      responses: {
        200: jsonResponse({
          description: 'The upload.',
          schema: reference('schemas', 'ResumableUpload'),
          headers: ['Tus-Resumable'],
          examples: { receiving: examples.assetUpload, finished: examples.finishedUpload },
        }),
      },
      errors: ['UploadNotFound'],
    }),
    head: operation({
      ...common,
      id: 'getAssetUploadOffset',
      summary: 'Get the offset of an upload',
      description: 'Returns the offset at which the next request continues. If the file was rejected, the response is the error.',
      key: 'tasks:write',
      parameters: [version, uploadId],
      responses: {
        200: withoutBody('The offset.', [
          'Upload-Offset',
          'Upload-Length',
          'Upload-Metadata',
          'Upload-Expires',
          'Content-Location',
        ]),
      },
      errors: ['BadUploadHeader', 'UploadNotFound', 'UploadRefused', 'TusVersionUnsupported', 'BodyTooLarge'],
    }),
    patch: operation({
      ...common,
      id: 'sendAssetUpload',
      summary: 'Send bytes of an upload',
      description:
        'Sends bytes of the file, starting at `Upload-Offset`: all remaining bytes, or a part of them. If the connection is ' +
        'lost, the received bytes are kept; query the offset and continue there. After the last byte, the file is inspected ' +
        'like any other upload, and `Content-Location` has the path of the asset. A request must be complete within two ' +
        'minutes, so send a large file in parts, preferably of 8 MiB. An upload may have up to 1,024 parts. Of two ' +
        'simultaneous requests, one succeeds, and the other gets the error `conflict`.',
      key: 'tasks:write',
      parameters: [
        version,
        headerParameter('Upload-Offset', 'Number of bytes that are already stored.', wholeNumber, 0),
        uploadId,
      ],
      bytesType,
      responses: {
        204: withoutBody('The bytes were stored. After the last byte, the asset exists.', [
          'Upload-Offset',
          'Upload-Expires',
          'Content-Location',
        ]),
      },
      errors: [
        'BadUploadHeader',
        'UploadNotFound',
        'UploadRefused',
        'TusVersionUnsupported',
        'BodyTooLarge',
        'UnsupportedMediaType',
      ],
    }),
    delete: operation({
      ...common,
      id: 'deleteAssetUpload',
      summary: 'Delete an upload',
      description: 'Removes the received bytes. If the upload is complete, its asset is kept.',
      key: 'tasks:write',
      parameters: [version, uploadId],
      responses: { 204: withoutBody('Deleted.', []) },
      errors: ['UploadNotFound', 'TusVersionUnsupported'],
    }),
  },
}
