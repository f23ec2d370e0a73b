import { routeBody, routeExplainBody, routeTestBody, routingNamePattern, upstreamBody } from '../admin-routing-requests.ts'
import { body, common, shownBody } from './admin-body.ts'
import { reference, type Example, type Parameter, type Paths, type Schema } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { routingExamples as examples } from './routing-examples.ts'

export const routingBodies: Record<string, Schema> = {
  UpstreamSet: shownBody(upstreamBody),
  RouteSet: shownBody(routeBody),
  RouteTestRequest: shownBody(routeTestBody),
  RouteExplainRequest: shownBody(routeExplainBody),
}

const nameOf = (what: 'upstream' | 'route', example: string): Parameter => ({
  name: 'name',
  in: 'path',
  required: true,
  description: `The name of the ${what}: letters, digits, - and _, at most 63.`,
  schema: { type: 'string', pattern: routingNamePattern },
  example,
})
const upstreamName = nameOf('upstream', examples.upstream.value.name)
const routeName = nameOf('route', examples.route.value.name)

const shown = (what: 'Upstream' | 'Route', description: string, example?: Example) =>
  jsonResponse({ description, schema: reference('schemas', what), examples: example ? { shown: example } : {} })

const setErrors = ['BadAdminBody', 'Conflict', 'BodyTooLarge', 'WrongType'] as const
const removeErrors = ['ResourceNotFound', 'Conflict'] as const

export const routingOperations: Paths = {
  '/admin/v1/upstreams': {
    get: operation({
      ...common,
      id: 'listUpstreams',
      summary: 'List upstreams',
      description:
        'Upstreams of the configuration file, upstreams that were set through the API, and the embedded driver, each with its ' +
        'state.',
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
        'Replaces the whole upstream; only an omitted key stays unchanged. It takes effect immediately in this process, and ' +
        'within a second in others. Running attempts continue as they were started. Change an upstream of the configuration ' +
        'file in that file.',
      parameters: [upstreamName],
      body: body('UpstreamSet', examples.upstreamBody.value),
      responses: {
        200: shown('Upstream', 'An existing one was replaced.'),
        201: shown('Upstream', 'A new one was created.', examples.upstream),
      },
      errors: [...setErrors],
    }),
    delete: operation({
      ...common,
      id: 'removeUpstream',
      summary: 'Remove an upstream',
      description: 'Refused while a route needs the upstream. Running attempts continue as they were started.',
      parameters: [upstreamName],
      responses: { 200: shown('Upstream', 'The removed upstream.') },
      errors: [...removeErrors],
    }),
  },
  '/admin/v1/routes': {
    get: operation({
      ...common,
      id: 'listRoutes',
      summary: 'List routes',
      description:
        'Routes of the configuration file and routes that were set through the API, each with its state. As long as no route ' +
        'serves every model, the embedded driver serves models without a route.',
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
        'Sends each upstream a free request, if it has one, and waits at most 25 seconds for all of them. A route that was out ' +
        'of order is used again immediately if it passes the test.',
      body: body('RouteTestRequest', examples.testBody.value),
      responses: {
        200: jsonResponse({
          description: 'The results of the tests.',
          schema: reference('schemas', 'RouteTest'),
          examples: { unreachable: examples.test },
        }),
      },
      errors: ['BadAdminBody', 'BodyTooLarge', 'WrongType'],
    }),
  },
  '/admin/v1/routes/explain': {
    post: operation({
      ...common,
      id: 'explainRoutes',
      summary: 'Explain the choice of a route',
      description:
        'The route that a task would take now, by the rules of submit and of the allocator. Nothing is stored, sent or ' +
        'reserved. Price, brand and availability are not checked. The state is that of the responding process, at most a ' +
        'second old. Only a process that works on tasks knows the attempts of the embedded driver in flight and the order ' +
        'among routes of equal priority.',
      body: body('RouteExplainRequest', examples.explainBody.value),
      responses: {
        200: jsonResponse({
          description: 'The explanation.',
          schema: reference('schemas', 'RouteExplanation'),
          examples: { throttled: examples.explanation },
        }),
      },
      errors: ['BadAdminBody', 'BodyTooLarge', 'WrongType'],
    }),
  },
  '/admin/v1/routes/{name}': {
    put: operation({
      ...common,
      id: 'setRoute',
      summary: 'Set a route',
      description:
        'Replaces the whole route. It takes effect immediately in this process, and within a second in others. Running ' +
        'attempts continue as they were started. Change a route of the configuration file in that file.',
      parameters: [routeName],
      body: body('RouteSet', examples.routeBody.value),
      responses: {
        200: shown('Route', 'An existing one was replaced.'),
        201: shown('Route', 'A new one was created.', examples.route),
      },
      errors: [...setErrors],
    }),
    delete: operation({
      ...common,
      id: 'removeRoute',
      summary: 'Remove a route',
      description: 'Running attempts continue as they were started.',
      parameters: [routeName],
      responses: { 200: shown('Route', 'The removed route.') },
      errors: [...removeErrors],
    }),
  },
}
