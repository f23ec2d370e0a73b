import { describe, expect, it } from 'vitest'
import { difference, filmOf, mean, region, type Frame } from './render.fixture.ts'

const places = ['lake', 'city at night', 'meadow', 'coral reef', 'space', 'abstract', 'sea', 'forest', 'desert', 'snow']
const styles = ['watercolour', 'oil painting', 'ink']
const sizes = [
  [16, 16],
  [18, 130],
  [204, 366],
  [180, 180],
  [434, 186],
] as const

describe.each(styles.map((style, order) => ({ style, order })))('$style', ({ style, order }) => {
  // Each place is in some style's turn.
  it.each(places.filter((_, index) => (index + order) % 3 === 0))(
    'changes a picture of %s and gives the same one again',
    (place) => {
      const size = { width: 128, height: 72 }
      const styled = filmOf(`${style}, ${place}`, size).frame(20)
      expect(filmOf(`${style}, ${place}`, size).frame(20)).toEqual(styled)
      expect(difference(styled.luma, filmOf(place, size).frame(20).luma)).toBeGreaterThan(4)
    },
  )

  it.each(sizes)('fills a frame of %i x %i', (width, height) => {
    const film = filmOf(`${style} of a lake with a fox`, { width, height })
    const { luma } = film.frame(3)
    expect(luma.length).toBe(width * height)
    expect(luma.every((value) => value >= 16 && value <= 235)).toBe(true)
    expect(film.rgb(3).length).toBe(width * height * 3)
  })

  it('moves without boiling', () => {
    const prompt = 'a mountain lake at dawn with a boat'
    const [plain, styled] = [filmOf(prompt), filmOf(`${prompt}, ${style}`)]
    const change = (film: typeof plain): number =>
      mean([20, 21, 22, 23].map((at) => difference(film.frame(at).luma, film.frame(at + 1).luma)))
    expect(change(styled)).toBeGreaterThan(0.05)
    expect(change(styled)).toBeLessThan(1.6 * change(plain) + 0.1)
  })

  it('leaves the watermark to be read', () => {
    const size = { width: 854, height: 480 }
    const [bare, marked] = [false, true].map((watermark) => filmOf(`${style} of a snowy meadow`, { ...size, watermark }).frame(5))
    if (!bare || !marked) throw new Error('two films')
    const changed = marked.luma.filter((value, at) => Math.abs(value - (bare.luma[at] ?? 0)) > 24)
    expect(changed.length).toBeGreaterThan(500)
  })
})

describe('watercolour', () => {
  it('leaves a border of pale paper around the picture', () => {
    for (const prompt of ['a lake at noon', 'a city at night', 'a forest']) {
      const { luma, width } = filmOf(`watercolour of ${prompt}`).frame(20)
      for (const strip of [
        [0, 0, 1, 0.015],
        [0, 0.985, 1, 1],
        [0, 0, 0.01, 1],
        [0.99, 0, 1, 1],
      ] as const)
        expect(mean(region(luma, width, strip))).toBeGreaterThan(215)
    }
  })

  it('is pale: no wash is near black, even at night', () => {
    const { luma } = filmOf('watercolour of a city at night').frame(20)
    expect(luma.filter((value) => value < 36).length / luma.length).toBeLessThan(0.01)
  })

  it('has the grain of paper, the same in each frame', () => {
    const film = filmOf('watercolour of a lake', { width: 640, height: 360 })
    const corner = (index: number): number[] => region(film.frame(index).luma, 640, [0, 0, 1, 0.02])
    expect(new Set(corner(4)).size).toBeGreaterThan(4)
    expect(corner(4)).toEqual(corner(30))
  })
})

describe('oil', () => {
  it('is made of strokes that stand out from the sky and keep their places', () => {
    const [oil, plain] = ['oil painting of ', ''].map((style) =>
      filmOf(`${style}the sea at sunset without clouds`, { negativePrompt: 'clouds' }),
    )
    if (!oil || !plain) throw new Error('two films')
    const [first, later] = [texture(oil.frame(4)), texture(oil.frame(40))]
    expect(mean(first.map(Math.abs))).toBeGreaterThan(2.5 * mean(texture(plain.frame(4)).map(Math.abs)))
    const together = mean(first.map((value, index) => value * (later[index] ?? 0)))
    expect(together / Math.sqrt(mean(first.map(squared)) * mean(later.map(squared)))).toBeGreaterThan(0.6)
  })

  it('has richer colours', () => {
    expect(colour('oil painting of a lake at sunset')).toBeGreaterThan(colour('a lake at sunset') * 1.1)
  })
})

describe('ink', () => {
  it('is black on white with hardly a colour, but for a red seal', () => {
    const { luma, u, v, width } = filmOf('ink painting of a mountain lake', { width: 640, height: 360 }).frame(20)
    expect(luma.filter((value) => value > 200).length / luma.length).toBeGreaterThan(0.5)
    expect(luma.filter((value) => value < 90).length / luma.length).toBeGreaterThan(0.005)
    const picture = region(u, width / 2, [0.2, 0, 1, 1])
    expect(picture.filter((value) => Math.abs(value - 126) > 14).length / picture.length).toBeLessThan(0.02)
    expect(v.filter((value) => value > 170).length).toBeGreaterThan(40)
  })
})

/** What is finer than two pixels in the upper part of a picture. */
function texture({ luma, width, height }: Frame): number[] {
  const values: number[] = []
  for (let y = 1; y < height * 0.4; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x
      const [left = 0, middle = 0, right = 0] = luma.subarray(at - 1, at + 2)
      values.push(middle - (left + right + (luma[at - width] ?? 0) + (luma[at + width] ?? 0)) / 4)
    }
  }
  return values
}

function squared(value: number): number {
  return value * value
}

function colour(prompt: string): number {
  return mean(
    filmOf(prompt)
      .frame(20)
      .u.map((value) => Math.abs(value - 128)),
  )
}
