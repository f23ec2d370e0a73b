import type { Model } from '../model.ts'
import { entryFilterParameters, entryListParameters, modelListParameters, usageParameters } from '../parameters.ts'
import { csvResponse } from './csv-response.ts'
import { reference, type Parameter, type Paths } from './document-types.ts'
import { exampleLink, examples, modelExample, modelListExample } from './examples.ts'
import type { AnswerHeader } from './headers.ts'
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
        description: 'Every model that the account may see, whether or not it may invoke it, a page at a time.',
        source: 'an addition of Framegate; the Model IDs are those of specification 2.4 and 2.6.',
        key: 'any',
        parameters: queryParameters(modelListParameters),
        answers: {
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
        description: 'One model, with the JSON Schema of its request body in `parameters`.',
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
        answers: {
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

const entriesAnswer = jsonResponse({
  description: 'A page of entries.',
  schema: reference('schemas', 'CreditEntryList'),
  examples: { page: examples.creditEntries },
})

const usageAnswer = jsonResponse({
  description: 'The usage.',
  schema: reference('schemas', 'Usage'),
  examples: { usage: examples.usage },
})

/** CSV rows for a spreadsheet, starting with the column names. */
export const creditOperations: Paths = {
  '/v2/credits': {
    get: operation({
      id: 'getCredits',
      tag: 'Credits',
      summary: 'Show the balance',
      description:
        'Credits are held when a task is accepted; charged when it completes, for what was produced and never more than was held; ' +
        'and released in full when it fails or is cancelled.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      answers: {
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
      summary: 'List what has moved the balance',
      description:
        "The account's ledger, newest first, a page at a time. The sum of all `amount` is the balance, the sum of all `held` what is " +
        'held. Entries that are written meanwhile change no later page.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(entryListParameters),
      answers: { 200: entriesAnswer },
      errors: ['BadQuery'],
    }),
  },
  '/v2/credits/entries.csv': {
    get: operation({
      id: 'exportCreditEntries',
      tag: 'Credits',
      summary: 'Export what has moved the balance',
      description:
        'The same entries for a spreadsheet: all that match the filters, without pages, newest first. A request for more than 10,000 is ' +
        'refused with `invalid_parameter`.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(entryFilterParameters),
      answers: { 200: csvResponse('The entries.') },
      errors: ['BadQuery'],
    }),
  },
  '/v2/usage': {
    get: operation({
      id: 'getUsage',
      tag: 'Credits',
      summary: 'Show what was used',
      description:
        'What the ended tasks of the account have used, added up by days, models or keys. A task counts on the day on which it was ' +
        'accepted, once it has ended.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(usageParameters),
      answers: { 200: usageAnswer },
      errors: ['BadQuery'],
    }),
  },
  '/v2/usage.csv': {
    get: operation({
      id: 'exportUsage',
      tag: 'Credits',
      summary: 'Export what was used',
      description: 'The same rows for a spreadsheet, without the total.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(usageParameters),
      answers: { 200: csvResponse('The usage.') },
      errors: ['BadQuery'],
    }),
  },
}

const always = [
  'ETag',
  'Accept-Ranges',
  'Cross-Origin-Resource-Policy',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
] as const satisfies AnswerHeader[]

const fileTypes = ['video/mp4', 'image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif']
const file = Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]))

const rangeHeaders: Parameter[] = [
  {
    name: 'Range',
    in: 'header',
    description:
      'One part of the file (RFC 9110), so that players can seek and downloads can go on. Several parts: the whole file.',
    schema: { type: 'string' },
    example: 'bytes=0-1',
  },
  {
    name: 'If-Range',
    in: 'header',
    description: 'The `ETag` that the part must belong to; the whole file otherwise.',
    schema: { type: 'string' },
  },
]

const linkParameters: Parameter[] = [
  {
    name: 'asset',
    in: 'path',
    required: true,
    description: 'As in `result_url`.',
    schema: { type: 'string' },
    example: exampleLink.asset,
  },
  {
    name: 'expires',
    in: 'query',
    required: true,
    description: 'When the link stops working, Unix seconds. As in `result_url`.',
    schema: { type: 'integer' },
    example: exampleLink.expires,
  },
  {
    name: 'signature',
    in: 'query',
    required: true,
    description: 'Proves that the service has made this link. As in `result_url`.',
    schema: { type: 'string' },
    example: exampleLink.signature,
  },
]

const media = {
  tag: 'Results',
  source: 'specification 2.1 and 8 (result URLs expire); the rest is an addition of Framegate.',
  key: 'none',
} as const

const unchanged = { description: 'The file is as `If-None-Match` knows it. No body.', headers: headerReferences(always) }

export const mediaOperations: Paths = {
  '/media/{asset}': {
    get: operation({
      ...media,
      id: 'getResult',
      summary: 'Download a result or an asset',
      description:
        'The address in `result_url`, or in the `url` of an asset: use it as it is, without a key, for the signature is the proof. It ' +
        'opens one file and expires; query the task, or the asset, for a fresh one. The file of a result is kept for seven days unless ' +
        'the operator says otherwise, that of an asset until it is deleted. A file that is damaged in storage is answered 500. When ' +
        'a file is damaged during a download, the connection is closed.',
      parameters: [...linkParameters, ...rangeHeaders, ...shared('IfNoneMatch')],
      answers: {
        200: { description: 'The file.', headers: headerReferences([...always, 'Content-Disposition']), content: file },
        206: {
          description: 'The part of the file that `Range` asks for.',
          headers: headerReferences([...always, 'Content-Disposition', 'Content-Range']),
          content: file,
        },
        302: {
          description:
            'Where the operator keeps files in S3: the file is at the address in `Location`, which lives as long as this link. Follow it ' +
            'with the same `Range`. The answer there has an `ETag` of its own, and not every header that stands here.',
          headers: headerReferences([
            'Location',
            'Cross-Origin-Resource-Policy',
            'Access-Control-Allow-Origin',
            'Access-Control-Expose-Headers',
          ]),
        },
        304: unchanged,
      },
      errors: ['BadLink', 'ResultExpired', 'NoSuchRange', 'Overloaded'],
    }),
    head: operation({
      ...media,
      id: 'getResultHeaders',
      summary: 'Describe a result or an asset',
      description: 'The type, size and ETag of the file, without the file. `Range` has no meaning here.',
      parameters: [...linkParameters, ...shared('IfNoneMatch')],
      answers: {
        200: { description: 'What a GET would say of the file.', headers: headerReferences([...always, 'Content-Disposition']) },
        304: unchanged,
      },
      errors: ['BadLink', 'ResultExpired'],
    }),
  },
}

/** Load balancers and Prometheus do not know the base path. */
const origin = { url: '/', description: 'The origin, without the base path.' }

export const serviceOperations: Paths = {
  '/openapi.json': {
    get: operation({
      id: 'getOpenApiDocument',
      tag: 'Service',
      summary: 'This document',
      description: 'OpenAPI 3.1 of the whole interface, with the parameters of every model. `/docs` shows it to people.',
      source: 'an addition of Framegate.',
      key: 'none',
      parameters: shared('IfNoneMatch'),
      answers: {
        200: {
          description: 'The document.',
          headers: headerReferences(['ETag', 'Content-Encoding']),
          content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
        },
        304: {
          description: 'The document is as `If-None-Match` knows it. No body.',
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
      summary: 'Take the call of an upstream',
      description:
        'For upstreams, which are given this address with a job when the service has a public address. Whatever the call says, it only ' +
        'makes the next poll of that job come at once; where the upstream signs its calls, the signature is checked, and a call that cannot ' +
        'be checked just now is asked for again.',
      source: 'an addition of Framegate.',
      key: 'none',
      parameters: ['route', 'attempt', 'token'].map((name) => ({
        name,
        in: 'path' as const,
        required: true,
        description: 'As it stands in the address that the upstream was given.',
        schema: { type: 'string' },
      })),
      answers: {
        200: jsonResponse({
          description: 'It was heard.',
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
      summary: 'Is it alive?',
      description: 'For load balancers: whether the process answers.',
      source: 'an addition of Framegate.',
      key: 'none',
      answers: {
        200: jsonResponse({
          description: 'It is.',
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
      summary: 'Does it take requests?',
      description:
        'For load balancers: the process responds, can read and write its database, can write to its media store and its scratch folder, and is not about to stop. The `message` of a 503 names the parts that fail.',
      source: 'an addition of Framegate.',
      key: 'none',
      answers: {
        200: jsonResponse({
          description: 'It does.',
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
      summary: 'Metrics for Prometheus',
      description:
        'What the service has done and how it is doing, in the text format of Prometheus. Answers whoever sends ' +
        '`Authorization: Bearer` with the token that the operator has set for it (`FRAMEGATE_METRICS_TOKEN`); without one it answers the ' +
        'machine that it runs on, and in production nobody.',
      source: 'an addition of Framegate.',
      key: 'none',
      answers: {
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
