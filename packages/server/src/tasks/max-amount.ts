import { microCreditsPerCredit } from '../credits/micro-credits.ts'
import { validationError } from '../catalogue/validation-error.ts'

/**
 * Tolerance for floating-point results. For example, 0.57 * 1,000,000 is slightly less than
 * 570,000.
 */
const floatSlack = 0.001

/**
 * The price limit of a request in micro-credits, from its field `max_amount`. Infinity if the field
 * is absent, null if it is invalid.
 */
export function maxAmountOf(given: unknown): number | null {
  if (given === undefined) return Infinity
  return typeof given === 'number' && given >= 0 ? Math.floor(given * microCreditsPerCredit + floatSlack) : null
}

/** Like `maxAmountOf`, but throws an AppError if the field is invalid. */
export function readMaxAmount(given: unknown): number {
  const maxAmount = maxAmountOf(given)
  if (maxAmount !== null) return maxAmount
  const message = 'max_amount must be a number of credits from 0'
  throw validationError([{ pointer: '/max_amount', code: 'invalid_parameter', message }])
}
