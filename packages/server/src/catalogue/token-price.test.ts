import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PriceRule } from './model.ts'
import { highestPriceOfTokens, priceOfTokens, readTokenRates } from './token-price.ts'

const rule = (microCredits: Record<string, number>): PriceRule => ({ unit: 'token', microCredits })

it('the price of the tokens of a request is rounded up once, to a whole micro-credit', () => {
  const price = rule(readTokenRates('chat', { input: 0.15, cached_input: 0.075, output: 0.6 }))
  expect(priceOfTokens(price, { input: 1, cachedInput: 0, output: 0 })).toBe(1)
  expect(priceOfTokens(price, { input: 1_000_000, cachedInput: 400_000, output: 100_000 })).toBe(90_000 + 30_000 + 60_000)
  expect(priceOfTokens(price, { input: 0, cachedInput: 0, output: 0 })).toBe(0)
})

it('cached tokens without a price cost as much as other input tokens', () => {
  const price = rule(readTokenRates('chat', { input: 3, output: 9 }))
  expect(priceOfTokens(price, { input: 10, cachedInput: 10, output: 0 })).toBe(30)
})

it('the price of any number of tokens within the limits is exact and at most the maximum price', () => {
  const rate = fc.integer({ min: 0, max: 1_000_000 }).map((credits) => credits * 1_000_000)
  const tokens = fc.integer({ min: 0, max: 100_000_000 })
  fc.assert(
    fc.property(rate, rate, rate, tokens, tokens, fc.gen(), (inputRate, cachedRate, outputRate, inputMax, outputMax, draw) => {
      const price = rule({ input: inputRate, cached_input: cachedRate, output: outputRate })
      const usage = {
        input: draw(fc.nat, inputMax),
        cachedInput: 0,
        output: draw(fc.nat, outputMax),
      }
      usage.cachedInput = draw(fc.nat, usage.input)
      const charge = priceOfTokens(price, usage)
      expect(charge).toBeLessThanOrEqual(highestPriceOfTokens(price, { input: inputMax, output: outputMax }))
      const exact =
        BigInt(inputRate) * BigInt(usage.input - usage.cachedInput) +
        BigInt(cachedRate) * BigInt(usage.cachedInput) +
        BigInt(outputRate) * BigInt(usage.output)
      expect(BigInt(charge)).toBe((exact + 999_999n) / 1_000_000n)
    }),
  )
})

it.each([
  ['chat', { output: 1 }, 'must have credits.input'],
  ['chat', { input: 1 }, 'must have credits.output'],
  ['chat', { input: 1, output: 1, reasoning: 1 }, 'must not have credits.reasoning'],
  ['chat', { input: -1, output: 1 }, 'must have credits.input from 0'],
  ['embedding', { input: 1, output: 1 }, 'must not have credits.output'],
  ['chat', 3, 'must have credits per kind of token'],
] as const)('rates of a %s model such as %j are rejected', (object, raw, message) => {
  expect(() => readTokenRates(object, raw)).toThrow(message)
})
