import type { RequestBodySchema } from './admin-requests.ts'

export interface AssetImportBody {
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

/** Imports an image that the service fetches from a URL. */
export const assetImportBody: RequestBodySchema<AssetImportBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      pattern: String.raw`^([Hh][Tt][Tt][Pp][Ss]?:\/\/|[Dd][Aa][Tt][Aa]:)`,
      means: 'the public http or https address of a picture, or a data URI',
      description: 'The public http or https address of the picture, which is fetched once and at once; or a data URI in base64.',
    },
    name,
  },
}

const { means: _means, ...shownName } = { ...name, pattern: String.raw`\S` }

/** Uploads the file itself as `multipart/form-data`. */
export const assetUploadForm = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'The picture: JPEG, PNG, WebP, AVIF or GIF, at most 20 MiB.' },
    name: shownName,
  },
} as const
