import { reference, type Paths } from './document-types.ts'
import { examples } from './examples.ts'
import { headerReferences, jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { shared } from './parameters.ts'

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
