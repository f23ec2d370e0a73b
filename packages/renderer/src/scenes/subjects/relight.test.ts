import { describe, expect, it } from 'vitest'
import { Compositor } from '../../picture/compositor.ts'
import { Figure } from './figure.ts'
import type { SubjectLight } from './light.ts'

const light: SubjectLight = {
  x: -1,
  y: 0,
  lit: [255, 255, 255],
  plain: [200, 200, 200],
  shaded: [80, 80, 80],
  rim: [255, 0, 0],
  rimShare: 0,
  haze: [0, 0, 255],
  hazeShare: 0,
  cast: { colour: [0, 0, 0], strength: 0.4, length: 0.4 },
}
const space = { width: 120, height: 100, foot: { x: 60, y: 50 }, size: 10, mirrored: false, cell: 3 }
const compositor = new Compositor(
  { width: 320, height: 180 },
  new WebAssembly.Memory({ initial: 400, maximum: 400, shared: true }),
)

/** The color at a place of a gray disc of 30 pixels in the middle, premultiplied. */
function disc(change: Partial<SubjectLight> = {}, fill = 'rgb(100,100,100)'): (x: number, y: number) => number[] {
  const figure = new Figure(compositor, { ...space, light: { ...light, ...change } })
  figure.part(
    (context) => {
      context.fillStyle = fill
      context.beginPath()
      context.arc(0, 0, 3, 0, Math.PI * 2)
      context.fill()
    },
    { thickness: 2 },
  )
  const pixels = figure.pixels.slice()
  return (x, y) => [...pixels.subarray((y * space.width + x) * 4, (y * space.width + x) * 4 + 4)]
}

describe('light on a part', () => {
  it('light on a part is brightest on the side that it comes from', () => {
    const at = disc()
    const [left = 0, middle = 0, right = 0] = [34, 60, 86].map((x) => at(x, 50)[0])
    expect(left).toBeGreaterThan(middle + 8)
    expect(middle).toBeGreaterThan(right + 20)
    expect(middle).toBeCloseTo((100 * 200) / 255, -0.5)
    expect(at(10, 50)).toEqual([0, 0, 0, 0])
  })

  it('light on a part gives a rim at the facing edge, and haze over all', () => {
    const at = disc({ rimShare: 1, hazeShare: 0.5 })
    expect(at(32, 50)[0]).toBeGreaterThan((at(34 + 26, 50)[0] ?? 0) + 40)
    expect(at(60, 50)[2]).toBeGreaterThan(120)
    expect(at(60, 50)[3]).toBe(255)
  })

  it('light on a translucent part keeps its opacity', () => {
    const at = disc({}, 'rgba(255,255,255,0.5)')
    const [red = 0, , , alpha = 0] = at(60, 50)
    expect(alpha).toBeCloseTo(128, -0.5)
    expect(red).toBeCloseTo(100, -0.5)
  })
})

describe('figure parts', () => {
  it('parts of a figure cover one another in drawing order', () => {
    const figure = new Figure(compositor, { ...space, light })
    const square = (colour: string, x: number): void =>
      figure.glow((context) => {
        context.fillStyle = colour
        context.fillRect(x, -1, 2, 2)
      })
    square('rgb(200,0,0)', -1)
    square('rgba(0,0,200,0.5)', 0)
    const at = (x: number): number[] => [...figure.pixels.subarray((50 * space.width + x) * 4, (50 * space.width + x) * 4 + 4)]
    expect(at(55)).toEqual([200, 0, 0, 255])
    expect(at(65)).toEqual([100, 0, 100, 255].map((value) => expect.closeTo(value, -0.5)))
    expect(at(75)).toEqual([0, 0, 100, 128].map((value) => expect.closeTo(value, -0.5)))
  })

  it('parts of a figure make a layer that holds all of them with little margin, and its position', () => {
    const figure = new Figure(compositor, { ...space, light })
    figure.glow((context) => context.fillRect(1, 1, 4, 2))
    const { layer, left, top } = figure.toLayer()
    expect({ left, top, width: layer.width, height: layer.height }).toEqual({ left: 68, top: 58, width: 44, height: 24 })
    const alpha = compositor.bytes.subarray(layer.planes.a, layer.planes.a + layer.width * layer.height)
    expect(alpha.filter((value) => value === 255)).toHaveLength(40 * 20)
    expect(alpha[2 * layer.width + 2]).toBe(255)
    expect(alpha[2 * layer.width + 1]).toBe(0)
  })
})
