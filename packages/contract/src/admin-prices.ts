import { Type, type Static } from 'typebox'
import { PriceSchema, type ShownPrice } from './model.ts'
import { nullable } from './nullable.ts'
import { priceStates, type PriceState } from './parameters.ts'

const orNull = <Shown>(schema: object, description: string) =>
  Type.Unsafe<Shown | null>({ anyOf: [schema, { type: 'null' }], description })

const unixSeconds = (description: string) => Type.Integer({ description: `${description}, Unix seconds.` })

const whose = {
  model: Type.String({ description: 'Model ID.' }),
  brand: nullable(Type.String({ description: 'The id of the brand that it applies to. Null: it is not limited to a brand.' })),
  account: nullable(
    Type.String({ description: 'The id of the account that it applies to. Null: it is not limited to an account.' }),
  ),
}

export const PriceLineSchema = Type.Object(
  {
    object: Type.Literal('price'),
    id: nullable(Type.String({ description: 'Null after a dry run.' })),
    ...whose,
    brand_name: nullable(Type.String({ description: 'The name of that brand.' })),
    account_name: nullable(Type.String({ description: 'The name of that account.' })),
    price: orNull<ShownPrice>(PriceSchema, 'Null: from then on the next broader price applies.'),
    effective_at: unixSeconds('Start of the price'),
    created: unixSeconds('Time of the request that set it'),
    state: Type.Unsafe<PriceState>({
      type: 'string',
      enum: priceStates,
      description:
        '`current`: the price applies now. `later`: it starts later. `replaced`: a later price of the same model and owner has ' +
        'replaced it.',
    }),
  },
  {
    description:
      'A price that overrides the catalogue for an account, a brand, or, with neither, for all. A price never changes; a ' +
      'later one replaces it.',
  },
)
export type PriceLineView = Static<typeof PriceLineSchema>

export const PriceChangeSchema = Type.Object(
  {
    object: Type.Literal('price_change'),
    changed: Type.Boolean({ description: 'False: the same price applied already, and nothing was written.' }),
    before: orNull<PriceLineView>(PriceLineSchema, 'The price that would apply to this owner at that time without the change.'),
    after: orNull<PriceLineView>(PriceLineSchema, 'The price that applies to this owner from the start of the change on.'),
  },
  { description: 'The effect of setting a price.' },
)
export type PriceChange = Static<typeof PriceChangeSchema>

export const PriceInForceSchema = Type.Object(
  {
    object: Type.Literal('price_in_force'),
    ...whose,
    price: orNull<ShownPrice>(PriceSchema, 'Null: the model has no price yet, and clients cannot use it.'),
    from: Type.Unsafe<'account' | 'brand' | 'all' | 'catalogue'>({
      type: 'string',
      enum: ['account', 'brand', 'all', 'catalogue'],
      description: 'The narrowest scope that has a price: the account, its brand, all, or the catalogue.',
    }),
    line: orNull<PriceLineView>(PriceLineSchema, 'The price in force. Null: the price of the catalogue.'),
    later: Type.Array(PriceLineSchema, {
      description: 'Prices that start later for the account, its brand or all, soonest first.',
    }),
  },
  { description: 'The current price of a model for an account, for a brand, or for accounts without a price of their own.' },
)
export type PriceInForce = Static<typeof PriceInForceSchema>
