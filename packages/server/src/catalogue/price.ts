import assert from 'node:assert'
import { unreachable } from '../lib/unreachable.ts'
import type { PricedInputs } from './generation-parameters.ts'
import type { ModelDefinition, ParsedParameters, PriceRule } from './model.ts'
import { noInputs } from './priced-inputs.ts'

type PricedModel = Pick<ModelDefinition, 'id' | 'price' | 'fixedResolution' | 'parameters'>

/**
 * Computes the micro-credits to hold when a task is accepted: the price of all results that the
 * task requests. `parameters` must have passed the model's schema, and `inputs` must come from a
 * probe of the files.
 */
export function quotePrice(
  model: PricedModel,
  parameters: ParsedParameters,
  price: PriceRule | null = model.price,
  inputs: PricedInputs | null = null,
): number {
  assert(price !== null, noPriceMessage(model))
  const priceOf = resultPricing(model, parameters, price, inputs ?? noInputs)
  const { n = 1, seconds = defaultOf(model, 'seconds') } = parameters
  if (price.unit !== 'second') return priceOfTask(priceOf(1) * (price.unit === 'image' ? n : 1), price)
  assert(typeof seconds === 'number', `${model.id} is priced per second, but has no default for seconds`)
  return priceOfTask(priceOf(seconds) * n, price)
}

/**
 * Computes the micro-credits to charge for a completed task. `producedSeconds` has the length of
 * each delivered video, or null for each delivered image. The price of a measured length is rounded
 * to the nearest micro-credit, and the sum is rounded by the rule's `rounding`. Each video costs at
 * least the minimum of the rule, and the task costs at most its hold.
 */
export function settlePrice(
  model: PricedModel,
  parameters: ParsedParameters,
  producedSeconds: readonly (number | null)[],
  price: PriceRule | null = model.price,
  inputs: PricedInputs | null = null,
): number {
  assert(price !== null, noPriceMessage(model))
  const hold = quotePrice(model, parameters, price, inputs)
  const priceOf = resultPricing(model, parameters, price, inputs ?? noInputs)
  switch (price.unit) {
    case 'task':
      return hold
    case 'token':
      throw new Error(`${model.id} is priced by tokens, and makes no tasks`)
    case 'image':
      return Math.min(hold, priceOfTask(priceOf(1) * producedSeconds.length, price))
    case 'second': {
      const videoPrices = producedSeconds.map((seconds) => {
        assert(seconds !== null && seconds >= 0, `a video has a length, got ${seconds}`)
        return priceOf(seconds)
      })
      return Math.min(hold, priceOfTask(sumOf(videoPrices), price))
    }
    default:
      return unreachable(price)
  }
}

function noPriceMessage({ id }: PricedModel): string {
  return `${id} has no price, so the service accepts no task for it`
}

/**
 * Whether a rule has an amount for a request. An operator may have changed the parameters of the
 * model after the price was set.
 */
export function coversRequest(model: PricedModel, parameters: ParsedParameters, price: PriceRule): boolean {
  // The price was set for a token model that had the same ID before the operator replaced it.
  if (price.unit === 'token') return false
  const resolution = resolutionOf(model, parameters)
  const tables = [price.microCredits, ...(price.inputs?.secondMicroCredits ? [price.inputs.secondMicroCredits] : [])]
  const seconds = parameters.seconds ?? defaultOf(model, 'seconds')
  return tables.every((rates) => resolution in rates || '*' in rates) && (price.unit !== 'second' || seconds !== undefined)
}

/**
 * Returns a function that prices one result by its units: its seconds if the price is per second,
 * otherwise 1. The price of each result includes all inputs, because the provider uses all inputs
 * for each result.
 */
function resultPricing(
  model: PricedModel,
  parameters: ParsedParameters,
  price: PriceRule,
  { seconds, images }: PricedInputs,
): (units: number) => number {
  const unitPrice = unitPriceOf(model, parameters, price)
  const { secondMicroCredits = {}, videoFactor = 1, imageMicroCredits = 0, imagesFree = 0 } = price.inputs ?? {}
  const inputVideosPrice = seconds === 0 ? 0 : seconds * (rateOf(secondMicroCredits, model, parameters) ?? 0)
  const factor = seconds === 0 ? 1 : videoFactor
  const inputImagesPrice = imageMicroCredits * Math.max(0, images - imagesFree)
  const minimum = price.unit === 'second' ? price.minimumMicroCredits : 0
  return (units) => Math.max(minimum, Math.round(factor * (unitPrice * units + inputVideosPrice)) + inputImagesPrice)
}

/** Returns the price of one image, task or second. */
function unitPriceOf(model: PricedModel, parameters: ParsedParameters, price: PriceRule): number {
  const microCredits = rateOf(price.microCredits, model, parameters)
  assert(microCredits !== undefined, `${model.id} has no price for resolution '${resolutionOf(model, parameters)}'`)
  return microCredits + (price.unit === 'second' && parameters.audio === true ? price.audioMicroCredits : 0)
}

function rateOf(rates: Readonly<Record<string, number>>, model: PricedModel, parameters: ParsedParameters): number | undefined {
  return rates[resolutionOf(model, parameters)] ?? rates['*']
}

function resolutionOf(model: PricedModel, parameters: ParsedParameters): string {
  const resolution = parameters.resolution ?? model.fixedResolution ?? defaultOf(model, 'resolution')
  return typeof resolution === 'string' ? resolution : ''
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/**
 * Returns the default of a parameter. It determines the price if no route accepts the parameter,
 * because requests then do not contain it.
 */
function defaultOf({ parameters }: PricedModel, name: 'seconds' | 'resolution') {
  return parameters.properties[name]?.default
}

/** Returns the price of a task from the sum of the prices of its results. */
function priceOfTask(microCredits: number, price: PriceRule): number {
  const { taskMinimumMicroCredits = 0 } = price
  return roundPrice(Math.max(taskMinimumMicroCredits, microCredits), price)
}

function roundPrice(microCredits: number, { rounding }: PriceRule): number {
  if (rounding === undefined) return microCredits
  const { toMicroCredits, direction } = rounding
  const steps = microCredits / toMicroCredits
  const roundedSteps = direction === 'up' ? Math.ceil(steps) : direction === 'down' ? Math.floor(steps) : Math.round(steps)
  return roundedSteps * toMicroCredits
}
