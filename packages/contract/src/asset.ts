import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'

const id = Type.String({ description: '`asset_` and a UUIDv7 without dashes. Image parameters refer to it as `asset:ID`.' })
const object = Type.Literal('asset')

export const AssetSchema = Type.Object(
  {
    id,
    object,
    created: Type.Integer({ description: 'Time of the first upload, Unix seconds.' }),
    name: nullable(Type.String({ description: 'Display name, given with the first upload.' })),
    content_type: Type.Unsafe<'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif' | 'image/gif'>({
      type: 'string',
      enum: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'],
      description: 'Media type, detected from the contents. The type that the upload declared is ignored.',
    }),
    size_bytes: Type.Integer({ minimum: 1 }),
    sha256: Type.String({
      description: 'SHA-256 of the file, lower-case hexadecimal. Within an account, identical files are one asset.',
    }),
    width: Type.Integer({ minimum: 1, description: 'In pixels, after the rotation that the file specifies.' }),
    height: Type.Integer({ minimum: 1 }),
    url: Type.String({ description: 'Link to the file as uploaded. It is signed, expires, and is renewed in every response.' }),
    expires_at: Type.Integer({ description: 'Expiry of `url`, Unix seconds.' }),
  },
  { description: 'An image that the account keeps for its tasks.' },
)
export type Asset = Static<typeof AssetSchema>

export const DeletedAssetSchema = Type.Object(
  { id, object, deleted: Type.Literal(true) },
  { description: 'Response to the deletion of an asset, including a repetition within a day.' },
)
export type DeletedAsset = Static<typeof DeletedAssetSchema>
