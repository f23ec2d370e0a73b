import { routeBody, routeExplainBody, routeTestBody, routingNamePattern, upstreamBody } from '../admin-routing-requests.ts'
import { body, common, bodyParameters } from './admin-body.ts'
import { reference, type Example, type Parameter, type Paths, type Schema } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { routingExamples as examples } from './routing-examples.ts'

export const routingBodies: Record<string, Schema> = {
  UpstreamSet: bodyParameters(upstreamBody),
  RouteSet: bodyParameters(routeBody),
  RouteTestRequest: bodyParameters(routeTestBody),
  RouteExplainRequest: bodyParameters(routeExplainBody),
}

const nameOf = (resource: 'upstream' | 'route', example: string): Parameter => ({
  name: 'name',
  in: 'path',
  required: true,
  description: `The name of the ${resource}: at most 63 letters, digits, - and _.`,
  schema: { type: 'string', pattern: routingNamePattern },
  example,
})
const upstreamName = nameOf('upstream', examples.upstream.value.name)
const routeName = nameOf('route', examples.route.value.name)

const routingResponse = (schemaName: 'Upstream' | 'Route', description: string, example?: Example) =>
  jsonResponse({ description, schema: reference('schemas', schemaName), examples: example ? { shown: example } : {} })

const setErrors = ['BadAdminBody', 'Conflict', 'BodyTooLarge', 'UnsupportedMediaType'] as const
const removeErrors = ['ResourceNotFound', 'Conflict'] as const

export const routingOperations: Paths = {
  '/admin/v1/upstreams': {
    get: operation({
      ...common,
      id: 'listUpstreams',
      summary: 'List upstreams',
      description:
        'Lists the upstreams of the configuration file, upstreams that were set through the API, and the embedded driver, each ' +
        'with its state.',
      responses: {
        200: jsonResponse({
          description: 'The upstreams.',
          schema: reference('schemas', 'UpstreamList'),
          examples: { all: examples.upstreams },
        }),
      },
    }),
  },
  '/admin/v1/upstreams/{name}': {
    put: operation({
      ...common,
      id: 'setUpstream',
      summary: 'Set an upstream',
      description:
        'Creates the upstream or replaces all of its fields, except that an omitted `api_key` does not change. The change ' +
        'takes effect immediately in this process, and within a second in other processes. Running attempts keep the earlier ' +
        'settings. An upstream of the configuration file can be changed only in that file.',
      parameters: [upstreamName],
      body: body('UpstreamSet', examples.upstreamBody.value),
      responses: {
        200: routingResponse('Upstream', 'An existing upstream was replaced.'),
        201: routingResponse('Upstream', 'A new upstream was created.', examples.upstream),
      },
      errors: [...setErrors],
    }),
    delete: operation({
      ...common,
      id: 'removeUpstream',
      summary: 'Remove an upstream',
      description: 'Removes the upstream. Running attempts continue. The request is rejected while a route uses the upstream.',
      parameters: [upstreamName],
      responses: { 200: routingResponse('Upstream', 'The removed upstream.') },
      errors: [...removeErrors],
    }),
  },
  '/admin/v1/routes': {
    get: operation({
      ...common,
      id: 'listRoutes',
      summary: 'List routes',
      description:
        'Lists the routes of the configuration file and routes that were set through the API, each with its state. Models ' +
        'without a route of their own use the route for the model `*`, or the embedded driver if there is no such route.',
      responses: {
        200: jsonResponse({
          description: 'The routes.',
          schema: reference('schemas', 'RouteList'),
          examples: { all: examples.routes },
        }),
      },
    }),
  },
  '/admin/v1/routes/test': {
    post: operation({
      ...common,
      id: 'testRoutes',
      summary: 'Test routes',
      description:
        'Sends a free test request to each upstream whose provider supports one, and waits at most 25 seconds for ' +
        'all responses. If a route that was out of service passes the test, it is back in service immediately. The audit log records the test.',
      body: body('RouteTestRequest', examples.testBody.value),
      responses: {
        200: jsonResponse({
          description: 'The results of the tests.',
          schema: reference('schemas', 'RouteTest'),
          examples: { unreachable: examples.test },
        }),
      },
      errors: ['BadAdminBody', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/admin/v1/routes/explain': {
    post: operation({
      ...common,
      id: 'explainRoutes',
      summary: 'Explain the choice of a route',
      description:
        'Returns the route that a task would take now. Nothing is stored, sent or reserved. Price, brand and availability of ' +
        'the model are not checked. The response describes the process that sends it, and is at most one second old. Only a ' +
        'process that runs tasks knows the running attempts of the embedded driver and the order of routes with the same ' +
        'priority.',
      body: body('RouteExplainRequest', examples.explainBody.value),
      responses: {
        200: jsonResponse({
          description: 'The explanation.',
          schema: reference('schemas', 'RouteExplanation'),
          examples: { throttled: examples.explanation },
        }),
      },
      errors: ['BadAdminBody', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/admin/v1/routes/{name}': {
    put: operation({
      ...common,
      id: 'setRoute',
      summary: 'Set a route',
      description:
        'Creates the route or replaces all of its fields. The change takes effect immediately in this process and within a ' +
        'second in other processes. Running attempts keep the earlier settings. A route of the configuration file can be ' +
        'changed only in that file.',
      parameters: [routeName],
      body: body('RouteSet', examples.routeBody.value),
      responses: {
        200: routingResponse('Route', 'An existing route was replaced.'),
        201: routingResponse('Route', 'A new route was created.', examples.route),
      },
      errors: [...setErrors],
    }),
    delete: operation({
      ...common,
      id: 'removeRoute',
      summary: 'Remove a route',
      description: 'Removes the route. Running attempts continue.',
      parameters: [routeName],
      responses: { 200: routingResponse('Route', 'The removed route.') },
      errors: [...removeErrors],
    }),
  },
}
