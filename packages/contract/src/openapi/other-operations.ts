import { assetTypes } from '../asset.ts'
import type { Model } from '../model.ts'
import { entryFilterParameters, entryListParameters, modelListParameters, usageParameters } from '../parameters.ts'
import { csvResponse } from './csv-response.ts'
import { reference, type Parameter, type Paths } from './document-types.ts'
import { exampleLink, examples, modelExample, modelListExample } from './examples.ts'
import type { ResponseHeader } from './headers.ts'
import { headerReferences, jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters, shared } from './parameters.ts'

export function modelOperations(models: readonly Model[]): Paths {
  return {
    '/v2/model-center/models': {
      get: operation({
        id: 'listModels',
        tag: 'Models',
        summary: 'List models',
        description: 'Lists all models that the account may see, in pages. They include models that it may not invoke.',
        source: 'an addition of Framegate; the Model IDs are those of specification 2.4 and 2.6.',
        key: 'any',
        parameters: queryParameters(modelListParameters),
        responses: {
          200: jsonResponse({
            description: 'A page of models.',
            schema: reference('schemas', 'ModelList'),
            examples: { page: modelListExample(models) },
          }),
        },
        errors: ['BadQuery'],
      }),
    },
    '/v2/model-center/models/{id}': {
      get: operation({
        id: 'getModel',
        tag: 'Models',
        summary: 'Show a model',
        description: 'Returns one model, with the JSON Schema of its request body in `parameters`.',
        source: 'an addition of Framegate; specification 2.3 shows the parameters of `imgA_5.0Pro`.',
        key: 'any',
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'The Model ID, percent-encoded: spaces are `%20`.',
            schema: { type: 'string' },
            example: 'imgA_5.0Pro',
          },
        ],
        responses: {
          200: jsonResponse({
            description: 'The model.',
            schema: reference('schemas', 'Model'),
            examples: { imgA_5_0Pro: modelExample(models) },
          }),
        },
        errors: ['ModelNotFound'],
      }),
    },
  }
}

const entriesResponse = jsonResponse({
  description: 'A page of entries.',
  schema: reference('schemas', 'CreditEntryList'),
  examples: { page: examples.creditEntries },
})

const usageResponse = jsonResponse({
  description: 'The usage.',
  schema: reference('schemas', 'Usage'),
  examples: { usage: examples.usage },
})

export const creditOperations: Paths = {
  '/v2/credits': {
    get: operation({
      id: 'getCredits',
      tag: 'Credits',
      summary: 'Show the balance',
      description:
        'Credits are held when a task or forwarded request is accepted. When a task completes, its result is charged, never ' +
        'more than the held amount. When it fails or is cancelled, the whole hold is released. A forwarded request is charged ' +
        'for its tokens, even if its response breaks off or the client disconnects. If it fails without a response, the whole ' +
        'hold is released.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      responses: {
        200: jsonResponse({
          description: 'The balance.',
          schema: reference('schemas', 'Credits'),
          examples: { credits: examples.credits },
        }),
      },
    }),
  },
  '/v2/credits/entries': {
    get: operation({
      id: 'listCreditEntries',
      tag: 'Credits',
      summary: 'List ledger entries',
      description:
        'Lists the ledger entries of the account, newest first, in pages. The sum of `amount` over all entries is the balance, ' +
        'and the sum of `held` is the amount of held credits. Entries that are written while you read do not change the ' +
        'following pages.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(entryListParameters),
      responses: { 200: entriesResponse },
      errors: ['BadQuery'],
    }),
  },
  '/v2/credits/entries.csv': {
    get: operation({
      id: 'exportCreditEntries',
      tag: 'Credits',
      summary: 'Export ledger entries',
      description:
        'Returns all entries that match the filters as CSV, newest first, without pages. If more than 10,000 entries match, ' +
        'the request is rejected with `invalid_parameter`.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(entryFilterParameters),
      responses: { 200: csvResponse('The entries.') },
      errors: ['BadQuery'],
    }),
  },
  '/v2/usage': {
    get: operation({
      id: 'getUsage',
      tag: 'Credits',
      summary: 'Show usage',
      description:
        'Returns the usage of the account by day, model or key. A task or forwarded request is counted once it has ended, on ' +
        'the day on which it was accepted. If the report would have more than 10,000 rows, the request is rejected with ' +
        '`invalid_parameter`.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(usageParameters),
      responses: { 200: usageResponse },
      errors: ['BadQuery'],
    }),
  },
  '/v2/usage.csv': {
    get: operation({
      id: 'exportUsage',
      tag: 'Credits',
      summary: 'Export usage',
      description: 'Returns the rows of the usage report as CSV, without the total.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(usageParameters),
      responses: { 200: csvResponse('The usage.') },
      errors: ['BadQuery'],
    }),
  },
}

const fileHeaders = [
  'ETag',
  'Accept-Ranges',
  'Cross-Origin-Resource-Policy',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
] as const satisfies ResponseHeader[]

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

/** The server of the paths that are outside of the base path. */
const origin = { url: '/', description: 'The origin, without the base path.' }

export const serviceOperations: Paths = {
  '/openapi.json': {
    get: operation({
      id: 'getOpenApiDocument',
      tag: 'Service',
      summary: 'Get this document',
      description:
        'Returns the OpenAPI 3.1 document of the API, with the parameters of every model. `/docs` shows the document as a page.',
      source: 'an addition of Framegate.',
      key: 'none',
      parameters: shared('IfNoneMatch'),
      responses: {
        200: {
          description: 'The document.',
          headers: headerReferences(['ETag', 'Content-Encoding']),
          content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
        },
        304: {
          description: 'The document matches `If-None-Match`. No body.',
          headers: headerReferences(['ETag']),
        },
      },
      errors: ['Overloaded'],
    }),
  },
  '/callbacks/{route}/{attempt}/{token}': {
    post: operation({
      id: 'receiveCallback',
      tag: 'Service',
      summary: 'Receive the callback of an upstream',
      description:
        'For upstreams. If the service has a public address, it sends the address of this endpoint with each job. A callback ' +
        'only triggers the next poll of the job; the service ignores its content. If the upstream signs callbacks, the service ' +
        'verifies the signature. If the service cannot verify a signature at the moment, its response makes the upstream retry ' +
        'the callback.',
      source: 'an addition of Framegate.',
      key: 'none',
      parameters: ['route', 'attempt', 'token'].map((name) => ({
        name,
        in: 'path' as const,
        required: true,
        description: 'Part of the address that the upstream received with the job.',
        schema: { type: 'string' },
      })),
      responses: {
        200: jsonResponse({
          description: 'The callback was received.',
          schema: { type: 'object' },
          examples: {},
        }),
      },
      errors: ['BadLink', 'RouteNotFound', 'BodyTooLarge', 'Overloaded'],
    }),
  },
  '/healthz': {
    servers: [origin],
    get: operation({
      id: 'getHealth',
      tag: 'Service',
      summary: 'Check liveness',
      description: 'For load balancers. The response is 200 while the process is running.',
      source: 'an addition of Framegate.',
      key: 'none',
      responses: {
        200: jsonResponse({
          description: 'The process responds.',
          schema: reference('schemas', 'Health'),
          examples: { ok: examples.health },
        }),
      },
    }),
  },
  '/readyz': {
    servers: [origin],
    get: operation({
      id: 'getReadiness',
      tag: 'Service',
      summary: 'Check readiness',
      description:
        'For load balancers. The response is 200 if the process can read and write its database, can write to its media store ' +
        'and its scratch folder, and is not shutting down. Otherwise it is 503, and `message` names the failing parts.',
      source: 'an addition of Framegate.',
      key: 'none',
      responses: {
        200: jsonResponse({
          description: 'The process accepts requests.',
          schema: reference('schemas', 'Readiness'),
          examples: { ready: examples.readiness },
        }),
      },
      errors: ['Overloaded'],
    }),
  },
  '/metrics': {
    servers: [origin],
    get: operation({
      id: 'getMetrics',
      tag: 'Service',
      summary: 'Get metrics',
      description:
        'Returns metrics in the Prometheus text format. The request needs `Authorization: Bearer` with the token that the ' +
        'operator has set (`FRAMEGATE_METRICS_TOKEN`). If no token is set, only requests from the same machine are served, and ' +
        'in production mode none.',
      source: 'an addition of Framegate.',
      key: 'none',
      responses: {
        200: {
          description: 'The metrics.',
          headers: headerReferences(['Cache-Control']),
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      },
      errors: ['Unauthenticated'],
    }),
  },
}
