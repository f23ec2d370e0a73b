import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { routeConditions, type RouteCondition } from './route-condition.ts'

const circuits = ['closed', 'open', 'half_open'] as const
const outcomes = ['ok', 'failed', 'no_free_probe', 'set_aside'] as const

const routeOutcomes = ['route', 'waits', 'refused', 'no_route'] as const
const conditionOwners = ['route', 'upstream'] as const

const sources = ['file', 'api', 'built_in'] as const

const entryFields = {
  source: Type.Unsafe<(typeof sources)[number]>({
    type: 'string',
    enum: sources,
    description: 'Where it is defined: in the configuration file, or through the API. `built_in`: it always exists.',
  }),
  fault: nullable(
    Type.String({
      description:
        'Why it is disabled until an operator corrects it. Null: it is in use. Only for entries that were set through the API.',
    }),
  ),
  in_flight: Type.Integer({ description: 'Attempts on it now. Like all of its state, it is that of the responding process.' }),
  circuit: Type.Unsafe<(typeof circuits)[number]>({
    type: 'string',
    enum: circuits,
    description:
      '`open`: it is out of order and gets no work. `half_open`: one attempt, or a free probe, tests whether it works again.',
  }),
  tried_again_at: nullable(
    Type.Integer({
      description: 'Time at which the circuit permits a trial attempt, Unix seconds. Null while the circuit is closed.',
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
      Type.String({ description: "Address at which imports request the schemas of its models. Null: the provider's own." }),
    ),
    has_api_key: Type.Boolean({ description: 'Whether a key is stored. The key itself is never shown.' }),
    in_flight_max: Type.Integer({ description: 'Maximum of concurrent attempts over all of its routes.' }),
    polls_per_second: Type.Number({ description: 'Maximum of poll requests per second over all of its routes.' }),
    ...entryFields,
  },
  { description: 'A provider as configured by the operator.' },
)
export type AdminUpstream = Static<typeof UpstreamSchema>

export const RouteSchema = Type.Object(
  {
    object: Type.Literal('route'),
    name: Type.String({ description: 'Name in timelines and logs. Routes of the configuration file may share a name.' }),
    model: Type.String({ description: 'Model ID. `*`: every model without a route of its own.' }),
    upstream: Type.String({ description: 'The name of its upstream. `embedded`: the service renders the result itself.' }),
    upstream_model: nullable(Type.String({ description: 'The name of the model at the upstream.' })),
    priority: Type.Integer({ description: 'Routes with a lower number are tried first.' }),
    weight: Type.Number({ description: 'Its share among routes of the same priority.' }),
    in_flight_max: nullable(Type.Integer({ description: 'Maximum of concurrent attempts. Null: the limit of its upstream.' })),
    defer_max: Type.Number({
      description:
        'Seconds for which a task waits for this route, while it is busy, before a route with a higher priority number is used.',
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
          description: 'Cost of a job to the operator in credits. Null: not set, so the cost of its jobs is unknown.',
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
        description: "The whole input of the upstream's model by parameter. Null: that which the driver knows.",
      }),
    ),
    system_prompt: nullable(
      Type.String({ description: 'For text models: instructions for the language model. Null: those of the service.' }),
    ),
    ...entryFields,
    busy: Type.Boolean({ description: 'Whether all of its slots are in use, or the provider reported that it is at capacity.' }),
    busy_until: nullable(
      Type.Integer({ description: 'End of the pause that the provider asked for, Unix seconds. Null: no pause.' }),
    ),
  },
  { description: 'One way to serve a model.' },
)
export type AdminRoute = Static<typeof RouteSchema>

export const RouteTestSchema = Type.Object(
  {
    object: Type.Literal('route_test'),
    failed: Type.Integer({ description: 'Number of failed tests, including disabled routes.' }),
    results: Type.Array(
      Type.Object({
        route: Type.String(),
        model: Type.String(),
        upstream: Type.String(),
        outcome: Type.Unsafe<(typeof outcomes)[number]>({
          type: 'string',
          enum: outcomes,
          description:
            '`no_free_probe`: the upstream has no free request that could test it. `set_aside`: the route is disabled; its `fault` ' +
            'says why.',
        }),
        message: nullable(Type.String({ description: 'The error, as a sentence.' })),
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
      description: 'The parameters as used, with defaults and omitted required ones filled in.',
    }),
    outcome: Type.Unsafe<(typeof routeOutcomes)[number]>({
      type: 'string',
      enum: routeOutcomes,
      description:
        '`route`: the task is claimed for the chosen route. `waits`: the task is accepted and waits. `refused`: no route can serve the ' +
        'request, and a submit is refused with 400. `no_route`: every route that can is out of order, and a submit is refused with 503.',
    }),
    reason: nullable(Type.String({ description: 'Why no route is chosen, as a sentence. Null: a route is chosen.' })),
    routes: Type.Array(
      Type.Object({
        route: Type.String(),
        upstream: Type.String(),
        priority: Type.Integer({ description: 'Routes with a lower number are tried first.' }),
        weight: Type.Number({ description: 'Its share among routes of the same priority.' }),
        can_serve: Type.Boolean({ description: 'Whether it can serve the request, whatever its state.' }),
        refusal: nullable(
          Type.Object(
            { parameter: Type.String(), message: Type.String() },
            { description: 'The parameter that it cannot serve, and the accepted values. Null: it can serve the request.' },
          ),
        ),
        in_flight: Type.Integer({ description: 'Attempts on the route.' }),
        in_flight_max: nullable(Type.Integer({ description: 'Limit of the route. Null: it has none of its own.' })),
        upstream_in_flight: Type.Integer({ description: 'Attempts on the upstream, over all of its routes.' }),
        upstream_in_flight_max: Type.Integer({ description: 'Limit of the upstream.' }),
        free_slots: Type.Integer({ description: 'Number of further attempts that may start now. 0 during a pause.' }),
        condition: Type.Unsafe<RouteCondition>({
          type: 'string',
          enum: routeConditions,
          description:
            'The worse condition of the route and its upstream. `throttled`: the provider asked the service to retry later. ' +
            '`unavailable`: an attempt could not be started. `out_of_order`: that happened repeatedly, or a probe confirmed it.',
        }),
        condition_of: Type.Unsafe<(typeof conditionOwners)[number] | null>({
          type: ['string', 'null'],
          enum: [...conditionOwners, null],
          description: 'Which of the two has this condition; `upstream` if both have it. Null: the condition is `open`.',
        }),
        paused_until: nullable(Type.Integer({ description: 'End of the pause, Unix seconds. Null: no pause.' })),
        chosen: Type.Boolean({ description: 'Whether the next task takes this route. True for at most one route.' }),
      }),
      { description: 'Every route that serves the model, best rank first.' },
    ),
    narrowed: Type.Array(
      Type.Object({
        parameter: Type.String(),
        message: Type.String({ description: 'The difference, as clients see it in the model.' }),
        routes: Type.Array(
          Type.Object({
            route: Type.String(),
            serves: Type.String({ description: 'The values that the route can make, in words.' }),
          }),
          { description: 'What each route can do. Routes that serve no request of the model are missing.' },
        ),
      }),
      {
        description:
          'Parameters that clients see with fewer values, another default or not at all, because no route serves them as the ' +
          'model defines them.',
      },
    ),
  },
  { description: 'The route that a task would take now, and why.' },
)
export type RouteExplanation = Static<typeof RouteExplanationSchema>
