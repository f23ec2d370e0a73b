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
      description: 'Those of the file of settings, those that were set here, and the embedded driver, with how they are doing.',
      answers: {
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
        'The whole of it; only the key of before stays when none is given. It holds at once in this process, in others within a second. ' +
        'Attempts under way go on as they were started. One of the file is changed there.',
      parameters: [upstreamName],
      body: body('UpstreamSet', examples.upstreamBody.value),
      answers: {
        200: shown('Upstream', 'It was there before.'),
        201: shown('Upstream', 'It is new.', examples.upstream),
      },
      errors: [...setErrors],
    }),
    delete: operation({
      ...common,
      id: 'removeUpstream',
      summary: 'Remove an upstream',
      description: 'Refused while a route needs it. Attempts under way go on as they were started.',
      parameters: [upstreamName],
      answers: { 200: shown('Upstream', 'The upstream as it was.') },
      errors: [...removeErrors],
    }),
  },
  '/admin/v1/routes': {
    get: operation({
      ...common,
      id: 'listRoutes',
      summary: 'List routes',
      description:
        'Those of the file of settings and those that were set here, with how they are doing. While none is for every model, the ' +
        'embedded driver serves those that have none.',
      answers: {
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
        'Sends each upstream a request that costs nothing, where it has one, and waits at most 25 seconds for all of them. A route that was ' +
        'out of order and answers is used again at once.',
      body: body('RouteTestRequest', examples.testBody.value),
      answers: {
        200: jsonResponse({
          description: 'What came of it.',
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
        'Which route a task would take now, by the rules of a submit and of the allocator; nothing is stored, sent or reserved. Price, ' +
        'brand and availability are not checked. The state is that of the process that answers, at most a second old; what the embedded ' +
        'driver has in flight and the turn among routes of equal priority are known only to a process that works on tasks.',
      body: body('RouteExplainRequest', examples.explainBody.value),
      answers: {
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
        'The whole of it. It holds at once in this process, in others within a second. Attempts under way go on as they were started. One ' +
        'of the file is changed there.',
      parameters: [routeName],
      body: body('RouteSet', examples.routeBody.value),
      answers: { 200: shown('Route', 'It was there before.'), 201: shown('Route', 'It is new.', examples.route) },
      errors: [...setErrors],
    }),
    delete: operation({
      ...common,
      id: 'removeRoute',
      summary: 'Remove a route',
      description: 'Attempts under way go on as they were started.',
      parameters: [routeName],
      answers: { 200: shown('Route', 'The route as it was.') },
      errors: [...removeErrors],
    }),
  },
}
