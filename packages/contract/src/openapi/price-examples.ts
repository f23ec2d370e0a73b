import type { PriceChange, PriceInForce, PriceLineView } from '../admin-prices.ts'
import type { List } from '../list.ts'
import type { Example } from './document-types.ts'

/**
 * In these examples, it is noon on 15 January 2026 (UTC). From February on, an account has its own
 * price for a model instead of the catalogue's.
 */
const noon = 1_768_478_400
const february = 1_769_904_000

const body = {
  model: 'vidDq3-turbo',
  account: 'acct_1',
  price: { unit: 'second', credits: { '540p': 0.03, '*': 0.05 }, minimum_credits: 0.2 },
  effective_at: february,
}

const line: PriceLineView = {
  object: 'price',
  id: 'price_1',
  model: body.model,
  brand: null,
  brand_name: null,
  account: body.account,
  account_name: 'Studio North',
  price: { unit: 'second', credits: body.price.credits, audio_credits: 0, minimum_credits: 0.2 },
  effective_at: february,
  created: noon,
  state: 'later',
}

const list: List<PriceLineView> = { object: 'list', items: [line], has_more: false, next_cursor: null }
const change: PriceChange = { object: 'price_change', changed: true, before: null, after: line }

const inForce: PriceInForce = {
  object: 'price_in_force',
  model: body.model,
  brand: null,
  account: body.account,
  price: { unit: 'second', credits: { '540p': 0.04, '720p': 0.06, '1080p': 0.08 }, audio_credits: 0, minimum_credits: 0.05 },
  from: 'catalogue',
  line: null,
  later: [line],
}

export const priceExamples = {
  body: { summary: 'A request', value: body },
  list: { summary: 'One price that starts later', value: list },
  change: { summary: 'A price that starts later', value: change },
  inForce: { summary: 'The price of the catalogue, and a price that starts later', value: inForce },
} as const satisfies Record<string, Example>
