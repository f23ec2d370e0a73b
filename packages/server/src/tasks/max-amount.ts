import { microCreditsPerCredit } from '../credits/micro-credits.ts'
import { validationError } from '../catalogue/validation-error.ts'

/**
 * Tolerance for floating-point errors, in micro-credits: 0.57 * 1,000,000 is slightly less than
 * 570,000.
 */
const toleranceMicroCredits = 0.001

/**
 * Converts the field `max_amount` of a request to micro-credits. Returns Infinity if the field is
 * absent, and null if it is invalid.
 */
export function maxAmountOf(raw: unknown): number | null {
  if (raw === undefined) return Infinity
  return typeof raw === 'number' && raw >= 0 ? Math.floor(raw * microCreditsPerCredit + toleranceMicroCredits) : null
}

/** Like `maxAmountOf`, but throws an `AppError` if the field is invalid. */
export function readMaxAmount(raw: unknown): number {
  const maxAmount = maxAmountOf(raw)
  if (maxAmount !== null) return maxAmount
  const message = 'max_amount must be a number of credits, 0 or more'
  throw validationError([{ pointer: '/max_amount', code: 'invalid_parameter', message }])
}
