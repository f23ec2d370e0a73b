import type { RequestBodySchema } from './request-body.ts'

/**
 * Request bodies that set upstreams (connections to providers) and routes, each of which assigns a
 * model to an upstream. The service also checks rules that depend on drivers and models.
 */
export interface UpstreamBody {
  driver: string
  base_url?: string
  schema_url?: string
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
  input?: object
  system_prompt?: string
}

export interface RouteTestBody {
  model?: string
}

export interface RouteExplainBody {
  model: string
  parameters?: Record<string, unknown>
}

/** Maximum length of `system_prompt` in characters. */
export const systemPromptCharactersMax = 20_000

/** Pattern for the names of upstreams and routes. */
export const routingNamePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$'

const text = (means: string, description: string) => ({
  type: 'string',
  minLength: 1,
  maxLength: 2000,
  means,
  description,
})
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
const textByName = (description: string) => ({
  type: 'object',
  additionalProperties: { type: 'string', minLength: 1 },
  means: 'an object whose values are strings',
  description,
})

export const upstreamBody: RequestBodySchema<UpstreamBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['driver'],
  properties: {
    driver: text('the name of a driver, such as fal', 'The driver, which implements the protocol of the provider.'),
    base_url: {
      ...text(
        'an http or https address without a query, such as https://api.example.com/v1',
        'Address of the provider. Default: the address that the driver defines.',
      ),
      pattern: String.raw`^https?:\/\/[^\s?#@]+$`,
    },
    schema_url: {
      ...text(
        'an http or https address without a query, such as https://api.example.com/v1',
        'Base URL from which imports fetch the schemas of models. Default: that of the public schemas of fal or OpenRouter, ' +
          'otherwise `base_url`.',
      ),
      pattern: String.raw`^https?:\/\/[^\s?#@]+$`,
    },
    api_key: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 20_000,
      means: 'a text, or null to remove the key',
      description:
        'API key. It is stored encrypted and never shown again. If omitted, the stored key does not change. Null: removes the ' +
        'key.',
    },
    in_flight_max: count('Maximum number of concurrent attempts over all routes of the upstream. Default: 1000.'),
    polls_per_second: {
      type: 'number',
      minimum: 0.1,
      maximum: 10_000,
      means: 'a number from 0.1 to 10000',
      description: 'Maximum number of poll requests per second over all routes of the upstream. Default: 50.',
    },
  },
}

export const routeBody: RequestBodySchema<RouteBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['model', 'upstream'],
  properties: {
    model: text(
      'a Model ID, or `*` for every image and video model without a route of its own',
      'The Model ID. `*`: every image and video model without a route of its own.',
    ),
    upstream: text(
      'the name of an upstream',
      'The name of an upstream, including those of the configuration file. `embedded`: the service renders the result itself.',
    ),
    upstream_model: text("the model's name at the upstream", 'The name of the model at the upstream.'),
    priority: {
      type: 'integer',
      minimum: -1_000_000,
      maximum: 1_000_000,
      means: 'a whole number from -1000000 to 1000000',
      description: 'Routes with a lower number are tried first. Default: 0.',
    },
    weight: {
      type: 'number',
      minimum: 0.001,
      maximum: 1_000_000,
      means: 'a number from 0.001 to 1000000',
      description: 'Share of tasks relative to other routes of the same priority. Default: 1.',
    },
    in_flight_max: count('Maximum number of concurrent attempts. Default: the limit of the upstream.'),
    defer_max: seconds(
      0,
      'Maximum time in seconds for which a task waits for this route while it is busy. After that, a route with a higher ' +
        'priority number is used. Default: 30.',
    ),
    deadline: seconds(1, 'Maximum duration of an attempt on this route in seconds. Default: the deadline of the model.'),
    cost: {
      type: 'object',
      means: 'an object such as {"per_second": 0.1}',
      description:
        'Cost of a job to the operator in credits: the sum of `per_second`, `per_image`, `per_task`, and `per_unit` of the ' +
        'cost that the upstream reports. For a forwarded request, the sum of `per_million_input_tokens`, ' +
        '`per_million_cached_input_tokens` and `per_million_output_tokens`. If omitted, the cost of jobs is unknown.',
    },
    parameters: textByName('Maps parameter names of Framegate to those of the upstream.'),
    extra: { type: 'object', means: 'an object', description: 'Fields that are added to each submit to the upstream.' },
    workflow: {
      type: 'object',
      means: 'a workflow in the API format',
      description: 'For routes of the driver `comfyui`: the workflow.',
    },
    slots: textByName('Maps parameters to inputs of the workflow, such as `{"prompt": "6.text"}`.'),
    input: {
      type: 'object',
      means: 'an object of parameters such as {"first_frame": {"field": "image_url", "required": true}}',
      description:
        "All input fields of the upstream's model, by parameter: `field`, `required`, `values`, `as`, and the limits `enum`, " +
        '`minimum`, `maximum`, `maxItems`, `maxLength`. This object replaces the names and limits that are built into the ' +
        'driver.',
    },
    system_prompt: {
      type: 'string',
      minLength: 1,
      maxLength: systemPromptCharactersMax,
      means: `a text of at most ${systemPromptCharactersMax} characters`,
      description:
        'For routes of text models: instructions for the language model, in place of those of the service. A name in braces, ' +
        'such as `{to}`, stands for the value of that parameter.',
    },
  },
}

export const routeTestBody: RequestBodySchema<RouteTestBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: { model: text('a Model ID', 'Tests only the routes that serve this model. Default: all routes.') },
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
        'Parameters of the model, validated as in a quote. Omitted parameters have their defaults. For missing required ' +
        'parameters, the service uses the values of an example of the model.',
    },
  },
}
