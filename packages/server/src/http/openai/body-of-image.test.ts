import { expect, it } from 'vitest'
import { bodyOfImage } from './body-of-image.ts'

type Effective = Parameters<typeof bodyOfImage>[0]

/** Returns the seeds of four images of a model whose seeds have this range. */
function seedsOf(range: object, body: object): unknown[] {
  const displayed = { parameters: { properties: { seed: { type: 'integer', ...range } } } }
  const effective = { displayed, routes: [] } as unknown as Effective
  return [0, 1, 2, 3].map((index) => bodyOfImage(effective, { ...body }, index)['seed'])
}

it('the seeds of several images follow one another and wrap around within the range of the model', () => {
  expect(seedsOf({ minimum: 0, maximum: 9 }, { seed: 8 })).toEqual([8, 9, 0, 1])
  expect(seedsOf({ minimum: 10, maximum: 12 }, { seed: 11 })).toEqual([11, 12, 10, 11])
  expect(seedsOf({ minimum: 1 }, { seed: 7 })).toEqual([7, 8, 9, 10])
})

it.each(['a', 'b', 'c', 'd', 'e'])(
  'for the prompt %s, the service chooses three different seeds within the range of the model',
  (prompt) => {
    const [firstSeed, ...chosenSeeds] = seedsOf({ minimum: 10, maximum: 12 }, { prompt })
    expect(firstSeed).toBeUndefined()
    expect(new Set(chosenSeeds)).toEqual(new Set([10, 11, 12]))
  },
)
