import assert from 'node:assert'
import type { ModelDefinition, ParsedParameters, PriceRule } from './model.ts'

type Priced = Pick<ModelDefinition, 'id' | 'price' | 'fixedResolution'>

/**
 * Micro-credits that a task holds when it is accepted. `parameters` must have passed the model's
 * schema.
 */
export function quotePrice(model: Priced, parameters: ParsedParameters, price: PriceRule | null = model.price): number {
  assert(price !== null, noPrice(model))
  const unitPrice = unitPriceOf(model, parameters, price)
  if (price.unit !== 'second') return rounded(unitPrice, price)
  const { seconds } = parameters
  assert(seconds !== undefined, `every video model has a default for seconds, ${model.id} too`)
  return rounded(Math.max(price.minimumMicroCredits, unitPrice * seconds), price)
}

/**
 * Micro-credits charged for a completed task. The measured length is priced to the nearest
 * micro-credit, or rounded as the rule says. The result is at least the minimum and at most the
 * hold. `producedSeconds` is null for an image.
 */
export function settlePrice(
  model: Priced,
  parameters: ParsedParameters,
  producedSeconds: number | null,
  price: PriceRule | null = model.price,
): number {
  assert(price !== null, noPrice(model))
  const hold = quotePrice(model, parameters, price)
  if (price.unit !== 'second') return hold
  assert(producedSeconds !== null && producedSeconds >= 0, `a video has a length, got ${producedSeconds}`)
  const used = Math.round(unitPriceOf(model, parameters, price) * producedSeconds)
  return Math.min(hold, rounded(Math.max(price.minimumMicroCredits, used), price))
}

function noPrice({ id }: Priced): string {
  return `${id} has no price, so no task of it was accepted`
}

/**
 * Whether a rule has an amount for a request. A price that was set for an operator's model may be
 * older than the model's present parameters.
 */
export function coversRequest({ fixedResolution }: Priced, parameters: ParsedParameters, price: PriceRule): boolean {
  const resolution = parameters.resolution ?? fixedResolution ?? ''
  const hasAmount = resolution in price.microCredits || '*' in price.microCredits
  return hasAmount && (price.unit !== 'second' || parameters.seconds !== undefined)
}

/** The price of one image, task or second. */
function unitPriceOf({ id, fixedResolution }: Priced, parameters: ParsedParameters, price: PriceRule): number {
  const resolution = parameters.resolution ?? fixedResolution ?? ''
  const microCredits = price.microCredits[resolution] ?? price.microCredits['*']
  assert(microCredits !== undefined, `${id} has no price for resolution '${resolution}'`)
  return microCredits + (price.unit === 'second' && parameters.audio === true ? price.audioMicroCredits : 0)
}

function rounded(microCredits: number, { rounding }: PriceRule): number {
  if (rounding === undefined) return microCredits
  const { toMicroCredits, direction } = rounding
  const steps = microCredits / toMicroCredits
  const whole = direction === 'up' ? Math.ceil(steps) : direction === 'down' ? Math.floor(steps) : Math.round(steps)
  return whole * toMicroCredits
}
