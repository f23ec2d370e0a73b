import { priceBody, priceSimulationBody } from '../admin-price-requests.ts'
import { PriceSchema } from '../model.ts'
import { priceInForceParameters, priceListParameters } from '../parameters.ts'
import { body, common, bodyParameters } from './admin-body.ts'
import { reference, type Paths, type Schema } from './document-types.ts'
import { priceExamples as examples } from './price-examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

const change = (description: string, example?: (typeof examples)['change']) =>
  jsonResponse({ description, schema: reference('schemas', 'PriceChange'), examples: example ? { change: example } : {} })

/**
 * Schema of `price` in the OpenAPI document. The service does not use it for validation; separate
 * code names each violation.
 */
const writtenPrice = {
  description: priceBody.properties['price']?.description,
  anyOf: [
    ...PriceSchema.anyOf.map((schema) =>
      Object.assign({}, schema, { required: ['unit', 'credits'], additionalProperties: false }),
    ),
    { type: 'null' },
  ],
}

export const priceBodies: Record<string, Schema> = {
  PriceSet: bodyParameters(priceBody, { price: writtenPrice }),
  PriceSimulationRequest: bodyParameters(priceSimulationBody, { price: writtenPrice }),
}

export const priceOperations: Paths = {
  '/admin/v1/prices': {
    get: operation({
      ...common,
      id: 'listPrices',
      summary: 'List prices',
      description:
        'Lists the prices that override the catalogue, including replaced and future prices, in pages. The most recently set ' +
        'price comes first.',
      parameters: queryParameters(priceListParameters),
      responses: {
        200: jsonResponse({
          description: 'A page of prices.',
          schema: reference('schemas', 'PriceList'),
          examples: { page: examples.list },
        }),
      },
      errors: ['BadQuery'],
    }),
    post: operation({
      ...common,
      id: 'setPrice',
      summary: 'Set or remove a price',
      description:
        'Sets the price of a model for all accounts, for a brand or for an account, from a given time on. Null removes the ' +
        'price. The change takes effect in every process within a second. Tasks that were accepted earlier keep their price. A ' +
        'repeated request changes nothing; its response has `"changed": false`.',
      body: body('PriceSet', examples.body.value),
      responses: {
        200: change('Nothing changed, because the same price already applied or the request was a dry run.'),
        201: change('The price was set.', examples.change),
      },
      errors: ['BadAdminBody', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/admin/v1/prices/simulate': {
    post: operation({
      ...common,
      id: 'simulatePrice',
      summary: 'Simulate a price on past tasks',
      description:
        'Computes the charges of past tasks under another price. More specific prices still apply: a price for all accounts ' +
        'changes nothing for an account with a price of its own. A simulation starts with the newest tasks. It ends early once ' +
        'it has read a million tasks, counted 100,000 of them or run for 20 seconds. Models that are priced by tokens are not ' +
        'supported. Only one simulation runs at a time.',
      body: body('PriceSimulationRequest', { models: ['vidDq3-turbo'], price: examples.body.value.price }),
      responses: {
        200: jsonResponse({
          description: 'The charges under both prices.',
          schema: reference('schemas', 'PriceSimulation'),
          examples: {},
        }),
      },
      errors: ['BadAdminBody', 'Conflict', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/admin/v1/prices/current': {
    get: operation({
      ...common,
      id: 'getPriceInForce',
      summary: 'Show the price of a model',
      description:
        'Returns the current price for an account, for a brand or for all accounts. The most specific price applies: the ' +
        "account's, otherwise the brand's, otherwise the price for all accounts, otherwise the catalogue's. The response also " +
        'lists future prices.',
      parameters: queryParameters(priceInForceParameters, ['model']),
      responses: {
        200: jsonResponse({
          description: 'The price and its origin.',
          schema: reference('schemas', 'PriceInForce'),
          examples: { inForce: examples.inForce },
        }),
      },
      errors: ['BadQuery'],
    }),
  },
}
