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
        'Prices that replace those of the catalogue, with those that begin later and those that were replaced; the one set last comes ' +
        'first. A page at a time.',
      parameters: queryParameters(priceListParameters),
      answers: {
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
        'Of a model for all, for a brand, or for an account, from a moment on; null removes it. It acts in every process within a ' +
        'second; tasks that were accepted before are charged by the price they were accepted at. The same again changes nothing and ' +
        'says so.',
      body: body('PriceSet', examples.body.value),
      answers: {
        200: change('Nothing was changed: it held already, or `dry_run` was asked for.'),
        201: change('It was set.', examples.change),
      },
      errors: ['BadAdminBody', 'BodyTooLarge', 'WrongType'],
    }),
  },
  '/admin/v1/prices/current': {
    get: operation({
      ...common,
      id: 'getPriceInForce',
      summary: 'What a model costs',
      description:
        "Now, for an account, for a brand, or for all: the account's own price, else its brand's, else the one for all, " +
        "else the catalogue's; and what begins later.",
      parameters: queryParameters(priceInForceParameters, ['model']),
      answers: {
        200: jsonResponse({
          description: 'The price, and where it comes from.',
          schema: reference('schemas', 'PriceInForce'),
          examples: { inForce: examples.inForce },
        }),
      },
      errors: ['BadQuery'],
    }),
  },
}
