import type { RequestBodySchema } from './admin-requests.ts'

/**
 * Bodies that set upstreams and routes. The service checks the deeper rules, which depend on
 * drivers and models.
 */
export interface UpstreamBody {
  driver: string
  base_url?: string
  api_key?: string | null
  in_flight_max?: number
  polls_per_second?: number
}

export interface RouteBody {
  model: string
  upstream: string
  upstream_model?: string
  priority?: number
  weight?: number
  in_flight_max?: number
  defer_max?: number
  deadline?: number
  cost?: object
  parameters?: Record<string, string>
  extra?: object
  workflow?: object
  slots?: Record<string, string>
}

export interface RouteTestBody {
  model?: string
}

export interface RouteExplainBody {
  model: string
  parameters?: Record<string, unknown>
}

/** Pattern for the names of upstreams and routes. */
export const routingNamePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$'

const text = (what: string, description: string) => ({ type: 'string', minLength: 1, maxLength: 2000, means: what, description })
const count = (description: string) => ({
  type: 'integer',
  minimum: 1,
  maximum: 100_000,
  means: 'a whole number from 1 to 100000',
  description,
})
const seconds = (minimum: number, description: string) => ({
  type: 'integer',
  minimum,
  maximum: 86_400,
  means: `a whole number of seconds from ${minimum} to 86400`,
  description,
})
const texts = (description: string) => ({
  type: 'object',
  additionalProperties: { type: 'string', minLength: 1 },
  means: 'an object whose values are text',
  description,
})

const drivers = 'the name of a driver, such as fal'

export const upstreamBody: RequestBodySchema<UpstreamBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['driver'],
  properties: {
    driver: text(drivers, 'Which kind of provider it is.'),
    base_url: {
      ...text(
        'an http or https address without a query, such as https://api.example.com/v1',
        'Where it is. Left out: where the driver knows it to be.',
      ),
      pattern: String.raw`^https?:\/\/[^\s?#@]+$`,
    },
    api_key: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 20_000,
      means: 'a text, or null to take the key away',
      description: 'It is kept sealed and never shown again. Left out: the one of before stays. Null: none.',
    },
    in_flight_max: count('Attempts at the same time, over all of its routes. Left out: 1000.'),
    polls_per_second: {
      type: 'number',
      minimum: 0.1,
      maximum: 10_000,
      means: 'a number from 0.1 to 10000',
      description: 'Requests after jobs, over all of its routes. Left out: 50.',
    },
  },
}

export const routeBody: RequestBodySchema<RouteBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['model', 'upstream'],
  properties: {
    model: text(
      'a Model ID, or * for every model without a route of its own',
      'The Model ID; `*`: every model that has no route of its own.',
    ),
    upstream: text('the name of an upstream', 'The name of an upstream, of the file too; `embedded`: it is drawn here.'),
    upstream_model: text("the model's name at the upstream", "The model's name there."),
    priority: {
      type: 'integer',
      minimum: -1_000_000,
      maximum: 1_000_000,
      means: 'a whole number from -1000000 to 1000000',
      description: 'Lower is tried first. Left out: 0.',
    },
    weight: {
      type: 'number',
      minimum: 0.001,
      maximum: 1_000_000,
      means: 'a number from 0.001 to 1000000',
      description: 'Its share among routes of the same priority. Left out: 1.',
    },
    in_flight_max: count('Attempts at the same time. Left out: as many as its upstream.'),
    defer_max: seconds(0, 'How long it may stay busy before a route of lower rank is used. Left out: 30.'),
    deadline: seconds(1, 'How long an attempt may take. Left out: as the model has it.'),
    cost: {
      type: 'object',
      means: 'an object such as {"per_second": 0.1}',
      description:
        'What the operator pays for a job, credits: `per_second`, `per_image`, `per_task`, and `per_unit` of what the upstream reports ' +
        'that it charges. They add up. Left out: the cost of its jobs is not known.',
    },
    parameters: texts("Our parameters' names to the upstream's."),
    extra: { type: 'object', means: 'an object', description: 'Sent along as it is.' },
    workflow: { type: 'object', means: 'a workflow in the API format', description: 'Of a `comfyui` route: the workflow.' },
    slots: texts('Where parameters go in the workflow, such as `{"prompt": "6.text"}`.'),
  },
}

export const routeTestBody: RequestBodySchema<RouteTestBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: { model: text('a Model ID', 'Only the routes that serve this model. Left out: all.') },
}

export const routeExplainBody: RequestBodySchema<RouteExplainBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['model'],
  properties: {
    model: text('a Model ID', 'The Model ID.'),
    parameters: {
      type: 'object',
      means: 'an object of parameters of the model',
      description:
        'Parameters of the model, checked as in a quote. Left out: the defaults; a required one is taken from an example of the model.',
    },
  },
}
