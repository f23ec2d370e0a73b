import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'

const circuits = ['closed', 'open', 'half_open'] as const
const outcomes = ['ok', 'failed', 'no_free_probe', 'set_aside'] as const

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
    cost: Type.Object(
      { per_second: Type.Number(), per_image: Type.Number(), per_task: Type.Number() },
      { description: 'What the operator pays, in whatever unit he reckons.' },
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
