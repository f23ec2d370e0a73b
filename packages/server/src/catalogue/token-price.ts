import assert from 'node:assert'
import { isObject } from '../lib/is-object.ts'
import type { PriceRule, TokenObject } from './model.ts'
import { readAmount, InvalidPrice } from './price-amounts.ts'

/** Numbers of tokens of a request and of its response. */
export interface TokenCounts {
  /** All tokens of the request. */
  input: number
  /** Tokens of `input` that the upstream read from its cache. */
  cachedInput: number
  output: number
}

const tokensPerPriceUnit = 1_000_000n
/** Maximum price in credits per million tokens. */
const rateCreditsMax = 1_000_000

/**
 * Reads prices in credits per million tokens, such as `{"input": 0.15, "cached_input": 0.08,
 * "output": 0.6}`, and converts them to micro-credits. Cached tokens without a price of their own
 * cost as much as other input tokens. Throws `InvalidPrice`. `field` is the name of the object in
 * the error message.
 */
export function readTokenRates(object: TokenObject, raw: unknown, field = 'credits'): Record<string, number> {
  if (!isObject(raw)) throw new InvalidPrice(`must have ${field} per kind of token, such as {"input": 0.15, "output": 0.6}`)
  const { input, cached_input: cachedInput, output, ...others } = raw
  const [unknownField] = Object.keys(others)
  if (unknownField !== undefined) {
    throw new InvalidPrice(`must not have ${field}.${unknownField}; the kinds of token are input, cached_input and output`)
  }
  if (object !== 'chat' && output !== undefined)
    throw new InvalidPrice(`must not have ${field}.output, because the model does not generate text`)
  return {
    input: readAmount(`${field}.input`, input, rateCreditsMax),
    ...(cachedInput !== undefined && { cached_input: readAmount(`${field}.cached_input`, cachedInput, rateCreditsMax) }),
    ...(object === 'chat' && { output: readAmount(`${field}.output`, output, rateCreditsMax) }),
  }
}

/**
 * Returns the price in micro-credits, rounded up. The sum is computed with BigInt to avoid a loss
 * of precision.
 */
export function priceOfTokens({ unit, microCredits }: PriceRule, { input, cachedInput, output }: TokenCounts): number {
  assert(unit === 'token', 'the price of a token model has the unit token')
  const { input: inputRate = 0, cached_input: cachedRate = inputRate, output: outputRate = 0 } = microCredits
  const sum = productOf(inputRate, input - cachedInput) + productOf(cachedRate, cachedInput) + productOf(outputRate, output)
  return Number((sum + tokensPerPriceUnit - 1n) / tokensPerPriceUnit)
}

/**
 * Returns the upper bound of the price if the number of cached tokens is unknown. The price is
 * linear in that number, so the maximum is at none or all.
 */
export function highestPriceOfTokens(rule: PriceRule, { input, output }: Omit<TokenCounts, 'cachedInput'>): number {
  return Math.max(...[0, input].map((cachedInput) => priceOfTokens(rule, { input, cachedInput, output })))
}

function productOf(rate: number, tokens: number): bigint {
  return BigInt(rate) * BigInt(tokens)
}
