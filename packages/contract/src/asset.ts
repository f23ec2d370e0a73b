import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'

const id = Type.String({ description: '`asset_` and a UUIDv7 without dashes. Picture parameters name it as `asset:ID`.' })
const object = Type.Literal('asset')

export const AssetSchema = Type.Object(
  {
    id,
    object,
    created: Type.Integer({ description: 'When it was uploaded first, Unix seconds.' }),
    name: nullable(Type.String({ description: 'What it was called when it was uploaded first, for people.' })),
    content_type: Type.Unsafe<'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif' | 'image/gif'>({
      type: 'string',
      enum: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'],
      description: 'By its contents, whatever the upload has said.',
    }),
    size_bytes: Type.Integer({ minimum: 1 }),
    sha256: Type.String({ description: 'Of the file, lower-case hexadecimal: the same bytes are one asset of an account.' }),
    width: Type.Integer({ minimum: 1, description: 'In pixels, as shown: a rotation that the file asks for is counted in.' }),
    height: Type.Integer({ minimum: 1 }),
    url: Type.String({ description: 'The file as it was uploaded: signed, expiring, made fresh with every answer.' }),
    expires_at: Type.Integer({ description: 'When `url` stops working, Unix seconds.' }),
  },
  { description: 'A picture that the account keeps for its tasks.' },
)
export type Asset = Static<typeof AssetSchema>

export const DeletedAssetSchema = Type.Object(
  { id, object, deleted: Type.Literal(true) },
  { description: 'What deleting an asset answers, also when it is done again within a day.' },
)
export type DeletedAsset = Static<typeof DeletedAssetSchema>
