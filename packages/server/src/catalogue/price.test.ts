import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCatalogue } from './catalogue.ts'
import { defaultFamilies } from './default-families.ts'
import { roundingDirections, type Model, type PriceRule } from './model.ts'
import { createPriceBook, type PriceLine } from './price-book.ts'
import { quotePrice, settlePrice } from './price.ts'
import { readPriceRule } from './read-price-rule.ts'

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
const producedSeconds = fc.double({ min: 0, max: 1e6, noNaN: true })

function resolutionsOf(model: Model): string[] {
  return Object.keys(model.price?.microCredits ?? {})
}

it('a quoted price is a positive safe integer that never falls when the seconds rise', () => {
  fc.assert(
    fc.property(requests, ({ model, ...parameters }) => {
      const price = quotePrice(model, parameters)
      expect(Number.isSafeInteger(price) && price > 0).toBe(true)
      expect(quotePrice(model, { ...parameters, seconds: parameters.seconds + 1 })).toBeGreaterThanOrEqual(price)
    }),
  )
})

it('a charge is a whole number from 0 to the hold that never falls as the produced length rises', () => {
  fc.assert(
    fc.property(requests, producedSeconds, producedSeconds, ({ model, ...parameters }, left, right) => {
      const charge = settlePrice(model, parameters, [Math.min(left, right)])
      expect(Number.isSafeInteger(charge) && charge >= 0).toBe(true)
      expect(charge).toBeLessThanOrEqual(quotePrice(model, parameters))
      expect(settlePrice(model, parameters, [Math.max(left, right)])).toBeGreaterThanOrEqual(charge)
    }),
  )
})

it('the charge equals the hold when the requested length was produced', () => {
  fc.assert(
    fc.property(requests, ({ model, ...parameters }) => {
      expect(settlePrice(model, parameters, [parameters.seconds])).toBe(quotePrice(model, parameters))
    }),
  )
})

it('a price is the rate times seconds, plus audio, and at least the minimum', () => {
  const veo = catalogue.find('veo-3.1')!
  expect(quotePrice(veo, { resolution: '720p', seconds: 8 })).toBe(1_600_000)
  expect(quotePrice(veo, { resolution: '720p', seconds: 8, audio: true })).toBe(3_200_000)
  expect(settlePrice(veo, { resolution: '720p', seconds: 8 }, [3.5])).toBe(700_000)
  const vidD = catalogue.find('vidDq3-turbo')!
  expect(quotePrice(vidD, { resolution: '540p', seconds: 1 })).toBe(50_000)
  expect(settlePrice(vidD, { resolution: '540p', seconds: 5 }, [0.2])).toBe(50_000)
  expect(quotePrice(catalogue.find('vidG_video3_pro')!, { seconds: 10 })).toBe(1_000_000)
})

it('the hold and the charge of an image are equal', () => {
  const image = catalogue.find('imgA-5.0')!
  expect(quotePrice(image, { resolution: '2K' })).toBe(80_000)
  expect(settlePrice(image, { resolution: '2K' }, [null])).toBe(80_000)
})

it('settling a video without a valid length throws', () => {
  for (const seconds of [null, NaN, -1]) {
    expect(() => settlePrice(catalogue.find('veo-3.1')!, { resolution: '720p', seconds: 8 }, [seconds])).toThrow(
      'a video has a length',
    )
  }
})

const inputPrices = fc.record(
  {
    secondMicroCredits: fc.record({ '*': fc.nat(1_000_000) }),
    videoFactor: fc.integer({ min: 1, max: 10_000 }).map((thousandths) => thousandths / 1000),
    imageMicroCredits: fc.nat(1_000_000),
    imagesFree: fc.nat(10),
  },
  { requiredKeys: [] },
)
const inputs = fc.record({ seconds: fc.nat(600_000).map((milliseconds) => milliseconds / 1000), images: fc.nat(30) })

const rules: fc.Arbitrary<PriceRule> = fc.record({
  unit: fc.constant('second' as const),
  microCredits: fc.record({ '*': fc.nat(10_000_000) }),
  audioMicroCredits: fc.nat(1_000_000),
  minimumMicroCredits: fc.nat(10_000_000),
  rounding: fc.record({
    toMicroCredits: fc.constantFrom(1, 7, 1_000, 10_000, 1_000_000),
    direction: fc.constantFrom(...roundingDirections),
  }),
})

const rulesWithInputs: fc.Arbitrary<PriceRule> = fc
  .tuple(rules, inputPrices, fc.nat(10_000_000))
  .map(([rule, inputPrice, taskMinimumMicroCredits]) => Object.assign(rule, { inputs: inputPrice, taskMinimumMicroCredits }))

it('hold and charge are multiples of the rounding step, and are equal when the requested length was produced', () => {
  fc.assert(
    fc.property(rulesWithInputs, requests, inputs, producedSeconds, (rule, { model, ...parameters }, inputs, seconds) => {
      const hold = quotePrice(model, parameters, rule, inputs)
      const charge = settlePrice(model, parameters, [seconds], rule, inputs)
      const step = rule.rounding?.toMicroCredits ?? 1
      expect([hold % step, charge % step]).toEqual([0, 0])
      expect(Number.isSafeInteger(charge) && charge >= 0 && charge <= hold).toBe(true)
      expect(settlePrice(model, parameters, [parameters.seconds], rule, inputs)).toBe(hold)
    }),
  )
})

it('a hold never falls when input seconds, input images or results rise, and a charge is at most one rounding step below the minimum of a task', () => {
  const results = fc.integer({ min: 1, max: 16 })
  fc.assert(
    fc.property(rulesWithInputs, requests, inputs, results, results, (rule, { model, ...parameters }, inputs, left, right) => {
      const [n, delivered] = [Math.max(left, right), Math.min(left, right)]
      const requested = { ...parameters, n }
      const hold = quotePrice(model, requested, rule, inputs)
      const charge = (count: number) => settlePrice(model, requested, Array<number>(count).fill(parameters.seconds), rule, inputs)
      expect([charge(n), charge(delivered) <= hold]).toEqual([hold, true])
      const step = rule.rounding?.toMicroCredits ?? 1
      expect(charge(delivered)).toBeGreaterThanOrEqual((rule.taskMinimumMicroCredits ?? 0) - step)
      const { seconds, images } = inputs
      // The first input second may make a task cheaper, because `video_factor` may be below 1 and
      // applies only with input video.
      const more = [{ seconds, images: images + 1 }, ...(seconds === 0 ? [] : [{ seconds: seconds + 1, images }])]
      for (const larger of more) expect(quotePrice(model, requested, rule, larger)).toBeGreaterThanOrEqual(hold)
      expect(quotePrice(model, { ...parameters, n: 1 }, rule, inputs)).toBeLessThanOrEqual(hold)
    }),
  )
})

it('a price includes input seconds by resolution, a factor, input images beyond the free ones, and a minimum per task', () => {
  const model = catalogue.find('vidDq3-turbo')!
  const credits = (price: object, measures: { seconds: number; images: number }, parameters = {}) =>
    quotePrice(model, { resolution: '720p', seconds: 4, ...parameters }, readPriceRule(model, price), measures) / 1e6
  const rates = { unit: 'second', credits: { '*': 0.1 }, input_second_credits: { '720p': 0.05, '*': 0.02 } }
  expect(credits(rates, { seconds: 0, images: 3 })).toBe(0.4)
  expect(credits(rates, { seconds: 2.5, images: 0 })).toBe(0.525)
  expect(credits(rates, { seconds: 2.5, images: 0 }, { resolution: '540p' })).toBe(0.45)
  expect(credits({ ...rates, video_factor: 0.6 }, { seconds: 2.5, images: 0 })).toBe(0.315)
  expect(credits({ ...rates, video_factor: 0.6 }, { seconds: 0, images: 0 })).toBe(0.4)
  expect(credits({ ...rates, input_image_credits: 0.04, input_images_free: 5 }, { seconds: 0, images: 7 })).toBe(0.48)
  expect(credits({ ...rates, minimum_task_credits: 0.8 }, { seconds: 0, images: 0 })).toBe(0.8)
  expect(credits({ ...rates, input_second_credits: 0.01 }, { seconds: 10, images: 0 }, { n: 2 })).toBe(1)
  const perTask = { unit: 'task', credits: { '*': 0.3 }, input_second_credits: 0.15, minimum_task_credits: 0.5 }
  expect([1, 4].map((seconds) => credits(perTask, { seconds, images: 0 }))).toEqual([0.5, 0.9])
})

it('a price rule may be per task, per second with rounding, and have one rate for all other resolutions', () => {
  const model = catalogue.find('vidDq3-turbo')!
  const readRule = (raw: unknown) => readPriceRule(model, raw)
  expect(quotePrice(model, { resolution: '720p', seconds: 16 }, readRule({ unit: 'task', credits: { '*': 0.5 } }))).toBe(500_000)
  expect(settlePrice(model, { resolution: '720p', seconds: 16 }, [1], readRule({ unit: 'task', credits: { '*': 0.5 } }))).toBe(
    500_000,
  )
  const roundedRule = (direction: string) =>
    readRule({ unit: 'second', credits: { '720p': 0.011, '*': 1 }, rounding: { to: 0.05, direction } })
  const prices = ['up', 'nearest', 'down'].map((direction) =>
    quotePrice(model, { resolution: '720p', seconds: 7 }, roundedRule(direction)),
  )
  expect(prices).toEqual([100_000, 100_000, 50_000])
  expect(quotePrice(model, { resolution: '1080p', seconds: 7 }, roundedRule('up'))).toBe(7_000_000)
})

it.each([
  [null, 'must be an object'],
  [{ unit: 'second', credits: { '720p': 1 } }, 'must have the resolution 540p'],
  [{ unit: 'second', credits: { '*': 1, '8K': 2 } }, 'must not have the resolution "8K"'],
  [{ unit: 'second', credits: { '*': -1 } }, 'must have credits.*'],
  [{ unit: 'second', credits: { '*': 0.000_000_5 } }, 'at most six decimals'],
  [{ unit: 'second', credits: { '*': 1e-10 } }, 'at most six decimals'],
  [{ unit: 'image', credits: { '*': 1 } }, 'must have the unit task or second'],
  [{ unit: 'task', credits: { '*': 1 }, minimum_credits: 1 }, 'must not have audio_credits'],
  [{ unit: 'second', credits: { '*': 1 }, rounding: { to: 1 } }, 'must have rounding such as'],
  [{ unit: 'second', credits: { '*': 1 }, rounding: { to: 0, direction: 'up' } }, 'must have rounding.to above 0'],
  [{ unit: 'second', credits: { '*': 1 }, input_second_credits: { '720p': 1 } }, 'must have the resolution 540p'],
  [{ unit: 'second', credits: { '*': 1 }, input_second_credits: 1001 }, 'must have input_second_credits.* from 0 to 1000'],
  [{ unit: 'second', credits: { '*': 1 }, video_factor: 0 }, 'must have video_factor as a number above 0 and at most 10'],
  [{ unit: 'second', credits: { '*': 1 }, video_factor: 0.1234 }, 'at most three decimals'],
  [{ unit: 'second', credits: { '*': 1 }, video_factor: 1e-10 }, 'at most three decimals'],
  [{ unit: 'task', credits: { '*': 1 }, input_images_free: 5 }, 'must have input_image_credits if it has input_images_free'],
  [{ unit: 'task', credits: { '*': 1 }, input_image_credits: 1, input_images_free: 1.5 }, 'a whole number'],
  [{ unit: 'task', credits: { '*': 1 }, minimum_task_credits: -1 }, 'must have minimum_task_credits from 0'],
  [{ unit: 'second', credits: { '*': 1 }, minimum: 1 }, 'must not have the unknown field "minimum"'],
])('the price rule %j is rejected', (rule, message) => {
  expect(() => readPriceRule(catalogue.find('vidDq3-turbo')!, rule)).toThrow(message)
})

it("an account's price overrides its brand's, which overrides the general one, each from its effective time", () => {
  const model = catalogue.find('imgA-5.0')!
  const rule = (credits: number) => readPriceRule(model, { unit: 'image', credits: { '*': credits } })
  const all = { model: model.id, brandNo: null, accountNo: null, effectiveAtMs: 10, createdAtMs: 0 }
  const lines: PriceLine[] = [
    { ...all, no: 1, rule: rule(1) },
    { ...all, no: 2, rule: rule(2), brandNo: 7, effectiveAtMs: 20 },
    { ...all, no: 3, rule: rule(3), accountNo: 5, effectiveAtMs: 30 },
    { ...all, no: 4, rule: null, accountNo: 5, effectiveAtMs: 40 },
    { ...all, no: 5, rule: rule(5), brandNo: 7, effectiveAtMs: 50 },
    { ...all, no: 6, rule: rule(6), brandNo: 7, effectiveAtMs: 50 },
  ]
  const book = createPriceBook(lines)
  const lineNoAt = (nowMs: number, owner = { accountNo: 5, brandNo: 7 }) => book.priceOf(model, owner, nowMs)?.no
  expect([9, 10, 20, 30, 40, 50].map((nowMs) => lineNoAt(nowMs))).toEqual([null, 1, 2, 3, 2, 6])
  expect(lineNoAt(60, { accountNo: 6, brandNo: 8 })).toBe(1)
  expect(book.priceOf(catalogue.find('veo-3.1')!, { accountNo: 5, brandNo: 7 }, 60)).toMatchObject({ no: null })
  expect(book.ruleOf(3)).toEqual(rule(3))
})

it('a task with several results is charged its hold if all are delivered, and less for each missing one', () => {
  const count = fc.integer({ min: 2, max: 16 })
  fc.assert(
    fc.property(requests, count, count, ({ model, ...parameters }, n, missing) => {
      const delivered = Math.max(0, n - missing)
      const charge = (results: number) => settlePrice(model, { ...parameters, n }, Array(results).fill(parameters.seconds))
      const hold = quotePrice(model, { ...parameters, n })
      expect(hold).toBe(n * quotePrice(model, parameters))
      expect([charge(n), charge(delivered)]).toEqual([hold, (hold / n) * delivered])
      expect(charge(n + missing)).toBe(hold)
    }),
  )
  const image = catalogue.find('imgA-5.0')!
  expect(quotePrice(image, { resolution: '1K', n: 4 })).toBe(160_000)
  expect(settlePrice(image, { resolution: '1K', n: 4 }, [null, null, null])).toBe(120_000)
})
