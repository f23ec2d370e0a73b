import { InvalidArgumentError } from 'commander'

/** A price as in a model definition: `{"per_second": 0.1}`, or by resolution, or by token type. */
export type ImportPrice = Record<string, number | Record<string, number>>

const tokenKinds = new Set(['input', 'cached_input', 'output'])
const pricePattern = /^(per_image|per_second|per_task|per_million_tokens)(?::([^=]{1,32}))?=(.+)$/

/**
 * Parses a repeatable option such as `per_second=0.1`, `per_second:1080p=0.2` or
 * `per_million_tokens:input=0.15`.
 */
export function importPrice(text: string, previousPrice: ImportPrice = {}): ImportPrice {
  const [, unit, rateName = '*', credits] = pricePattern.exec(text) ?? []
  const value = Number(credits)
  const isOfTokens = unit === 'per_million_tokens'
  if (unit === undefined || isOfTokens !== tokenKinds.has(rateName) || !(value >= 0) || !Number.isFinite(value)) {
    throw new InvalidArgumentError(
      'It must be a unit and credits, such as per_second=0.1, per_second:1080p=0.2 or per_million_tokens:output=0.6.',
    )
  }
  const [previousUnit] = Object.keys(previousPrice)
  if (previousUnit !== undefined && previousUnit !== unit)
    throw new InvalidArgumentError(`The price is ${previousUnit} already; a model has one unit.`)
  const previousCredits = previousPrice[unit]
  const previousRates = typeof previousCredits === 'object' ? previousCredits : {}
  if (rateName in previousRates) throw new InvalidArgumentError(`The price of ${rateName} is given twice.`)
  return { [unit]: { ...previousRates, [rateName]: value } }
}
