import { assetTypes } from '../asset.ts'
import type { Parameter, Paths } from './document-types.ts'
import { exampleLink } from './examples.ts'
import { fileHeaders } from './headers.ts'
import { headerReferences } from './json-response.ts'
import { operation } from './operation.ts'
import { shared } from './parameters.ts'

const fileTypes = [...new Set(['video/mp4', 'image/png', ...assetTypes, 'text/plain'])]

const file = Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]))

const rangeHeaders: Parameter[] = [
  {
    name: 'Range',
    in: 'header',
    description:
      'A single range of the file (RFC 9110), such as `bytes=0-1023`, for players that seek and downloads that resume. A request ' +
      'for several ranges gets the whole file.',
    schema: { type: 'string' },
  },
  {
    name: 'If-Range',
    in: 'header',
    description: 'The expected `ETag`. If the file has another `ETag`, the response is the whole file.',
    schema: { type: 'string' },
  },
]

const linkParameters: Parameter[] = [
  {
    name: 'asset',
    in: 'path',
    required: true,
    description: 'Part of `result_url`: the name of the file.',
    schema: { type: 'string' },
    example: exampleLink.asset,
  },
  {
    name: 'expires',
    in: 'query',
    required: true,
    description: 'Part of `result_url`: the expiry of the link, Unix seconds.',
    schema: { type: 'integer' },
    example: exampleLink.expires,
  },
  {
    name: 'signature',
    in: 'query',
    required: true,
    description: "Part of `result_url`: the service's signature of the link.",
    schema: { type: 'string' },
    example: exampleLink.signature,
  },
]

const media = {
  tag: 'Results',
  source: 'specification 2.1 and 8 (result URLs expire); everything else is an addition of Framegate.',
  key: 'none',
} as const

const unchanged = { description: 'The file matches `If-None-Match`. No body.', headers: headerReferences(fileHeaders) }

export const mediaOperations: Paths = {
  '/media/{asset}': {
    get: operation({
      ...media,
      id: 'getResult',
      summary: 'Download a result or an asset',
      description:
        'This path is the link in `result_url` or `thumbnail_url` of a task, or in `url` of an asset. Use the link unchanged ' +
        'and without a key, because the signature authorizes the request. The link gives access to one file and expires; query ' +
        'the task or the asset for a new link. The service keeps results for seven days, unless the operator has set another ' +
        'period, and assets until they are deleted. If the stored file is damaged, the response is 500. If the damage is ' +
        'detected during the download, the connection is closed.',
      parameters: [...linkParameters, ...rangeHeaders, ...shared('IfNoneMatch')],
      responses: {
        200: { description: 'The file.', headers: headerReferences([...fileHeaders, 'Content-Disposition']), content: file },
        206: {
          description: 'The range of the file that `Range` requests.',
          headers: headerReferences([...fileHeaders, 'Content-Disposition', 'Content-Range']),
          content: file,
        },
        302: {
          description:
            'Only if the operator stores files in S3. The file is at the address in `Location`, which is valid for as long as ' +
            'this link. Send the same `Range` to that address. The response of S3 has another `ETag`, and lacks some of the ' +
            'headers that are listed here.',
          headers: headerReferences([
            'Location',
            'Cross-Origin-Resource-Policy',
            'Access-Control-Allow-Origin',
            'Access-Control-Expose-Headers',
          ]),
        },
        304: unchanged,
      },
      errors: ['BadLink', 'ResourceNotFound', 'ResultExpired', 'RangeNotSatisfiable', 'RateLimited', 'Overloaded'],
    }),
    head: operation({
      ...media,
      id: 'getResultHeaders',
      summary: 'Describe a result or an asset',
      description: 'Returns the type, size and ETag of the file, without its contents. `Range` is ignored.',
      parameters: [...linkParameters, ...shared('IfNoneMatch')],
      responses: {
        200: {
          description: 'The same headers as for GET.',
          headers: headerReferences([...fileHeaders, 'Content-Disposition']),
        },
        304: unchanged,
      },
      errors: ['BadLink', 'ResourceNotFound', 'ResultExpired', 'RateLimited'],
    }),
  },
}
