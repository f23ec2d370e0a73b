import { clamp, mix } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'
import { reduceInto, takeHalf } from '../../picture/pyramid.ts'
import type { Painter, Stage } from '../stage.ts'
import { createCurve } from './curve.ts'
import { readForm, type Form } from './form.ts'

interface Brush {
  /** Half the length and half the width of a stroke, and the distance from stroke to stroke, in pixels at 1080 rows. */
  length: number
  width: number
  spacing: number
  /** Used where the picture has at least this much detail. */
  detail: number
}

/** Broad first, then finer where there is something to see. */
const brushes: readonly Brush[] = [
  { length: 44, width: 12, spacing: 21, detail: 0 },
  { length: 24, width: 7, spacing: 13, detail: 0.07 },
  { length: 12, width: 3.6, spacing: 7, detail: 0.24 },
]

const strokesMax = 65_000
const nobody = 65_535
const bristles = 64

interface Stroke {
  x: number
  y: number
  angle: number
  /** How much it bends, per pixel. */
  bend: number
  brush: Brush
}

/** Thick strokes that follow the forms and take their colours from what moves beneath them. They keep their places. */
export function paintOil(stage: Stage, below: readonly Painter[]): Painter {
  const { compositor } = stage
  const { kernels, arena, shorts } = compositor
  const random = stage.random('strokes')
  const [frameY, frameU, frameV] = [compositor.level('y'), compositor.level('u'), compositor.level('v')]
  const half = takeHalf(compositor, frameY)
  const strokes = layStrokes(stage, readForm(stage, below), random)
  const count = strokes.length
  const { owners, relief } = rasterize(stage, strokes, random)
  const runs = { luma: storeRuns(stage, owners, 1), chroma: storeRuns(stage, owners, 2) }
  const reliefs = arena.take(relief.length)
  compositor.bytes.set(relief, reliefs)
  const places = storePlaces(stage, strokes)
  const takeShorts = (): number => arena.take(Math.ceil(count / 8) * 16)
  const colours = takeShorts()
  const deviations = [7, 3.5, 3.5].map((range) => {
    const address = takeShorts()
    for (let stroke = 0; stroke < count; stroke++) shorts[(address >> 1) + stroke] = (random() + random() - 1) * range * 128
    return address
  })
  const curve = createCurve(compositor, (light) => mix(light, light * light * (3 - 2 * light), 0.35) * 0.98 + 0.01)
  const bytes = Math.ceil(count / 8) * 16
  compositor.setFinish({ vignette: 0.16, dither: 1 })

  return () => {
    reduceInto(compositor, frameY, [half])
    for (const [index, [source, target]] of (
      [
        [half, frameY],
        [frameU, frameU],
        [frameV, frameV],
      ] as const
    ).entries()) {
      kernels.sampleStrokes(colours, deviations[index] ?? 0, places, count, source.address, source.strideBytes)
      if (index === 0) kernels.curveLuma(colours, bytes, 1, curve)
      else kernels.gradeChroma(colours, bytes, 1, Math.round((1.3 / 2) * 32_767), 128 * 128)
      const list = index === 0 ? runs.luma : runs.chroma
      kernels.fillStrokes(target.address, target.strideBytes, target.columns, target.rows, list, colours)
    }
    kernels.lightStrokes(frameY.address, frameY.strideBytes, frameY.columns, frameY.rows, reliefs)
  }
}

function layStrokes(stage: Stage, form: Form, random: Random): Stroke[] {
  const { paddedWidth, height } = stage.geometry
  const strokes: Stroke[] = []
  for (const brush of brushes) {
    const spacing = stage.pixels(brush.spacing)
    const layer: Stroke[] = []
    for (let row = 0; row * spacing < height + spacing; row++) {
      for (let column = 0; column * spacing < paddedWidth + spacing; column++) {
        const x = clamp((column + 0.5 + (random() - 0.5) * 0.9) * spacing, 0, paddedWidth - 1)
        const y = clamp((row + 0.5 + (random() - 0.5) * 0.9) * spacing, 0, height - 1)
        if (form.detailAt(x, y) < brush.detail) continue
        const angle = form.angleAt(x, y) + (random() - 0.5) * 0.3
        const reach = stage.pixels(brush.length)
        const turn = form.angleAt(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach) - form.angleAt(x, y)
        const bend = clamp(Math.atan(Math.tan(turn)), -0.5, 0.5) / (2 * reach)
        layer.push({ x, y, angle, bend, brush })
      }
    }
    strokes.push(...shuffled(layer, random))
  }
  return strokes.slice(0, strokesMax)
}

function shuffled<T>(items: T[], random: Random): T[] {
  const order = items.map((item) => ({ item, key: random() }))
  return order.toSorted((a, b) => a.key - b.key).map(({ item }) => item)
}

/** Which stroke lies on top of each pixel, and the light on its paint. */
function rasterize(stage: Stage, strokes: readonly Stroke[], random: Random): { owners: Uint16Array; relief: Uint8Array } {
  const { paddedWidth, height } = stage.geometry
  const owners = new Uint16Array(paddedWidth * height).fill(nobody)
  const heights = new Float32Array(paddedWidth * height)
  const hairs = Float32Array.from({ length: 1024 }, () => random())
  for (const [index, { x, y, angle, bend, brush }] of strokes.entries()) {
    const [long, wide] = [
      stage.pixels(brush.length) * (0.75 + random() * 0.5),
      Math.max(1.2, stage.pixels(brush.width) * (0.8 + random() * 0.4)),
    ]
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const slack = wide + Math.abs(bend) * long * long
    const reachY = Math.abs(sin) * long + Math.abs(cos) * slack
    const reachX = Math.abs(cos) * long + Math.abs(sin) * slack
    const hair = Math.floor(random() * (1024 - bristles * 2))
    const thick = 0.3 + random() * 0.7
    const [left, right] = [Math.max(0, Math.ceil(x - reachX)), Math.min(paddedWidth - 1, Math.floor(x + reachX))]
    for (let row = Math.max(0, Math.ceil(y - reachY)); row <= Math.min(height - 1, Math.floor(y + reachY)); row++) {
      const dy = row - y
      for (let column = left; column <= right; column++) {
        const dx = column - x
        const along = dx * cos + dy * sin
        const across = (dy * cos - dx * sin - bend * along * along) / wide
        if (across < -1 || across > 1) continue
        const bristle = hair + Math.floor((across + 1) * 0.5 * bristles)
        const end = 1 - (hairs[bristle] ?? 0) * 0.3 - across * across * 0.25
        const share = along / long
        if (share > end || share < -end) continue
        const at = row * paddedWidth + column
        owners[at] = index
        // Ridges of paint at the sides, furrows of the bristles between them, less paint towards the end.
        heights[at] = thick + across * across * 0.5 + (hairs[bristle + bristles] ?? 0) * 0.55 - share * 0.25
      }
    }
  }
  // Between strokes the one beside shows.
  if (owners[0] === nobody) owners[0] = 0
  for (let at = 1; at < owners.length; at++) if (owners[at] === nobody) owners[at] = owners[at - 1] ?? 0
  const relief = new Uint8Array(paddedWidth * height).fill(128)
  for (let row = 1; row < height - 1; row++) {
    for (let at = row * paddedWidth + 1; at < (row + 1) * paddedWidth - 1; at++) {
      const slope = (heights[at + paddedWidth + 1] ?? 0) - (heights[at - paddedWidth - 1] ?? 0)
      relief[at] = clamp(128 + slope * 17 + ((heights[at] ?? 0) - 0.9) * 7, 92, 176)
    }
  }
  return { owners, relief }
}

/** Every `step`-th row and column of the owners as runs; see kernels/strokes.as.ts. */
function storeRuns({ compositor, geometry }: Stage, owners: Uint16Array, step: 1 | 2): number {
  const { paddedWidth, height } = geometry
  const ends: number[] = []
  for (let row = 0; row < height; row += step) {
    const first = row * paddedWidth
    for (let column = 0; column < paddedWidth; column += step) {
      const owner = owners[first + column] ?? 0
      if (column + step < paddedWidth && owners[first + column + step] === owner) continue
      ends.push(column / step + 1, owner)
    }
  }
  const address = compositor.arena.take(ends.length * 2)
  for (let index = 0; index < ends.length; index++) compositor.shorts[(address >> 1) + index] = ends[index] ?? 0
  return address
}

/** Four places along each stroke, in half-size planes. */
function storePlaces({ compositor, geometry }: Stage, strokes: readonly Stroke[]): number {
  const { paddedWidth, height, unit } = geometry
  const address = compositor.arena.take(strokes.length * 16)
  let at = address >> 1
  for (const { x, y, angle, brush } of strokes) {
    const long = (brush.length * unit) / 1080
    const wide = (brush.width * unit) / 1080
    for (const [along, across] of [
      [-0.42, 0],
      [0.42, 0],
      [0, -0.35],
      [0, 0.35],
    ] as const) {
      const px = x + Math.cos(angle) * along * long - Math.sin(angle) * across * wide
      const py = y + Math.sin(angle) * along * long + Math.cos(angle) * across * wide
      compositor.shorts[at++] = clamp(Math.round(px / 2), 0, (paddedWidth >> 1) - 1)
      compositor.shorts[at++] = clamp(Math.round(py / 2), 0, (height >> 1) - 1)
    }
  }
  return address
}
