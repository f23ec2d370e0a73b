import { priceBody } from '../admin-requests.ts'
import { PriceSchema } from '../model.ts'
import { priceInForceParameters, priceListParameters } from '../parameters.ts'
import { body, common, shownBody } from './admin-body.ts'
import { reference, type Paths, type Schema } from './document-types.ts'
import { priceExamples as examples } from './price-examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

const change = (description: string, example?: (typeof examples)['change']) =>
  jsonResponse({ description, schema: reference('schemas', 'PriceChange'), examples: example ? { change: example } : {} })

/**
 * An example of an accepted price. The service validates prices by its own rules, which name each
 * violation.
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

export const priceBodies: Record<string, Schema> = { PriceSet: shownBody(priceBody, { price: writtenPrice }) }

export const priceOperations: Paths = {
  '/admin/v1/prices': {
    get: operation({
      ...common,
      id: 'listPrices',
      summary: 'List prices',
      description:
        'Prices that override the catalogue, including replaced ones and those that start later. The last one set comes first. ' +
        'A page at a time.',
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
        'Sets the price of a model for all, for a brand, or for an account, from a given time on. Null removes it. It takes ' +
        'effect in every process within a second. Tasks that were accepted earlier keep their price. Repeating the request ' +
        'changes nothing; the response reports this.',
      body: body('PriceSet', examples.body.value),
      responses: {
        200: change('Nothing was changed: the price applied already, or the request was a dry run.'),
        201: change('The price was set.', examples.change),
      },
      errors: ['BadAdminBody', 'BodyTooLarge', 'WrongType'],
    }),
  },
  '/admin/v1/prices/current': {
    get: operation({
      ...common,
      id: 'getPriceInForce',
      summary: 'Show the price of a model',
      description:
        "The current price for an account, for a brand, or for all. The account's own price applies first, then its brand's, " +
        "then the one for all, then the catalogue's. The response also lists prices that start later.",
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
