import assert from 'node:assert'
import type { ModelDefinition, ParsedParameters } from './model.ts'

type Priced = Pick<ModelDefinition, 'id' | 'price' | 'fixedResolution'>

/** What a task holds when it is accepted, in micro-credits. `parameters` have passed the model's schema. */
export function quotePrice(model: Priced, parameters: ParsedParameters): number {
  const { price } = model
  const unitPrice = unitPriceOf(model, parameters)
  if (price.unit === 'image') return unitPrice
  const { seconds } = parameters
  assert(seconds !== undefined, `every video model has a default for seconds, ${model.id} too`)
  return Math.max(price.minimumMicroCredits, unitPrice * seconds)
}

/**
 * What a completed task is charged, in micro-credits: the measured length to the nearest millionth of a credit, at
 * least the minimum and never more than was held. An image has no length: null.
 */
export function settlePrice(model: Priced, parameters: ParsedParameters, producedSeconds: number | null): number {
  const hold = quotePrice(model, parameters)
  const { price } = model
  if (price.unit === 'image') return hold
  assert(producedSeconds !== null && producedSeconds >= 0, `a video has a length, got ${producedSeconds}`)
  const used = Math.round(unitPriceOf(model, parameters) * producedSeconds)
  return Math.min(hold, Math.max(price.minimumMicroCredits, used))
}

/** Of one image or one second. */
function unitPriceOf({ id, price, fixedResolution }: Priced, parameters: ParsedParameters): number {
  const resolution = parameters.resolution ?? fixedResolution ?? ''
  const microCredits = price.microCredits[resolution]
  assert(microCredits !== undefined, `${id} has no price for resolution '${resolution}'`)
  return microCredits + (price.unit === 'second' && parameters.audio === true ? price.audioMicroCredits : 0)
}
