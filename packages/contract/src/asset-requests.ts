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
  description: 'Display name. Default: the name of the file.',
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
      means: 'the public http or https address of an image, or a data URI',
      description:
        'The public http or https address of the image, or a base64 data URI. The service fetches the address once, during the ' +
        'request.',
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
    file: { type: 'string', format: 'binary', description: 'The image: JPEG, PNG, WebP, AVIF or GIF, at most 20 MiB.' },
    name: shownName,
  },
} as const
