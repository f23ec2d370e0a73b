import { Type, type Static } from 'typebox'
import { PriceSchema, type ShownPrice } from './model.ts'
import { nullable } from './nullable.ts'
import { priceStates, type PriceState } from './parameters.ts'

const orNull = <Shown>(schema: object, description: string) =>
  Type.Unsafe<Shown | null>({ anyOf: [schema, { type: 'null' }], description })

const unixSeconds = (description: string) => Type.Integer({ description: `${description}, Unix seconds.` })

const whose = {
  model: Type.String({ description: 'Model ID.' }),
  brand: nullable(Type.String({ description: 'The id of the brand that it is for; null: not for one brand.' })),
  account: nullable(Type.String({ description: 'The id of the account that it is for; null: not for one account.' })),
}

export const PriceLineSchema = Type.Object(
  {
    object: Type.Literal('price'),
    id: nullable(Type.String({ description: 'Null when it was only tried.' })),
    ...whose,
    brand_name: nullable(Type.String({ description: 'The name of that brand.' })),
    account_name: nullable(Type.String({ description: 'The name of that account.' })),
    price: orNull<ShownPrice>(PriceSchema, 'Null: from then on it says nothing, and what is broader holds.'),
    effective_at: unixSeconds('When it begins'),
    created: unixSeconds('When it was set'),
    state: Type.Unsafe<PriceState>({
      type: 'string',
      enum: priceStates,
      description:
        '`current`: it has begun and no other has replaced it. `later`: it begins later. `replaced`: another one of the same model ' +
        'and owner holds from there on.',
    }),
  },
  {
    description:
      'A price that replaces the one of the catalogue: of an account, of a brand, or with neither of all. It never changes; another ' +
      'one replaces it.',
  },
)
export type PriceLineView = Static<typeof PriceLineSchema>

export const PriceChangeSchema = Type.Object(
  {
    object: Type.Literal('price_change'),
    changed: Type.Boolean({ description: 'False: the very same price held then already, and nothing was written.' }),
    before: orNull<PriceLineView>(PriceLineSchema, 'What would hold then for this owner without it.'),
    after: orNull<PriceLineView>(PriceLineSchema, 'What holds then for this owner.'),
  },
  { description: 'What setting a price has done.' },
)
export type PriceChange = Static<typeof PriceChangeSchema>

export const PriceInForceSchema = Type.Object(
  {
    object: Type.Literal('price_in_force'),
    ...whose,
    price: PriceSchema,
    from: Type.Unsafe<'account' | 'brand' | 'all' | 'catalogue'>({
      type: 'string',
      enum: ['account', 'brand', 'all', 'catalogue'],
      description: 'The narrowest that has a price: the account, its brand, all, or the catalogue itself.',
    }),
    line: orNull<PriceLineView>(PriceLineSchema, 'The price that says so; null: the catalogue.'),
    later: Type.Array(PriceLineSchema, { description: 'What begins later for the account, its brand or all, soonest first.' }),
  },
  { description: 'What a model costs now for an account, for a brand, or for whoever has no price of their own.' },
)
export type PriceInForce = Static<typeof PriceInForceSchema>
