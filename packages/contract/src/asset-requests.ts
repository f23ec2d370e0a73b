import type { RequestBodySchema } from './admin-requests.ts'

export interface AssetCreateBody {
  url: string
  name?: string
}

export const assetNameCharactersMax = 255

const name = {
  type: 'string',
  minLength: 1,
  maxLength: assetNameCharactersMax,
  means: `a text of 1 to ${assetNameCharactersMax} characters`,
  description: 'For people. Left out: the name of the file.',
} as const

/** An upload by address. */
export const assetCreateBody: RequestBodySchema<AssetCreateBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      minLength: 1,
      means: 'the public http or https address of a picture, or a data URI',
      description: 'The public http or https address of the picture, which is fetched once and now; or a base64 data URI.',
    },
    name,
  },
}

const { means: _means, ...shownName } = name

/** An upload of the file itself, as `multipart/form-data`. */
export const assetUploadForm = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'The picture: JPEG, PNG, WebP, AVIF or GIF, at most 20 MiB.' },
    name: shownName,
  },
} as const
