import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'

export const driftKinds = ['prose', 'wider', 'narrower', 'gone'] as const

const noteFields = { field: Type.String(), message: Type.String({ description: 'The note, for people.' }) }

export const ModelImportSchema = Type.Object(
  {
    object: Type.Literal('model_import'),
    saved: Type.Boolean({ description: 'Whether the model and its routes were saved.' }),
    model: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The definition. Null: the source has several models, which `choices` lists.',
      }),
    ),
    routes: Type.Array(
      Type.Object({
        name: Type.String(),
        route: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      }),
      { description: 'The routes, in the format of `PUT /admin/v1/routes/{name}`.' },
    ),
    notes: Type.Array(Type.Object(noteFields), {
      description: 'Fields of the source that could not be mapped completely, with the reason.',
    }),
    prices: Type.Array(
      Type.Object({
        parameters: Type.Record(Type.String(), Type.Unknown()),
        credits: nullable(
          Type.Number({ description: 'Price in credits. Null: the model has no price yet, and is not offered to clients.' }),
        ),
      }),
      { description: 'The price of the smallest request and of each example.' },
    ),
    price_hint: nullable(
      Type.String({ description: "The provider's own description of its price, for people. The import does not use it." }),
    ),
    drift: nullable(
      Type.Array(
        Type.Object({
          ...noteFields,
          kind: Type.Unsafe<(typeof driftKinds)[number]>({
            type: 'string',
            enum: driftKinds,
            description:
              '`prose`: only titles or descriptions changed. `wider`: the provider still accepts every request that the model ' +
              'accepts, and possibly more. `narrower`: the provider may reject requests that the model accepts. `gone`: the ' +
              'provider no longer has the source, and nothing is saved.',
          }),
        }),
        { description: 'Changes of the source since the model was imported. Null: the model was not imported before.' },
      ),
    ),
    tests: Type.Array(Type.Object({ route: Type.String(), outcome: Type.String(), message: nullable(Type.String()) }), {
      description:
        'Results of free test requests to the routes of the model, as in `POST /admin/v1/routes/test`. Empty if nothing was ' +
        'saved.',
    }),
    choices: Type.Array(Type.String(), { description: 'The models to choose from, if the source has several. Otherwise empty.' }),
  },
  { description: 'The outcome of an import, or of a dry run.' },
)
export type AdminModelImport = Static<typeof ModelImportSchema>

export const ModelPackSchema = Type.Object(
  {
    object: Type.Literal('model_pack'),
    name: Type.String({ description: 'Name of the pack. To import it, use the source `pack:` followed by this name.' }),
    driver: Type.String({ description: 'The driver of the upstream that the model needs.' }),
    makes: Type.Unsafe<'image' | 'video'>({ type: 'string', enum: ['image', 'video'] }),
    title: Type.String(),
    description: Type.String(),
  },
  { description: 'A predefined model definition that comes with Framegate.' },
)
export type AdminModelPack = Static<typeof ModelPackSchema>
