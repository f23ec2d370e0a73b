import { Type, type Static } from 'typebox'
import { PriceSchema, type ShownPrice } from './model.ts'
import { nullable } from './nullable.ts'
import { priceStates, type PriceState } from './parameters.ts'

const orNull = <Shown>(schema: object, description: string) =>
  Type.Unsafe<Shown | null>({ anyOf: [schema, { type: 'null' }], description })

const unixSeconds = (description: string) => Type.Integer({ description: `${description}, Unix seconds.` })

const priceTarget = {
  model: Type.String({ description: 'Model ID.' }),
  brand: nullable(
    Type.String({ description: 'The id of the brand to which the price applies. Null: the price is not limited to a brand.' }),
  ),
  account: nullable(
    Type.String({
      description: 'The id of the account to which the price applies. Null: the price is not limited to an account.',
    }),
  ),
}

export const PriceLineSchema = Type.Object(
  {
    object: Type.Literal('price'),
    id: nullable(Type.String({ description: 'The id of the price. Null after a dry run.' })),
    ...priceTarget,
    brand_name: nullable(Type.String({ description: 'The name of the brand.' })),
    account_name: nullable(Type.String({ description: 'The name of the account.' })),
    price: orNull<ShownPrice>(PriceSchema, 'The price. Null: from this time on, the next broader price applies.'),
    effective_at: unixSeconds('Start of the price'),
    created: unixSeconds('Time of the request that set the price'),
    state: Type.Unsafe<PriceState>({
      type: 'string',
      enum: priceStates,
      description:
        '`current`: the price applies now. `later`: the price starts later. `replaced`: a newer price for the same model, brand and ' +
        'account applies instead.',
    }),
  },
  {
    description:
      'A price that overrides the catalogue for an account, for a brand, or for all accounts. A price is never edited; a ' +
      'newer price replaces it.',
  },
)
export type PriceLineView = Static<typeof PriceLineSchema>

export const PriceChangeSchema = Type.Object(
  {
    object: Type.Literal('price_change'),
    changed: Type.Boolean({ description: 'False: the same price already applied, and nothing was written.' }),
    before: orNull<PriceLineView>(
      PriceLineSchema,
      'The price that would apply without the change, at the same time and to the same accounts.',
    ),
    after: orNull<PriceLineView>(PriceLineSchema, 'The price that applies to these accounts once the change takes effect.'),
  },
  { description: 'The effect of setting a price.' },
)
export type PriceChange = Static<typeof PriceChangeSchema>

export const PriceInForceSchema = Type.Object(
  {
    object: Type.Literal('price_in_force'),
    ...priceTarget,
    price: orNull<ShownPrice>(PriceSchema, 'The price. Null: the model has no price yet, and clients cannot use it.'),
    from: Type.Unsafe<'account' | 'brand' | 'all' | 'catalogue'>({
      type: 'string',
      enum: ['account', 'brand', 'all', 'catalogue'],
      description: 'Origin of the price, in this order of precedence: the account, its brand, all accounts, the catalogue.',
    }),
    line: orNull<PriceLineView>(PriceLineSchema, 'The price that an operator has set. Null: the price of the catalogue applies.'),
    later: Type.Array(PriceLineSchema, {
      description: 'Future prices for the account, for its brand or for all accounts, soonest first.',
    }),
  },
  { description: 'The current price of a model for an account, for a brand, or for accounts without a price of their own.' },
)
export type PriceInForce = Static<typeof PriceInForceSchema>

const simulatedSums = {
  tasks: Type.Integer({ minimum: 0, description: 'Completed tasks to which the price would have applied.' }),
  charged: Type.Number({ minimum: 0, description: 'Credits that were charged for these tasks.' }),
  simulated: Type.Number({ minimum: 0, description: 'Credits that the simulated price would have charged for them.' }),
  difference: Type.Number({ description: '`simulated` minus `charged`.' }),
  skipped: Type.Integer({
    minimum: 0,
    description:
      'Tasks that are not part of the sums, because the stored data is not enough to compute their new price. For example, the ' +
      'new price depends on input videos, whose length was not recorded under the old price.',
  }),
}

export const PriceSimulationSchema = Type.Object(
  {
    object: Type.Literal('price_simulation'),
    from: Type.Integer({
      description: 'Start of the simulated period, Unix seconds. Tasks count by the time at which they were accepted.',
    }),
    until: Type.Integer({ description: 'End of the simulated period, Unix seconds.' }),
    complete: Type.Boolean({
      description:
        'False: the requested period has more tasks than a simulation reads, so only the newest ones count. `from` is then the ' +
        'time at which the oldest of them was accepted.',
    }),
    items: Type.Array(Type.Object({ model: Type.String({ description: 'Model ID.' }), ...simulatedSums }), {
      description: 'One item for each model of the request.',
    }),
    total: Type.Object(simulatedSums),
  },
  { description: 'The charges of completed tasks under another price. A simulation changes nothing.' },
)
export type PriceSimulation = Static<typeof PriceSimulationSchema>
