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

const tokensPerRate = 1_000_000n
/** Maximum number of credits for a million tokens. */
const rateMax = 1_000_000

/**
 * Reads the credits of a million tokens, such as
 * `{"input": 0.15, "cached_input": 0.08, "output": 0.6}`. Cached tokens without a price of their
 * own cost as much as other input tokens. Throws `InvalidPrice`, with a message that uses the name
 * `field` for the credits.
 */
export function readTokenRates(object: TokenObject, raw: unknown, field = 'credits'): Record<string, number> {
  if (!isObject(raw)) throw new InvalidPrice(`must have ${field} per kind of token, such as {"input": 0.15, "output": 0.6}`)
  const { input, cached_input: cached, output, ...others } = raw
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    throw new InvalidPrice(`must not have ${field}.${unknown}; the kinds of token are input, cached_input and output`)
  }
  if (object !== 'chat' && output !== undefined)
    throw new InvalidPrice(`must not have ${field}.output, because the model does not generate text`)
  return {
    input: readAmount(`${field}.input`, input, rateMax),
    ...(cached !== undefined && { cached_input: readAmount(`${field}.cached_input`, cached, rateMax) }),
    ...(object === 'chat' && { output: readAmount(`${field}.output`, output, rateMax) }),
  }
}

/** Micro-credits for tokens, rounded up to a whole number. Exact for any number of tokens. */
export function priceOfTokens({ unit, microCredits }: PriceRule, { input, cachedInput, output }: TokenCounts): number {
  assert(unit === 'token', 'the price of a token model has the unit token')
  const { input: rate = 0, cached_input: cachedRate = rate, output: outputRate = 0 } = microCredits
  const sum = product(rate, input - cachedInput) + product(cachedRate, cachedInput) + product(outputRate, output)
  return Number((sum + tokensPerRate - 1n) / tokensPerRate)
}

/**
 * The highest possible price of this many tokens: none or all of the input tokens may be cached.
 */
export function highestPriceOfTokens(rule: PriceRule, { input, output }: Omit<TokenCounts, 'cachedInput'>): number {
  return Math.max(...[0, input].map((cachedInput) => priceOfTokens(rule, { input, cachedInput, output })))
}

function product(rate: number, tokens: number): bigint {
  return BigInt(rate) * BigInt(tokens)
}
