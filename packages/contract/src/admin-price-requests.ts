import { unixSecondsMax, type RequestBodySchema } from './request-body.ts'

export interface PriceBody {
  model: string
  brand?: string
  account?: string
  /** Not described by the schema. The service validates it with rules that depend on the model. */
  price: object | null
  effective_at?: number
  dry_run?: boolean
}

const priceOwnerId = (subject: string) => ({
  type: 'string',
  minLength: 1,
  means: `the id of ${subject}`,
  description: `The id of ${subject} to which the price applies. Without \`brand\` and \`account\`, the price applies to all accounts.`,
})

export const priceBody: RequestBodySchema<PriceBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['model', 'price'],
  properties: {
    model: { type: 'string', minLength: 1, means: 'a Model ID', description: 'The Model ID.' },
    brand: priceOwnerId('a brand'),
    account: priceOwnerId('an account'),
    price: {
      type: ['object', 'null'],
      means: 'an object such as {"unit": "second", "credits": {"720p": 0.1, "*": 0.2}}, or null',
      description: 'The price. Null: ends the current price, and the next broader price applies.',
    },
    effective_at: {
      type: 'integer',
      minimum: 0,
      maximum: unixSecondsMax,
      means: 'Unix seconds',
      description:
        'Time from which the price applies, Unix seconds. Default: now. A time in the past has the same effect as now. Tasks accepted ' +
        'earlier keep their price.',
    },
    dry_run: {
      type: 'boolean',
      means: 'true or false',
      description: 'True: validates the request and returns its effect without changing anything.',
    },
  },
}

export interface PriceSimulationBody {
  models: string[]
  brand?: string
  account?: string
  price: unknown
  from?: string
  to?: string
}

const simulatedDay = (description: string) =>
  ({
    type: 'string',
    pattern: String.raw`^\d{4}-\d\d-\d\d$`,
    means: 'a day such as 2026-01-15',
    description,
  }) as const

/** Maximum number of models of a price simulation. */
export const simulatedModelsMax = 20

export const priceSimulationBody: RequestBodySchema<PriceSimulationBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['models', 'price'],
  properties: {
    models: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      maxItems: simulatedModelsMax,
      means: `a list of 1 to ${simulatedModelsMax} Model IDs`,
      description: 'The Model IDs for which the price is simulated.',
    },
    brand: priceOwnerId('a brand'),
    account: priceOwnerId('an account'),
    price: {
      type: ['object', 'null'],
      means: 'an object such as {"unit": "second", "credits": {"720p": 0.1, "*": 0.2}}, or null',
      description: 'The price to simulate. Null: the next broader price applies.',
    },
    from: simulatedDay('The first day, UTC. Default: 29 days before the last day.'),
    to: simulatedDay('The last day, UTC. Default: today.'),
  },
}
