import type { AdminRoute, AdminUpstream, RouteExplanation, RouteTest } from '../admin-routing.ts'
import type { List } from '../list.ts'
import type { Example } from './document-types.ts'

const idle = {
  fault: null,
  in_flight: 0,
  circuit: 'closed',
  tried_again_at: null,
  failing_since: null,
  last_error: null,
} as const

const upstreamBody = { driver: 'openai', base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-4711', in_flight_max: 40 }
const upstream: AdminUpstream = {
  object: 'upstream',
  name: 'studio',
  driver: 'openai',
  base_url: 'http://127.0.0.1:9/v1',
  schema_url: null,
  has_api_key: true,
  in_flight_max: 40,
  polls_per_second: 50,
  source: 'api',
  ...idle,
}
const embeddedUpstream: AdminUpstream = {
  object: 'upstream',
  name: 'embedded',
  driver: 'embedded',
  base_url: null,
  schema_url: null,
  has_api_key: false,
  in_flight_max: 2,
  polls_per_second: 0,
  source: 'built_in',
  ...idle,
}

const routeBody = { model: 'vidG_video3', upstream: 'studio', upstream_model: 'sora-2', cost: { per_second: 0.1 } }
const route: AdminRoute = {
  object: 'route',
  name: 'deer',
  model: 'vidG_video3',
  upstream: 'studio',
  upstream_model: 'sora-2',
  priority: 0,
  weight: 1,
  in_flight_max: null,
  defer_max: 30,
  deadline: null,
  cost: { per_second: 0.1, per_image: 0, per_task: 0, per_unit: 0 },
  parameters: {},
  extra: {},
  workflow: null,
  slots: {},
  input: null,
  system_prompt: null,
  source: 'api',
  ...idle,
  busy: false,
  busy_until: null,
}
const embeddedRoute: AdminRoute = {
  ...route,
  name: 'embedded',
  model: '*',
  upstream: 'embedded',
  upstream_model: null,
  in_flight_max: 2,
  cost: null,
  source: 'built_in',
}

const upstreams: List<AdminUpstream> = { object: 'list', items: [upstream, embeddedUpstream], has_more: false, next_cursor: null }
const routes: List<AdminRoute> = { object: 'list', items: [route, embeddedRoute], has_more: false, next_cursor: null }
const test: RouteTest = {
  object: 'route_test',
  failed: 1,
  results: [
    {
      route: 'deer',
      model: 'vidG_video3',
      upstream: 'studio',
      outcome: 'failed',
      message: 'No connection could be made (ECONNREFUSED).',
    },
  ],
}

const explainBody = { model: 'vidG_video3', parameters: { prompt: 'A deer in a misty forest at dawn', seconds: 12 } }
const explanation: RouteExplanation = {
  object: 'route_explanation',
  model: 'vidG_video3',
  parameters: {
    prompt: 'A deer in a misty forest at dawn',
    seconds: 12,
    aspect_ratio: '16:9',
    resolution: '720p',
    watermark: false,
  },
  outcome: 'waits',
  reason: 'The provider asked the service to retry later.',
  routes: [
    {
      route: 'deer',
      upstream: 'studio',
      priority: 0,
      weight: 1,
      can_serve: true,
      refusal: null,
      in_flight: 0,
      in_flight_max: null,
      upstream_in_flight: 0,
      upstream_in_flight_max: 40,
      free_slots: 0,
      condition: 'throttled',
      condition_of: 'route',
      paused_until: 1_768_478_460,
      chosen: false,
    },
  ],
  narrowed: [
    { parameter: 'reference_images', message: 'Not available.', routes: [{ route: 'deer', serves: 'not available' }] },
    { parameter: 'seed', message: 'Not available.', routes: [{ route: 'deer', serves: 'not available' }] },
  ],
}

export const routingExamples = {
  upstreamBody: { summary: 'A request', value: upstreamBody },
  upstream: { summary: 'An upstream that was set through the API', value: upstream },
  upstreams: { summary: 'One upstream beside the embedded driver', value: upstreams },
  routeBody: { summary: 'A request', value: routeBody },
  route: { summary: 'A route that was set through the API', value: route },
  routes: { summary: 'One route of a model, and the route of all other models', value: routes },
  testBody: { summary: 'A request', value: { model: 'vidG_video3' } },
  explainBody: { summary: 'A request', value: explainBody },
  explanation: { summary: 'The only route is throttled', value: explanation },
  test: { summary: 'The upstream is not reachable', value: test },
} as const satisfies Record<string, Example>
