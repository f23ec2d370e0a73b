import assert from 'node:assert'
import { unreachable } from '../lib/unreachable.ts'
import type { ModelDefinition, ParsedParameters, PriceRule } from './model.ts'

type Priced = Pick<ModelDefinition, 'id' | 'price' | 'fixedResolution' | 'parameters'>

/**
 * Micro-credits that a task holds when it is accepted: the price of all results that it asks for.
 * `parameters` must have passed the model's schema.
 */
export function quotePrice(model: Priced, parameters: ParsedParameters, price: PriceRule | null = model.price): number {
  assert(price !== null, noPrice(model))
  const unitPrice = unitPriceOf(model, parameters, price)
  const { n = 1, seconds = defaultOf(model, 'seconds') } = parameters
  if (price.unit !== 'second') return rounded(price.unit === 'image' ? unitPrice * n : unitPrice, price)
  assert(typeof seconds === 'number', `every video model has a default for seconds, ${model.id} too`)
  return rounded(Math.max(price.minimumMicroCredits, unitPrice * seconds) * n, price)
}

/**
 * Micro-credits charged for a completed task. `producedSeconds` has the length of each delivered
 * video, or null for each delivered image. A measured length is priced to the nearest micro-credit,
 * and the sum is rounded as the rule says. Each video costs at least the minimum, and the task at
 * most its hold.
 */
export function settlePrice(
  model: Priced,
  parameters: ParsedParameters,
  producedSeconds: readonly (number | null)[],
  price: PriceRule | null = model.price,
): number {
  assert(price !== null, noPrice(model))
  const hold = quotePrice(model, parameters, price)
  const unitPrice = unitPriceOf(model, parameters, price)
  switch (price.unit) {
    case 'task':
      return hold
    case 'image':
      return Math.min(hold, rounded(unitPrice * producedSeconds.length, price))
    case 'second': {
      const used = producedSeconds.map((seconds) => {
        assert(seconds !== null && seconds >= 0, `a video has a length, got ${seconds}`)
        return Math.max(price.minimumMicroCredits, Math.round(unitPrice * seconds))
      })
      return Math.min(hold, rounded(sumOf(used), price))
    }
    default:
      return unreachable(price)
  }
}

function noPrice({ id }: Priced): string {
  return `${id} has no price, so no task of it was accepted`
}

/**
 * Whether a rule has an amount for a request. A price that was set for an operator's model may be
 * older than the model's present parameters.
 */
export function coversRequest(model: Priced, parameters: ParsedParameters, price: PriceRule): boolean {
  const hasAmount = resolutionOf(model, parameters) in price.microCredits || '*' in price.microCredits
  const seconds = parameters.seconds ?? defaultOf(model, 'seconds')
  return hasAmount && (price.unit !== 'second' || seconds !== undefined)
}

/** The price of one image, task or second. */
function unitPriceOf(model: Priced, parameters: ParsedParameters, price: PriceRule): number {
  const resolution = resolutionOf(model, parameters)
  const microCredits = price.microCredits[resolution] ?? price.microCredits['*']
  assert(microCredits !== undefined, `${model.id} has no price for resolution '${resolution}'`)
  return microCredits + (price.unit === 'second' && parameters.audio === true ? price.audioMicroCredits : 0)
}

function resolutionOf(model: Priced, parameters: ParsedParameters): string {
  const resolution = parameters.resolution ?? model.fixedResolution ?? defaultOf(model, 'resolution')
  return typeof resolution === 'string' ? resolution : ''
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/** The value that counts for a request without the parameter, because no route takes it. */
function defaultOf({ parameters }: Priced, name: 'seconds' | 'resolution') {
  return parameters.properties[name]?.default
}

function rounded(microCredits: number, { rounding }: PriceRule): number {
  if (rounding === undefined) return microCredits
  const { toMicroCredits, direction } = rounding
  const steps = microCredits / toMicroCredits
  const whole = direction === 'up' ? Math.ceil(steps) : direction === 'down' ? Math.floor(steps) : Math.round(steps)
  return whole * toMicroCredits
}
