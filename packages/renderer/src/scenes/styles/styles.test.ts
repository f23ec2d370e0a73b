import { describe, expect, it } from 'vitest'
import { pickSome } from '../../../test/long-run.ts'
import { plateFor } from '../../../test/plate.ts'
import { differenceOf, videoOf, meanOf, regionOf, type Frame } from './render.fixture.ts'

const places = [
  'river',
  'volcano',
  'beach',
  'waterfall',
  'above the clouds',
  'mountains',
  'lake',
  'city at night',
  'meadow',
  'coral reef',
  'space',
  'abstract',
  'sea',
  'forest',
  'desert',
  'snow',
]
const styles = ['watercolour', 'oil painting', 'ink', 'black and white', 'film', 'neon', 'pixel art', 'paper cut', 'minimalist']
const sizes = [
  [16, 16],
  [18, 130],
  [204, 366],
  [180, 180],
  [434, 186],
] as const

const smallSize = { width: 128, height: 72 }
const plainLuma = new Map<string, Uint8Array>()

/** Returns the luma of a small frame of a place without a style. */
function plainLumaOf(place: string): Uint8Array {
  const luma = plainLuma.get(place) ?? videoOf(place, smallSize).frame(20).luma
  plainLuma.set(place, luma)
  return luma
}

const movingPrompt = 'a mountain lake at dawn with a boat'
let plainChange: number | undefined

/** Returns the mean change of luma from frame to frame. */
function changeOf(prompt: string): number {
  const video = videoOf(prompt)
  return meanOf([20, 21, 22, 23].map((index) => differenceOf(video.frame(index).luma, video.frame(index + 1).luma)))
}

describe.each(styles.map((style, order) => ({ style, order })))('the style $style', ({ style, order }) => {
  // Each style is tested with every fifth place, so that each place is covered by some style.
  const placesOfStyle = places.filter((_, index) => (index + order) % 5 === 0)

  const render = (place: string): Frame => videoOf(`${style}, ${place}`, smallSize).frame(20)
  let firstFrame: Frame | undefined

  it.each(placesOfStyle)(`the style ${style} changes the image of %s`, (place) => {
    const styled = render(place)
    if (place === placesOfStyle[0]) firstFrame = styled
    expect(differenceOf(styled.luma, plainLumaOf(place))).toBeGreaterThan(4)
  })

  it.each(placesOfStyle.slice(0, 1))(`a second render in the style ${style} gives the same image of %s`, (place) => {
    firstFrame ??= render(place)
    expect(render(place)).toEqual(firstFrame)
  })

  it.each(pickSome(sizes, 2, order % 2))(`the style ${style} renders a frame of %i x %i`, (width, height) => {
    const video = videoOf(`${style} of a lake with a fox`, { width, height })
    const { luma } = video.frame(3)
    expect(luma.length).toBe(width * height)
    expect(luma.every((value) => value >= 16 && value <= 235)).toBe(true)
    expect(video.rgb(3).length).toBe(width * height * 3)
  })

  it(`a video in the style ${style} has no flickering texture`, () => {
    plainChange ??= changeOf(movingPrompt)
    const change = changeOf(`${movingPrompt}, ${style}`)
    expect(change).toBeGreaterThan(0.02)
    // The film style has changing grain.
    expect(change).toBeLessThan(1.6 * plainChange + (style === 'film' ? 0.8 : 0.1))
  })
})

it.each(pickSome(styles, 3))('an overlay is visible in the style %s', (style) => {
  const size = { width: 854, height: 480 }
  const [unmarked, marked] = [null, plateFor(size)].map((overlay) =>
    videoOf(`${style} of a snowy meadow`, { ...size, overlay }).frame(5),
  )
  if (!unmarked || !marked) throw new Error('two videos are expected')
  const changed = marked.luma.filter((value, index) => Math.abs(value - (unmarked.luma[index] ?? 0)) > 16)
  expect(changed.length).toBeGreaterThan(450)
})

describe('the watercolor style', () => {
  it('the watercolor style leaves a border of pale paper around the image', () => {
    for (const prompt of ['a lake at noon', 'a city at night', 'a forest']) {
      const { luma, width } = videoOf(`watercolour of ${prompt}`).frame(20)
      for (const strip of [
        [0, 0, 1, 0.015],
        [0, 0.985, 1, 1],
        [0, 0, 0.01, 1],
        [0.99, 0, 1, 1],
      ] as const)
        expect(meanOf(regionOf(luma, width, strip))).toBeGreaterThan(215)
    }
  })

  it('the watercolor style has no nearly black wash, even at night', () => {
    const { luma } = videoOf('watercolour of a city at night').frame(20)
    expect(luma.filter((value) => value < 36).length / luma.length).toBeLessThan(0.01)
  })

  it('the watercolor style has a paper grain that is the same in each frame', () => {
    const video = videoOf('watercolour of a lake', { width: 640, height: 360 })
    const corner = (index: number): number[] => regionOf(video.frame(index).luma, 640, [0, 0, 1, 0.02])
    expect(new Set(corner(4)).size).toBeGreaterThan(4)
    expect(corner(4)).toEqual(corner(30))
  })
})

describe('the oil style', () => {
  it('the oil style has strokes that are visible in the sky and keep their positions', () => {
    const [oil, plain] = ['oil painting of ', ''].map((style) =>
      videoOf(`${style}the sea at sunset without clouds`, { negativePrompt: 'clouds' }),
    )
    if (!oil || !plain) throw new Error('two videos are expected')
    const [first, later] = [textureOf(oil.frame(4)), textureOf(oil.frame(40))]
    expect(meanOf(first.map(Math.abs))).toBeGreaterThan(2.5 * meanOf(textureOf(plain.frame(4)).map(Math.abs)))
    const meanProduct = meanOf(first.map((value, index) => value * (later[index] ?? 0)))
    expect(meanProduct / Math.sqrt(meanOf(first.map(square)) * meanOf(later.map(square)))).toBeGreaterThan(0.6)
  })

  it('the oil style has more saturated colors than the plain image', () => {
    expect(saturationOf('oil painting of a lake at sunset')).toBeGreaterThan(saturationOf('a lake at sunset') * 1.1)
  })
})

describe('the ink style', () => {
  it('the ink style is black on white with hardly any color except a red seal', () => {
    const { luma, u, v, width } = videoOf('ink painting of a mountain lake', { width: 640, height: 360 }).frame(20)
    expect(luma.filter((value) => value > 200).length / luma.length).toBeGreaterThan(0.4)
    expect(luma.filter((value) => value < 90).length / luma.length).toBeGreaterThan(0.005)
    const picture = regionOf(u, width / 2, [0.2, 0, 1, 1])
    expect(picture.filter((value) => Math.abs(value - 126) > 14).length / picture.length).toBeLessThan(0.02)
    expect(v.filter((value) => value > 170).length).toBeGreaterThan(40)
  })
})

describe('the neon style', () => {
  it('the neon style is dark with magenta and cyan lights, even if the prompt names a time of day', () => {
    for (const prompt of ['a mountain lake at noon', 'a city', 'a snowy forest with a deer']) {
      const { luma, u, v } = videoOf(`neon ${prompt}`).frame(20)
      expect(meanOf(luma)).toBeLessThan(95)
      expect(count(v, (value) => value > 155) / v.length).toBeGreaterThan(0.0005)
      expect(count(u, (value, index) => value > 150 && (v[index] ?? 0) < 118) / u.length).toBeGreaterThan(0.0005)
    }
  })

  it('the surroundings of lights in the neon style are brighter than the rest of the image', () => {
    const { luma, width, height } = videoOf('neon city', { width: 640, height: 360 }).frame(20)
    let [nearLuma, farLuma] = [0, 0]
    for (let index = width * 8; index < width * (height - 8); index++) {
      if ((luma[index] ?? 0) < 170) continue
      nearLuma += luma[index + 4] ?? 0
      farLuma += luma[index + width * 7] ?? 0
    }
    expect(nearLuma).toBeGreaterThan(0)
    expect(meanOf(luma)).toBeLessThan(nearLuma / count(luma, (value) => value >= 170) / 1.3)
    expect(farLuma).toBeGreaterThan(0)
  })
})

describe('the neon style in motion', () => {
  it('the neon style keeps the colors of outlines from pose to pose', () => {
    const video = videoOf('neon, a street with a car')
    const frames = Array.from({ length: 12 }, (_, index) => video.frame(10 + index))
    const flips = frames.slice(1).map(({ u, v }, index) => {
      const previousFrame = frames[index]
      return count(
        u,
        (value, pixel) =>
          Math.abs(value - (previousFrame?.u[pixel] ?? 0)) + Math.abs((v[pixel] ?? 0) - (previousFrame?.v[pixel] ?? 0)) > 60,
      )
    })
    expect(Math.max(...flips) / (160 * 90)).toBeLessThan(0.0005)
  })
})

describe('the film style', () => {
  it('the film style has grain that changes in every second frame', () => {
    const video = videoOf('film, a meadow without clouds', { negativePrompt: 'clouds, birds' })
    const [texture20, texture21, texture22] = [textureOf(video.frame(20)), textureOf(video.frame(21)), textureOf(video.frame(22))]
    expect(differenceOf(texture20, texture22)).toBeGreaterThan(differenceOf(texture20, texture21) * 1.5)
  })
})

describe('the black and white style', () => {
  it('the black and white style has no color, deep blacks and bright lights', () => {
    for (const prompt of ['a meadow with a red car at noon', 'a city at night']) {
      const { luma, u, v } = videoOf(`black and white, ${prompt}`).frame(20)
      expect(u.every((value) => Math.abs(value - 128) <= 1) && v.every((value) => Math.abs(value - 128) <= 1)).toBe(true)
      expect(count(luma, (value) => value < 26)).toBeGreaterThan(luma.length * 0.005)
      expect(count(luma, (value) => value > 170)).toBeGreaterThan(luma.length * 0.001)
    }
  })
})

describe('the pixel art style', () => {
  it('the pixel art style consists of sharp squares in few colors, and uses the same colors throughout a video', () => {
    const video = videoOf('pixel art of a castle at a lake', { width: 640, height: 360 })
    const colors = new Set<string>()
    let torn = 0
    for (const index of [0, 24, 47]) {
      const { luma, u, v, width } = video.frame(index)
      for (let pixel = 0; pixel < luma.length; pixel += 2) {
        if (luma[pixel] !== luma[pixel + 1]) torn++
        const chromaIndex = Math.floor(pixel / width / 2) * (width / 2) + ((pixel % width) >> 1)
        colors.add(`${luma[pixel]} ${u[chromaIndex]} ${v[chromaIndex]}`)
      }
    }
    expect(torn).toBe(0)
    expect(colors.size).toBeGreaterThan(12)
    expect(colors.size).toBeLessThanOrEqual(28)
  })
})

describe('the paper cut style', () => {
  it('few colors cover most of an image in the paper cut style, and less of the image without a style', () => {
    const [cut = 0, plain = 0] = ['paper cut of ', ''].map((style) =>
      shareOfMostCommon(videoOf(`${style}mountains at dusk`, { width: 640, height: 360 }).rgb(20), 14, 14),
    )
    expect(cut).toBeGreaterThan(0.82)
    expect(cut).toBeGreaterThan(plain + 0.05)
  })

  it('the paper cut style has a soft shadow above each crest, on the sheet behind', () => {
    const { luma, width, height } = videoOf('paper cut of the sea at noon', { width: 640, height: 360 }).frame(20)
    const column = Array.from({ length: height }, (_, y) => luma[y * width + Math.round(width * 0.12)] ?? 0)
    // Above the edge of a wave, the image darkens over several rows. At the edge, it becomes bright
    // again within one row, or another color begins.
    const shadows = column.filter((value, y) => {
      const previousValue = column[y - 8] ?? value
      const steps = [1, 2, 3, 4, 5, 6, 7].map((step) => (column[y - step] ?? 0) - (column[y - step + 1] ?? 0))
      return previousValue - value > 12 && steps.every((step) => step > -2 && step < 14)
    })
    expect(shadows.length).toBeGreaterThan(3)
  })
})

describe('the minimal style', () => {
  it.each(['a mountain lake at dusk', 'a city at night', 'the sea at noon', 'a meadow at dawn', 'space', 'abstract'])(
    'the minimal style has four colors and much empty space: %s',
    (prompt) => {
      const rgb = videoOf(`minimalist ${prompt}, without birds`, { width: 640, height: 360 }).rgb(20)
      expect(shareOfMostCommon(rgb, 4, 6)).toBeGreaterThan(0.96)
      expect(shareOfMostCommon(rgb, 1, 6)).toBeGreaterThan(0.3)
    },
  )

  it('the minimal style has one large sun', () => {
    const rgb = videoOf('minimalist desert at noon', { width: 640, height: 360 }).rgb(20)
    let sun = 0
    for (let index = 0; index < rgb.length; index += 3) if (isNear(rgb, index, [244, 194, 74], 12)) sun++
    expect(sun / (640 * 360)).toBeGreaterThan(0.035)
    expect(sun / (640 * 360)).toBeLessThan(0.1)
  })

  it('the minimal style keeps the subject of the prompt', () => {
    const size = { width: 320, height: 180 }
    const [empty, horse] = [
      videoOf('minimalist desert at noon', size).rgb(20),
      videoOf('minimalist desert at noon with a horse', size).rgb(20),
    ]
    expect(differenceOf(empty, horse)).toBeGreaterThan(1)
  })
})

/**
 * Returns the share of pixels that are near one of the `colorCount` most common colors. Each
 * channel may differ by `toleranceMax`.
 */
function shareOfMostCommon(rgb: Uint8Array, colorCount: number, toleranceMax: number): number {
  let remaining = Array.from({ length: rgb.length / 3 }, (_, index) => index * 3)
  for (let round = 0; round < colorCount; round++) {
    const counts = new Map<number, number[]>()
    for (const index of remaining) {
      const bin = (((rgb[index] ?? 0) >> 3) << 10) | (((rgb[index + 1] ?? 0) >> 3) << 5) | ((rgb[index + 2] ?? 0) >> 3)
      const members = counts.get(bin)
      if (members) members.push(index)
      else counts.set(bin, [index])
    }
    const [mostFrequent] = Array.from(counts.values()).toSorted((a, b) => b.length - a.length)
    if (!mostFrequent) break
    const middle = mostFrequent[Math.floor(mostFrequent.length / 2)] ?? 0
    const [red = 0, green = 0, blue = 0] = rgb.subarray(middle, middle + 3)
    remaining = remaining.filter((index) => !isNear(rgb, index, [red, green, blue], toleranceMax))
  }
  return 1 - remaining.length / (rgb.length / 3)
}

function isNear(rgb: Uint8Array, index: number, [red, green, blue]: readonly [number, number, number], reach: number): boolean {
  return (
    Math.abs((rgb[index] ?? 0) - red) <= reach &&
    Math.abs((rgb[index + 1] ?? 0) - green) <= reach &&
    Math.abs((rgb[index + 2] ?? 0) - blue) <= reach
  )
}

/** Returns the difference of each pixel from its four neighbors, in the upper part of an image. */
function textureOf({ luma, width, height }: Frame): number[] {
  const values: number[] = []
  for (let y = 1; y < height * 0.4; y++) {
    for (let x = 1; x < width - 1; x++) {
      const index = y * width + x
      const [left, middle, right] = [luma[index - 1] ?? 0, luma[index] ?? 0, luma[index + 1] ?? 0]
      values.push(middle - (left + right + (luma[index - width] ?? 0) + (luma[index + width] ?? 0)) / 4)
    }
  }
  return values
}

function count(values: Uint8Array, isCounted: (value: number, index: number) => boolean): number {
  return values.filter(isCounted).length
}

function square(value: number): number {
  return value * value
}

/** Returns the mean distance of U from gray. */
function saturationOf(prompt: string): number {
  return meanOf(
    videoOf(prompt, smallSize)
      .frame(20)
      .u.map((value) => Math.abs(value - 128)),
  )
}
