import { describe, expect, it } from 'vitest'
import { Compositor } from '../../picture/compositor.ts'
import { Figure } from './figure.ts'
import type { SubjectLight } from './light.ts'

const light: SubjectLight = {
  x: -1,
  y: 0,
  litColor: [255, 255, 255],
  plainColor: [200, 200, 200],
  shadedColor: [80, 80, 80],
  rimColor: [255, 0, 0],
  rimShare: 0,
  hazeColor: [0, 0, 255],
  hazeShare: 0,
  groundShadow: { color: [0, 0, 0], strength: 0.4, length: 0.4 },
}
const figureSpace = { width: 120, height: 100, foot: { x: 60, y: 50 }, size: 10, isMirrored: false, reliefCellPixels: 3 }
const compositor = new Compositor(
  { width: 320, height: 180 },
  new WebAssembly.Memory({ initial: 400, maximum: 400, shared: true }),
)

/**
 * Draws a disc with a diameter of 60 pixels at the center. Returns a function that reads the
 * premultiplied RGBA of a pixel.
 */
function drawDisc(change: Partial<SubjectLight> = {}, fill = 'rgb(100,100,100)'): (x: number, y: number) => number[] {
  const figure = new Figure(compositor, { ...figureSpace, light: { ...light, ...change } })
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
  return (x, y) => [...pixels.subarray((y * figureSpace.width + x) * 4, (y * figureSpace.width + x) * 4 + 4)]
}

describe('light on a part', () => {
  it('a lit part is brightest on the side toward the light and darkest on the other side', () => {
    const colorAt = drawDisc()
    const [left = 0, middle = 0, right = 0] = [34, 60, 86].map((x) => colorAt(x, 50)[0])
    expect(left).toBeGreaterThan(middle + 8)
    expect(middle).toBeGreaterThan(right + 20)
    expect(middle).toBeCloseTo((100 * 200) / 255, -0.5)
    expect(colorAt(10, 50)).toEqual([0, 0, 0, 0])
  })

  it('a lit part has a rim at the edge toward the light, and haze over its color', () => {
    const colorAt = drawDisc({ rimShare: 1, hazeShare: 0.5 })
    expect(colorAt(32, 50)[0]).toBeGreaterThan((colorAt(60, 50)[0] ?? 0) + 40)
    expect(colorAt(60, 50)[2]).toBeGreaterThan(120)
    expect(colorAt(60, 50)[3]).toBe(255)
  })

  it('light does not change the opacity of a translucent part', () => {
    const colorAt = drawDisc({}, 'rgba(255,255,255,0.5)')
    const [red = 0, , , alpha = 0] = colorAt(60, 50)
    expect(alpha).toBeCloseTo(128, -0.5)
    expect(red).toBeCloseTo(100, -0.5)
  })
})

describe('figure parts', () => {
  it('parts of a figure cover one another in drawing order', () => {
    const figure = new Figure(compositor, { ...figureSpace, light })
    const square = (color: string, x: number): void =>
      figure.glow((context) => {
        context.fillStyle = color
        context.fillRect(x, -1, 2, 2)
      })
    square('rgb(200,0,0)', -1)
    square('rgba(0,0,200,0.5)', 0)
    const colorAt = (x: number): number[] => [
      ...figure.pixels.subarray((50 * figureSpace.width + x) * 4, (50 * figureSpace.width + x) * 4 + 4),
    ]
    expect(colorAt(55)).toEqual([200, 0, 0, 255])
    expect(colorAt(65)).toEqual([100, 0, 100, 255].map((value) => expect.closeTo(value, -0.5)))
    expect(colorAt(75)).toEqual([0, 0, 100, 128].map((value) => expect.closeTo(value, -0.5)))
  })

  it('pose rotates parts about the foot and then moves them up', () => {
    const figure = new Figure(compositor, { ...figureSpace, light })
    figure.pose({ angle: Math.PI / 2, lift: 2 }, () => figure.glow((context) => context.fillRect(1, -1, 2, 2)))
    const alphaAt = (x: number, y: number): number | undefined => figure.pixels[(y * figureSpace.width + x) * 4 + 3]
    expect(alphaAt(60, 50)).toBe(255)
    expect(alphaAt(60, 70)).toBe(0)
    expect(alphaAt(80, 50)).toBe(0)
  })

  it('toLayer returns a layer that contains the part with a small margin, and its position', () => {
    const figure = new Figure(compositor, { ...figureSpace, light })
    figure.glow((context) => context.fillRect(1, 1, 4, 2))
    const { layer, left, top } = figure.toLayer()
    expect({ left, top, width: layer.width, height: layer.height }).toEqual({ left: 68, top: 58, width: 44, height: 24 })
    const alpha = compositor.bytes.subarray(layer.planes.a, layer.planes.a + layer.width * layer.height)
    expect(alpha.filter((value) => value === 255)).toHaveLength(40 * 20)
    expect(alpha[2 * layer.width + 2]).toBe(255)
    expect(alpha[2 * layer.width + 1]).toBe(0)
  })
})
