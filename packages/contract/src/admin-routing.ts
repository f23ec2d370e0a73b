import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { routeConditions, type RouteCondition } from './timeline.ts'

const circuits = ['closed', 'open', 'half_open'] as const
const outcomes = ['ok', 'failed', 'no_free_probe', 'set_aside'] as const

const routeOutcomes = ['route', 'waits', 'refused', 'no_route'] as const
const conditionOwners = ['route', 'upstream'] as const

const sources = ['file', 'api', 'built_in'] as const

const entryFields = {
  source: Type.Unsafe<(typeof sources)[number]>({
    type: 'string',
    enum: sources,
    description: 'Where it stands: in the file of settings, or here. `built_in`: it is always there.',
  }),
  fault: nullable(
    Type.String({ description: 'Why it is set aside until that is put right; null: it is in use. Only for what stands here.' }),
  ),
  in_flight: Type.Integer({ description: 'Attempts on it now. Like the rest of its state: in the process that answers.' }),
  circuit: Type.Unsafe<(typeof circuits)[number]>({
    type: 'string',
    enum: circuits,
    description:
      '`open`: it is out of order and gets no work. `half_open`: one try, or a free probe, finds out whether it still is.',
  }),
  tried_again_at: nullable(
    Type.Integer({ description: 'When its circuit lets a try through, Unix seconds; null while it is closed.' }),
  ),
}

export const UpstreamSchema = Type.Object(
  {
    object: Type.Literal('upstream'),
    name: Type.String(),
    driver: Type.String(),
    base_url: nullable(Type.String()),
    has_api_key: Type.Boolean({ description: 'The key itself is never shown.' }),
    in_flight_max: Type.Integer({ description: 'Attempts at the same time, over all of its routes.' }),
    polls_per_second: Type.Number({ description: 'Requests after jobs, over all of its routes.' }),
    ...entryFields,
  },
  { description: 'A provider, as the operator has connected it.' },
)
export type AdminUpstream = Static<typeof UpstreamSchema>

export const RouteSchema = Type.Object(
  {
    object: Type.Literal('route'),
    name: Type.String({ description: 'What timelines and logs call it. Routes of the file may share one.' }),
    model: Type.String({ description: 'Model ID; `*`: every model that has no route of its own.' }),
    upstream: Type.String({ description: 'The name of its upstream; `embedded`: it is drawn here.' }),
    upstream_model: nullable(Type.String({ description: "The model's name there." })),
    priority: Type.Integer({ description: 'Lower is tried first.' }),
    weight: Type.Number({ description: 'Its share among routes of the same priority.' }),
    in_flight_max: nullable(Type.Integer({ description: 'Attempts at the same time; null: as many as its upstream.' })),
    defer_max: Type.Number({ description: 'Seconds that it may stay busy before a route of lower rank is used.' }),
    deadline: nullable(Type.Number({ description: 'Seconds that an attempt may take; null: as the model has it.' })),
    cost: nullable(
      Type.Object(
        { per_second: Type.Number(), per_image: Type.Number(), per_task: Type.Number(), per_unit: Type.Number() },
        {
          description: 'What the operator pays for a job, credits. Null: it was not said, and the cost of its jobs is not known.',
        },
      ),
    ),
    parameters: Type.Record(Type.String(), Type.String(), { description: "Our parameters' names to the upstream's." }),
    extra: Type.Record(Type.String(), Type.Unknown(), { description: 'Sent along as it is.' }),
    workflow: Type.Unknown({ description: 'Of a `comfyui` route: the name of its file, or the workflow itself; null: none.' }),
    slots: Type.Record(Type.String(), Type.String(), { description: 'Where parameters go in the workflow.' }),
    ...entryFields,
    busy: Type.Boolean({ description: 'All its places are taken, or it has said that it has no room.' }),
    busy_until: nullable(Type.Integer({ description: 'Until when it asked to be left alone, Unix seconds; null: it did not.' })),
  },
  { description: 'One way to serve a model.' },
)
export type AdminRoute = Static<typeof RouteSchema>

export const RouteTestSchema = Type.Object(
  {
    object: Type.Literal('route_test'),
    failed: Type.Integer({ description: 'How many have failed, those that are set aside among them.' }),
    results: Type.Array(
      Type.Object({
        route: Type.String(),
        model: Type.String(),
        upstream: Type.String(),
        outcome: Type.Unsafe<(typeof outcomes)[number]>({
          type: 'string',
          enum: outcomes,
          description:
            '`no_free_probe`: the upstream has no request that costs nothing and would tell. `set_aside`: its fault says why.',
        }),
        message: nullable(Type.String({ description: 'What was wrong, in a sentence.' })),
      }),
    ),
  },
  { description: 'What routes have answered to a request that costs nothing.' },
)
export type RouteTest = Static<typeof RouteTestSchema>

export const RouteExplanationSchema = Type.Object(
  {
    object: Type.Literal('route_explanation'),
    model: Type.String(),
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The parameters as used, with the defaults and the required ones that were left out.',
    }),
    outcome: Type.Unsafe<(typeof routeOutcomes)[number]>({
      type: 'string',
      enum: routeOutcomes,
      description:
        '`route`: the task is claimed for the chosen route. `waits`: the task is accepted and waits. `refused`: no route can serve the ' +
        'request, and a submit is refused with 400. `no_route`: every route that can is out of order, and a submit is refused with 503.',
    }),
    reason: nullable(Type.String({ description: 'Why no route is chosen, as a sentence; null: one is.' })),
    routes: Type.Array(
      Type.Object({
        route: Type.String(),
        upstream: Type.String(),
        priority: Type.Integer({ description: 'Lower is tried first.' }),
        weight: Type.Number({ description: 'Its share among routes of the same priority.' }),
        can_serve: Type.Boolean({ description: 'Whether it can serve the request, whatever its state.' }),
        refusal: nullable(
          Type.Object(
            { parameter: Type.String(), message: Type.String() },
            { description: 'The parameter that it cannot serve, and what would be right; null: it can serve the request.' },
          ),
        ),
        in_flight: Type.Integer({ description: 'Attempts on the route.' }),
        in_flight_max: nullable(Type.Integer({ description: 'Limit of the route; null: it has none of its own.' })),
        upstream_in_flight: Type.Integer({ description: 'Attempts on the upstream, over all of its routes.' }),
        upstream_in_flight_max: Type.Integer({ description: 'Limit of the upstream.' }),
        free_slots: Type.Integer({ description: 'How many more attempts may start now; 0 during a pause.' }),
        condition: Type.Unsafe<RouteCondition>({
          type: 'string',
          enum: routeConditions,
          description:
            'The worse of the route and its upstream. `throttled`: the provider asked to come back later. `unavailable`: an attempt ' +
            'could not be started. `out_of_order`: that happened repeatedly, or was confirmed.',
        }),
        condition_of: Type.Unsafe<(typeof conditionOwners)[number] | null>({
          type: ['string', 'null'],
          enum: [...conditionOwners, null],
          description: 'Which of the two has this condition, `upstream` where both have; null: the condition is `open`.',
        }),
        paused_until: nullable(Type.Integer({ description: 'When the pause ends, Unix seconds; null: there is no pause.' })),
        chosen: Type.Boolean({ description: 'The route of the next task. True for at most one.' }),
      }),
      { description: 'Every route that serves the model, best rank first.' },
    ),
  },
  { description: 'Which route a task would take now, and why.' },
)
export type RouteExplanation = Static<typeof RouteExplanationSchema>
