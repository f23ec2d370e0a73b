import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCatalogue } from './catalogue.ts'
import { defaultFamilies } from './default-families.ts'
import type { Model } from './model.ts'
import { quotePrice, settlePrice } from './price.ts'

const catalogue = createCatalogue(defaultFamilies)
const videos = catalogue.models.filter(({ object }) => object === 'video')

const requests = fc.constantFrom(...videos).chain((model) =>
  fc.record({
    model: fc.constant(model),
    resolution: fc.constantFrom(...resolutionsOf(model)),
    seconds: fc.integer({ min: 1, max: 60 }),
    audio: fc.boolean(),
  }),
)
const produced = fc.double({ min: 0, max: 1e6, noNaN: true })

function resolutionsOf(model: Model): string[] {
  return Object.keys(model.price.microCredits)
}

it('is a whole, safe, positive number that never falls with the seconds', () => {
  fc.assert(
    fc.property(requests, ({ model, ...parameters }) => {
      const price = quotePrice(model, parameters)
      expect(Number.isSafeInteger(price) && price > 0).toBe(true)
      expect(quotePrice(model, { ...parameters, seconds: parameters.seconds + 1 })).toBeGreaterThanOrEqual(price)
    }),
  )
})

it('settles to a whole number between nothing and the hold that never falls with what was produced', () => {
  fc.assert(
    fc.property(requests, produced, produced, ({ model, ...parameters }, left, right) => {
      const charge = settlePrice(model, parameters, Math.min(left, right))
      expect(Number.isSafeInteger(charge) && charge >= 0).toBe(true)
      expect(charge).toBeLessThanOrEqual(quotePrice(model, parameters))
      expect(settlePrice(model, parameters, Math.max(left, right))).toBeGreaterThanOrEqual(charge)
    }),
  )
})

it('settles to the hold when exactly what was asked for was produced', () => {
  fc.assert(
    fc.property(requests, ({ model, ...parameters }) => {
      expect(settlePrice(model, parameters, parameters.seconds)).toBe(quotePrice(model, parameters))
    }),
  )
})

it('follows the table: rate times seconds, sound on top, and no less than the minimum', () => {
  const veo = catalogue.find('veo-3.1')!
  expect(quotePrice(veo, { resolution: '720p', seconds: 8 })).toBe(1_600_000)
  expect(quotePrice(veo, { resolution: '720p', seconds: 8, audio: true })).toBe(3_200_000)
  expect(settlePrice(veo, { resolution: '720p', seconds: 8 }, 3.5)).toBe(700_000)
  const vidD = catalogue.find('vidDq3-turbo')!
  expect(quotePrice(vidD, { resolution: '540p', seconds: 1 })).toBe(50_000)
  expect(settlePrice(vidD, { resolution: '540p', seconds: 5 }, 0.2)).toBe(50_000)
  expect(quotePrice(catalogue.find('vidG_video3_pro')!, { seconds: 10 })).toBe(1_000_000)
})

it('is the same before and after for an image', () => {
  const image = catalogue.find('imgA-5.0')!
  expect(quotePrice(image, { resolution: '2K' })).toBe(80_000)
  expect(settlePrice(image, { resolution: '2K' }, null)).toBe(80_000)
})

it('refuses a length that no video can have', () => {
  for (const seconds of [null, NaN, -1]) {
    expect(() => settlePrice(catalogue.find('veo-3.1')!, { resolution: '720p', seconds: 8 }, seconds)).toThrow(
      'a video has a length',
    )
  }
})
