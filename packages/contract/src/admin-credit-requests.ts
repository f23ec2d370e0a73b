import { unixSecondsMax, type RequestBodySchema } from './request-body.ts'
import { creditsMax, creditsMin } from './admin-request-fields.ts'

export interface GrantBody {
  amount: number
  note?: string
  expires_at?: number
  reference?: string
}

export interface AdjustmentBody {
  amount: number
  note: string
}

/**
 * The largest double below `creditsMin`. The schema of an adjustment excludes the values up to it
 * with `not`, because client generators do not support unions of numbers, and the docs page does
 * not support exclusive bounds inside `not`.
 */
const belowCreditsMin = 9.999999999999997e-7

/**
 * Maximum total of credits that an account can be granted. Up to this value, JSON numbers represent
 * sums exactly to the millionth.
 */
export const creditsGrantedMax = 8_000_000_000

const note = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  means: 'a text of 1 to 200 characters',
  description: 'The reason. It is recorded in the ledger, which the account can read.',
}

export const grantBody: RequestBodySchema<GrantBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['amount'],
  properties: {
    amount: {
      type: 'number',
      minimum: creditsMin,
      maximum: creditsMax,
      means: `a number of credits from 0.000001 to ${creditsMax}`,
      description: `Credits to add, with at most six decimals. The total of all grants and corrections of an account is at most ${creditsGrantedMax} credits.`,
    },
    note,
    expires_at: {
      type: 'integer',
      minimum: 0,
      maximum: unixSecondsMax,
      means: 'Unix seconds',
      description: 'Expiry, Unix seconds. Unspent credits are removed at this time. Default: never.',
    },
    reference: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: String.raw`^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$`,
      // A client could not request such a grant, because URLs with these path segments are
      // normalized.
      not: { enum: ['.', '..'] },
      means: 'a text of 1 to 100 printable ASCII characters, but not . or ..',
      description:
        'A reference such as an invoice number. An account receives only one grant per reference, even if the request is ' +
        'repeated with another API key. Takes precedence over `Idempotency-Key`, which applies only to the requesting API key.',
    },
  },
}

export const adjustmentBody: RequestBodySchema<AdjustmentBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['amount', 'note'],
  properties: {
    amount: {
      type: 'number',
      not: { minimum: -belowCreditsMin, maximum: belowCreditsMin },
      minimum: -creditsMax,
      maximum: creditsMax,
      means: `a number of credits from 0.000001 to ${creditsMax}, or from -${creditsMax} to -0.000001`,
      description:
        'Credits to add, or to remove if negative, with at most six decimals. A correction that would make the balance ' +
        'negative is rejected.',
    },
    note,
  },
}
