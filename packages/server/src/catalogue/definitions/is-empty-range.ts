import type { ParameterSchema } from '../model.ts'

/** Whether no number satisfies the bounds, as with an integer above 1 and below 2. */
export function isEmptyRange(schema: ParameterSchema): boolean {
  const { type, minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema
  const step = schema.multipleOf ?? (type === 'integer' ? 1 : undefined)
  const low = Math.max(minimum, exclusiveMinimum)
  const high = Math.min(maximum, exclusiveMaximum)
  const isExcluded = (value: number): boolean => value <= exclusiveMinimum || value >= exclusiveMaximum
  if (low === high) return isExcluded(low) || (step !== undefined && !isWhole(low / step))
  if (low > high || step === undefined || !Number.isFinite(low)) return low > high
  const firstMultiple = Math.ceil(low / step - tolerance) * step
  const smallestAllowed = isExcluded(firstMultiple) ? firstMultiple + step : firstMultiple
  return smallestAllowed > high + step * tolerance || isExcluded(smallestAllowed)
}

/** Quotients of decimals are not exact: 0.3 / 0.1 is slightly less than 3. */
const tolerance = 1e-6

function isWhole(steps: number): boolean {
  return Math.abs(Math.round(steps) - steps) <= tolerance
}
