import type { BodyFieldSchema } from './request-body.ts'

export const creditsMax = 1_000_000_000
/** One micro-credit, the unit of the ledger. */
export const creditsMin = 0.000001
export const countMax = 1_000_000
const tokensMax = 1_000_000_000

export const name = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  means: 'a text of 1 to 100 characters',
  description: 'Display name.',
}

export function limitField(type: 'integer' | 'number', maximum: number, description: string): BodyFieldSchema {
  const minimum = type === 'integer' ? 1 : creditsMin
  const number = type === 'integer' ? 'a whole number from 1' : 'a number from 0.000001'
  return {
    type: [type, 'null'],
    minimum,
    maximum,
    means: `${number} to ${maximum}, or null for no limit`,
    description: `${description} Null: no limit.`,
  }
}

export const inFlight = {
  tasks_in_flight_max: limitField('integer', countMax, 'Maximum number of queued and processing tasks.'),
  credits_in_flight_max: limitField('number', creditsMax, 'Maximum total of credits held by queued and processing tasks.'),
}

export const perMinute = {
  requests_per_minute_max: limitField('integer', countMax, 'Maximum requests per minute for models that are priced by tokens.'),
  tokens_per_minute_max: limitField(
    'integer',
    tokensMax,
    'Maximum tokens per minute, over requests for models that are priced by tokens.',
  ),
}
