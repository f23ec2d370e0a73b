import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { routeConditions, type RouteCondition } from './route-condition.ts'

const circuitStates = ['closed', 'open', 'half_open'] as const
const testOutcomes = ['ok', 'failed', 'no_free_probe', 'set_aside'] as const

const routeOutcomes = ['route', 'waits', 'refused', 'no_route'] as const
const conditionOwners = ['route', 'upstream'] as const

const sources = ['file', 'api', 'built_in'] as const

const entryFields = {
  source: Type.Unsafe<(typeof sources)[number]>({
    type: 'string',
    enum: sources,
    description: '`file`: defined in the configuration file. `api`: set through the API. `built_in`: part of the service.',
  }),
  fault: nullable(
    Type.String({
      description:
        'The reason why the entry is disabled until an operator corrects it. Null: the entry is in use. Only entries that were set through the API can be disabled.',
    }),
  ),
  in_flight: Type.Integer({
    description: 'Number of running attempts. This field and all other state describe the process that sends the response.',
  }),
  circuit: Type.Unsafe<(typeof circuitStates)[number]>({
    type: 'string',
    enum: circuitStates,
    description:
      'State of the circuit breaker. `closed`: in service. `open`: out of service; no attempts are started. `half_open`: one ' +
      'attempt, or a free probe, tests whether the provider works again.',
  }),
  tried_again_at: nullable(
    Type.Integer({
      description: 'Time at which the circuit permits a trial attempt, Unix seconds. Null while the circuit is closed.',
    }),
  ),
  failing_since: nullable(
    Type.Integer({
      description:
        'Time at which this process learned that submits are not accepted, Unix seconds. It may be later than the first error. Null while submits are accepted.',
    }),
  ),
  last_error: nullable(
    Type.String({
      description:
        'The last error of a submit or test of this process, for people. Null while submits are accepted, and if another process has received the errors.',
    }),
  ),
}

export const UpstreamSchema = Type.Object(
  {
    object: Type.Literal('upstream'),
    name: Type.String(),
    driver: Type.String(),
    base_url: nullable(Type.String()),
    schema_url: nullable(
      Type.String({
        description:
          'Base URL from which imports fetch the schemas of models. Null: that of the public schemas of fal or OpenRouter, otherwise `base_url`.',
      }),
    ),
    has_api_key: Type.Boolean({ description: 'Whether a key is stored. The key itself is never shown.' }),
    in_flight_max: Type.Integer({ description: 'Maximum number of concurrent attempts over all routes of the upstream.' }),
    polls_per_second: Type.Number({ description: 'Maximum number of poll requests per second over all routes of the upstream.' }),
    ...entryFields,
  },
  { description: 'A provider that an operator has configured, or the embedded driver.' },
)
export type AdminUpstream = Static<typeof UpstreamSchema>

export const RouteSchema = Type.Object(
  {
    object: Type.Literal('route'),
    name: Type.String({ description: 'Name in timelines and logs. Routes of the configuration file may share a name.' }),
    model: Type.String({ description: 'Model ID. `*`: every image and video model without a route of its own.' }),
    upstream: Type.String({ description: 'The name of the upstream. `embedded`: the service renders the result itself.' }),
    upstream_model: nullable(Type.String({ description: 'The name of the model at the upstream.' })),
    priority: Type.Integer({ description: 'Routes with a lower number are tried first.' }),
    weight: Type.Number({ description: 'Share of tasks relative to other routes of the same priority.' }),
    in_flight_max: nullable(
      Type.Integer({ description: 'Maximum number of concurrent attempts. Null: the limit of the upstream.' }),
    ),
    defer_max: Type.Number({
      description:
        'Maximum time in seconds for which a task waits for this route while it is busy. After that, a route with a higher ' +
        'priority number is used.',
    }),
    deadline: nullable(
      Type.Number({ description: 'Maximum duration of an attempt in seconds. Null: the deadline of the model.' }),
    ),
    cost: nullable(
      Type.Object(
        {
          per_second: Type.Number(),
          per_image: Type.Number(),
          per_task: Type.Number(),
          per_unit: Type.Number(),
          per_million_input_tokens: Type.Optional(Type.Number()),
          per_million_cached_input_tokens: Type.Optional(Type.Number()),
          per_million_output_tokens: Type.Optional(Type.Number()),
        },
        {
          description: 'Cost of a job to the operator in credits. Null: the cost of jobs is unknown.',
        },
      ),
    ),
    parameters: Type.Record(Type.String(), Type.String(), {
      description: 'Maps parameter names of Framegate to those of the upstream.',
    }),
    extra: Type.Record(Type.String(), Type.Unknown(), { description: 'Fields that are added to each submit to the upstream.' }),
    workflow: Type.Unknown({
      description: 'For routes of the driver `comfyui`: the file name of the workflow, or the workflow itself. Null: none.',
    }),
    slots: Type.Record(Type.String(), Type.String(), { description: 'Maps parameters to inputs of the workflow.' }),
    input: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          "All input fields of the upstream's model, by parameter. Null: the input fields that are built into the driver.",
      }),
    ),
    system_prompt: nullable(
      Type.String({ description: 'For text models: instructions for the language model. Null: those of the service.' }),
    ),
    ...entryFields,
    busy: Type.Boolean({ description: 'Whether all slots are in use or the provider reported that it is at capacity.' }),
    busy_until: nullable(
      Type.Integer({ description: 'End of the pause that the provider requested, Unix seconds. Null: no pause.' }),
    ),
  },
  { description: 'An assignment of a model to an upstream that serves it.' },
)
export type AdminRoute = Static<typeof RouteSchema>

export const RouteTestSchema = Type.Object(
  {
    object: Type.Literal('route_test'),
    failed: Type.Integer({ description: 'Number of failed tests. Disabled routes count as failed.' }),
    results: Type.Array(
      Type.Object({
        route: Type.String(),
        model: Type.String(),
        upstream: Type.String(),
        outcome: Type.Unsafe<(typeof testOutcomes)[number]>({
          type: 'string',
          enum: testOutcomes,
          description:
            '`no_free_probe`: the provider has no request that is free of charge, so the route was not tested. `set_aside`: ' +
            'the route is disabled, and its `fault` gives the reason.',
        }),
        message: nullable(Type.String({ description: 'The error, for people.' })),
      }),
    ),
  },
  { description: 'Results of free test requests to routes.' },
)
export type RouteTest = Static<typeof RouteTestSchema>

export const RouteExplanationSchema = Type.Object(
  {
    object: Type.Literal('route_explanation'),
    model: Type.String(),
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The parameters that the service used, including defaults, and example values for missing required parameters.',
    }),
    outcome: Type.Unsafe<(typeof routeOutcomes)[number]>({
      type: 'string',
      enum: routeOutcomes,
      description:
        '`route`: the task starts on the chosen route. `waits`: the task is accepted and waits. `refused`: no route can serve ' +
        'the request, and a submit is rejected with 400. `no_route`: every route that can serve the request is out of service, ' +
        'and a submit is rejected with 503.',
    }),
    reason: nullable(Type.String({ description: 'The reason why no route is chosen, for people. Null: a route is chosen.' })),
    routes: Type.Array(
      Type.Object({
        route: Type.String(),
        upstream: Type.String(),
        priority: Type.Integer({ description: 'Routes with a lower number are tried first.' }),
        weight: Type.Number({ description: 'Share of tasks relative to other routes of the same priority.' }),
        can_serve: Type.Boolean({ description: 'Whether the route can serve the request, regardless of its state.' }),
        refusal: nullable(
          Type.Object(
            { parameter: Type.String(), message: Type.String() },
            {
              description:
                'The parameter that the route cannot serve, and the accepted values. Null: the route can serve the request.',
            },
          ),
        ),
        in_flight: Type.Integer({ description: 'Number of running attempts on the route.' }),
        in_flight_max: nullable(
          Type.Integer({
            description: 'Maximum number of concurrent attempts on the route. Null: only the limit of the upstream applies.',
          }),
        ),
        upstream_in_flight: Type.Integer({ description: 'Number of running attempts on the upstream, over all of its routes.' }),
        upstream_in_flight_max: Type.Integer({ description: 'Maximum number of concurrent attempts on the upstream.' }),
        free_slots: Type.Integer({ description: 'Number of additional attempts that can start now. 0 during a pause.' }),
        condition: Type.Unsafe<RouteCondition>({
          type: 'string',
          enum: routeConditions,
          description:
            'The worse condition of the route and its upstream. `throttled`: the provider asked the service to retry later. ' +
            '`unavailable`: an attempt could not be started. `out_of_order`: several attempts could not be started, or a probe failed too.',
        }),
        condition_of: Type.Unsafe<(typeof conditionOwners)[number] | null>({
          type: ['string', 'null'],
          enum: [...conditionOwners, null],
          description:
            'Whether the route or the upstream has this condition; `upstream` if both have it. Null: the condition is `open`.',
        }),
        paused_until: nullable(Type.Integer({ description: 'End of the pause, Unix seconds. Null: no pause.' })),
        chosen: Type.Boolean({ description: 'Whether the next task would take this route. True for at most one route.' }),
      }),
      { description: 'Every route of the model, in the order of preference.' },
    ),
    narrowed: Type.Array(
      Type.Object({
        parameter: Type.String(),
        message: Type.String({ description: 'The difference, as shown to clients in the model.' }),
        routes: Type.Array(
          Type.Object({
            route: Type.String(),
            serves: Type.String({ description: 'The values that the route supports, for people.' }),
          }),
          {
            description:
              'The values that each route supports. Routes that cannot serve any request for the model are not listed.',
          },
        ),
      }),
      {
        description:
          'Parameters that clients see with fewer values, with another default or not at all, because no route supports them ' +
          'as the model defines them.',
      },
    ),
  },
  { description: 'The route that a task would take now, and the reason.' },
)
export type RouteExplanation = Static<typeof RouteExplanationSchema>
