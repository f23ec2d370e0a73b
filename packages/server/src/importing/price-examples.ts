import type { ModelDefinition } from '../catalogue/model.ts'
import { pricedInputs } from '../catalogue/priced-inputs.ts'
import { quotePrice } from '../catalogue/price.ts'
import { creditsOf } from '../credits/micro-credits.ts'

export interface PriceExample {
  parameters: Readonly<Record<string, unknown>>
  /** Null: the model has no price yet. */
  credits: number | null
}

/**
 * Computes the prices of a request in which every parameter has its default, and of each example of
 * the model.
 */
export function priceExamples(definition: ModelDefinition): PriceExample[] {
  if (definition.tokens !== undefined) return []
  const defaults = Object.fromEntries(
    Object.entries(definition.parameters.properties).flatMap(([name, schema]) =>
      schema.default === undefined ? [] : [[name, schema.default]],
    ),
  )
  const examples = definition.examples.map(({ model: _model, ...example }): Record<string, unknown> => example)
  return [{}, ...examples].map((parameters) => {
    const { price } = definition
    const allParameters = { ...defaults, ...parameters }
    // Example videos are not fetched, so their length does not affect the price here.
    const credits =
      price === null ? null : creditsOf(quotePrice(definition, allParameters, price, pricedInputs(price, allParameters, [])))
    return { parameters: { ...pricedDefaults(defaults), ...parameters }, credits }
  })
}

/** Returns the defaults on which a price may depend. */
function pricedDefaults({ resolution, seconds, audio }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...(resolution !== undefined && { resolution }),
    ...(seconds !== undefined && { seconds }),
    ...(audio !== undefined && { audio }),
  }
}
