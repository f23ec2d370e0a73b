import { Type, type Static } from 'typebox'
import { PriceSchema, type ShownPrice } from './model.ts'
import { nullable } from './nullable.ts'

export const modelSources = ['file', 'api'] as const

export const ModelDefinitionSchema = Type.Object(
  {
    object: Type.Literal('model_definition'),
    id: Type.String({ description: 'The Model ID.' }),
    source: Type.Unsafe<(typeof modelSources)[number]>({
      type: 'string',
      enum: modelSources,
      description:
        '`file`: the model is defined in the configuration file or in a file of the folder `models`. `api`: it was set through the API.',
    }),
    place: nullable(Type.String({ description: 'File and line of the definition. Null for the source `api`.' })),
    definition: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The definition as given.',
    }),
    version: nullable(
      Type.Integer({
        description:
          'A number that increases with each change of the definition. A task keeps the version that was current when it was ' +
          'accepted.',
      }),
    ),
    price: Type.Unsafe<ShownPrice | null>({
      anyOf: [PriceSchema, { type: 'null' }],
      description: 'The current price for all accounts. Null: there is no price yet, and clients cannot use the model.',
    }),
    fault: nullable(Type.String({ description: 'The reason why the definition is disabled. Null: the definition is in use.' })),
    created: nullable(
      Type.Integer({ description: 'Time of the request that created the model, Unix seconds. Null for the source `file`.' }),
    ),
  },
  { description: 'A model that an operator has defined.' },
)
export type AdminModelDefinition = Static<typeof ModelDefinitionSchema>
