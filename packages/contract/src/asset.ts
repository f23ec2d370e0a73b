import { Type, type Static } from 'typebox'
import type { ErrorCode } from './errors.ts'
import { nullable } from './nullable.ts'

export const assetTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
  'video/mp4',
  'video/quicktime',
  'video/webm',
  'audio/mpeg',
  'audio/wav',
  'audio/mp4',
  'audio/flac',
  'audio/ogg',
] as const

const id = Type.String({
  description: '`asset_` and a UUIDv7 without dashes. Parameters that take an image, a video or sound refer to it as `asset:ID`.',
})
const object = Type.Literal('asset')

export const AssetSchema = Type.Object(
  {
    id,
    object,
    created: Type.Integer({ description: 'Time of the first upload, Unix seconds.' }),
    name: nullable(Type.String({ description: 'Display name, or file name, of the first upload. Null: it had neither.' })),
    content_type: Type.Unsafe<(typeof assetTypes)[number]>({
      type: 'string',
      enum: assetTypes,
      description: 'Media type, detected from the contents. The type that the upload declared is ignored.',
    }),
    size_bytes: Type.Integer({ minimum: 1 }),
    sha256: Type.String({
      description: 'SHA-256 of the file, lower-case hexadecimal. Within an account, identical files are one asset.',
    }),
    width: nullable(
      Type.Integer({ minimum: 1, description: 'Width in pixels, after the rotation that the file specifies; null for sound.' }),
    ),
    height: nullable(Type.Integer({ minimum: 1 })),
    seconds: nullable(Type.Number({ minimum: 0, description: 'Length of a video or sound; null for images.' })),
    fps: nullable(Type.Number({ minimum: 0, description: 'Average frame rate of a video; null for images and sound.' })),
    has_audio: Type.Boolean({ description: 'True for sound, and for a video with a sound track.' }),
    url: Type.String({
      description: 'Link to the unchanged file. The link is signed and expires. Every response has a new link.',
    }),
    expires_at: Type.Integer({ description: 'Expiry of `url`, Unix seconds.' }),
  },
  { description: 'An image, video or sound that the account keeps for its tasks.' },
)
export type Asset = Static<typeof AssetSchema>

export const DeletedAssetSchema = Type.Object(
  { id, object, deleted: Type.Literal(true) },
  { description: 'Response to the deletion of an asset. A repeated deletion gets the same response for a day.' },
)
export type DeletedAsset = Static<typeof DeletedAssetSchema>

export const ResumableUploadSchema = Type.Object(
  {
    id: Type.String({ description: '`upload_` and a UUIDv7 without dashes.' }),
    object: Type.Literal('asset_upload'),
    created: Type.Integer({ description: 'Unix seconds.' }),
    name: nullable(Type.String({ description: 'Display name that the asset will have, from `Upload-Metadata`.' })),
    size_bytes: Type.Integer({ minimum: 1, description: 'Size of the whole file.' }),
    received_bytes: Type.Integer({
      minimum: 0,
      description: 'Number of stored bytes. The next request continues at this offset.',
    }),
    sha256: nullable(Type.String({ description: 'SHA-256 of the whole file as given by the client, lower-case hexadecimal.' })),
    expires_at: Type.Integer({
      description: 'Time at which the upload expires, Unix seconds. Until then it can be resumed or queried.',
    }),
    asset: Type.Unsafe<Asset | null>({
      anyOf: [{ $ref: '#/components/schemas/Asset' }, { type: 'null' }],
      description: 'The asset, once all bytes have arrived.',
    }),
    error: Type.Unsafe<{ code: ErrorCode; message: string; param: string | null } | null>({
      type: ['object', 'null'],
      description: 'The reason why the file was rejected. A rejected upload cannot be resumed. Null: the file was not rejected.',
      required: ['code', 'message', 'param'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, param: { type: ['string', 'null'] } },
    }),
  },
  { description: 'An asset that is uploaded in several requests.' },
)
export type ResumableUpload = Static<typeof ResumableUploadSchema>
