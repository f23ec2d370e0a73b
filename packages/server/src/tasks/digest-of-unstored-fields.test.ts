import { isDeepStrictEqual } from 'node:util'
import type { Simulation } from '@framegate/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ParsedParameters } from '../catalogue/model.ts'
import { digestOfUnstoredFields } from './digest-of-unstored-fields.ts'
import { writeParameters } from './parameters-text.ts'

const anyParameters = fc.record(
  {
    prompt: fc.oneof(fc.string(), fc.constantFrom('x', 'x","seed":1', 'x\n')),
    negative_prompt: fc.string(),
    aspect_ratio: fc.constantFrom('16:9', '1:1'),
    resolution: fc.constantFrom('720p', '1K'),
    seconds: fc.nat(3),
    seed: fc.nat(3),
    watermark: fc.boolean(),
    audio: fc.boolean(),
    first_frame: fc.constantFrom('a', 'b'),
    last_frame: fc.constantFrom('a', 'b'),
    reference_images: fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const anySimulation = fc.record(
  { seconds: fc.nat(2), lose_answer: fc.boolean(), outcome: fc.constant('stuck') },
  { requiredKeys: [], noNullPrototype: true },
)
const anyRequest = fc.record({
  model: fc.constantFrom('m', 'm2'),
  parameters: anyParameters,
  simulate: fc.option(anySimulation),
  max: fc.option(fc.nat(3), { nil: undefined }),
})

interface Request {
  model: string
  parameters: ParsedParameters
  simulate: Simulation | null
  max: number | undefined
}

/** Returns all values of a request that the store compares. */
function comparedValuesOf({ model, parameters, simulate, max }: Request): string[] {
  const storedTexts = writeParameters(parameters, simulate)
  return [model, storedTexts.parameters, digestOfUnstoredFields({ images: storedTexts.images, maxAmountMicroCredits: max })]
}

function withReversedKeys<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).toReversed()) as T
}

it('requests that differ only in the order of their fields compare equal', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const { parameters, simulate } = request
      const reversedRequest = {
        ...request,
        parameters: withReversedKeys(parameters),
        simulate: simulate && withReversedKeys(simulate),
      }
      expect(comparedValuesOf(reversedRequest)).toEqual(comparedValuesOf(request))
    }),
  )
})

it('the compared values of two requests are equal if and only if the requests are equal', () => {
  fc.assert(
    fc.property(anyRequest, anyRequest, (first, second) => {
      expect(isDeepStrictEqual(comparedValuesOf(first), comparedValuesOf(second))).toBe(isDeepStrictEqual(first, second))
    }),
    { numRuns: 500 },
  )
})

it.each<[string, ParsedParameters, ParsedParameters]>([
  ['the order of images', { reference_images: ['a', 'b'] }, { reference_images: ['b', 'a'] }],
  ['a field, or the text of that field in the prompt', { prompt: 'x', seed: 1 }, { prompt: 'x","seed":1' }],
  ['the field of an image', { first_frame: 'a' }, { last_frame: 'a' }],
  ['an additional field', { prompt: 'x' }, { prompt: 'x', seed: 1 }],
])('the compared values of two requests differ if the requests differ in %s', (_what, first, second) => {
  const request = { model: 'm', simulate: null, max: undefined }
  expect(comparedValuesOf({ ...request, parameters: first })).not.toEqual(comparedValuesOf({ ...request, parameters: second }))
})
