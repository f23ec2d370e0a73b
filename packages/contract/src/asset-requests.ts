import type { RequestBodySchema } from './request-body.ts'

export interface AssetImportBody {
  url: string
  name?: string
}

export const assetNameCharactersMax = 255

/** Maximum length of the header `Upload-Metadata`. */
export const uploadMetadataCharactersMax = 4096

const name = {
  type: 'string',
  minLength: 1,
  maxLength: assetNameCharactersMax,
  means: `a text of 1 to ${assetNameCharactersMax} characters`,
  description: 'Display name. Default: the name of the file.',
} as const

/** Body of an asset import: the service fetches the file from a URL. */
export const assetImportBody: RequestBodySchema<AssetImportBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      pattern: String.raw`^([Hh][Tt][Tt][Pp][Ss]?:\/\/|[Dd][Aa][Tt][Aa]:)`,
      means: 'the public http or https address of an image, video or sound, or a data URI',
      description:
        'The public http or https address of the image, video or sound, or a base64 data URI. The service fetches the address ' +
        'once, during the request.',
    },
    name,
  },
}

const { means: _means, ...shownName } = { ...name, pattern: String.raw`\S` }

/** Form of an asset upload: the file itself, as `multipart/form-data`. */
export const assetUploadForm = {
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      description:
        'An image (JPEG, PNG, WebP, AVIF or GIF) of at most 20 MiB, a video (MP4, MOV or WebM) of at most 200 MiB, or sound ' +
        '(MP3, WAV, M4A, FLAC or OGG) of at most 50 MiB. Video and sound of at most 10 minutes.',
    },
    name: shownName,
  },
} as const
