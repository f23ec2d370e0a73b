import type { CanvasGradient, SKRSContext2D } from '@napi-rs/canvas'
import { css, type Rgb } from '../../picture/color.ts'

export interface Point {
  x: number
  y: number
}

/** Traces a closed smooth curve through the midpoints between neighboring corners. */
export function traceSmooth(context: SKRSContext2D, corners: readonly Point[]): void {
  const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
  const lastCorner = corners.at(-1)
  const firstCorner = corners[0]
  if (!lastCorner || !firstCorner) return
  const start = middle(lastCorner, firstCorner)
  context.beginPath()
  context.moveTo(start.x, start.y)
  for (const [index, corner] of corners.entries()) {
    const next = corners[index + 1] ?? firstCorner
    const end = middle(corner, next)
    context.quadraticCurveTo(corner.x, corner.y, end.x, end.y)
  }
  context.closePath()
}

/**
 * Returns the joint between two bones of a limb. The limb bends toward positive x (`bend` 1) or
 * negative x (-1).
 */
export function jointOf(hip: Point, foot: Point, upper: number, lower: number, bend: 1 | -1): Point {
  const dx = foot.x - hip.x
  const dy = foot.y - hip.y
  const distance = Math.min(Math.hypot(dx, dy), (upper + lower) * 0.999)
  const projection = (upper * upper - lower * lower + distance * distance) / (2 * distance)
  const sideOffset = Math.sqrt(Math.max(0, upper * upper - projection * projection)) * bend
  const length = Math.hypot(dx, dy) || 1e-6
  return {
    x: hip.x + (dx * projection) / length + (dy * sideOffset) / length,
    y: hip.y + (dy * projection) / length - (dx * sideOffset) / length,
  }
}

/** A point on the middle line of a limb, and half the limb's width at this point. */
export interface Station extends Point {
  r: number
}

/** Number of points of the middle line from one station to the next. */
const ribbonSteps = 4

/** Traces a limb of changing width along a smooth middle line, with round ends. */
export function traceRibbon(context: SKRSContext2D, stations: readonly Station[]): void {
  const line = smoothLine(stations)
  const edge = edgeOf(line, 1)
  const oppositeEdge = edgeOf(line, -1).toReversed()
  context.beginPath()
  traceThrough(context, edge)
  traceThrough(context, oppositeEdge)
  context.closePath()
  for (const end of [line[0], line.at(-1)]) {
    if (!end || end.r < 1e-4) continue
    context.moveTo(end.x + end.r, end.y)
    context.arc(end.x, end.y, end.r, 0, Math.PI * 2, true)
  }
}

function edgeOf(line: readonly Station[], side: 1 | -1): Point[] {
  return line.map(({ x, y, r }, index) => {
    const previous = line[Math.max(0, index - 1)] ?? { x, y }
    const next = line[Math.min(line.length - 1, index + 1)] ?? { x, y }
    const [dx, dy] = [next.x - previous.x, next.y - previous.y]
    const widthPerLength = (r * side) / (Math.hypot(dx, dy) || 1e-6)
    return { x: x - dy * widthPerLength, y: y + dx * widthPerLength }
  })
}

/** Traces a line to the first point, and a curve through each pair of points that follows. */
function traceThrough(context: SKRSContext2D, points: readonly Point[]): void {
  let from = points[0]
  if (!from) return
  context.lineTo(from.x, from.y)
  for (let index = 2; index < points.length; index += 2) {
    const [middle, to] = [points[index - 1], points[index]]
    if (!middle || !to) return
    context.quadraticCurveTo(middle.x * 2 - (from.x + to.x) / 2, middle.y * 2 - (from.y + to.y) / 2, to.x, to.y)
    from = to
  }
}

export function fillRibbon(context: SKRSContext2D, stations: readonly Station[]): void {
  traceRibbon(context, stations)
  context.fill('nonzero')
}

/** Returns the points of a curve through all stations. */
function smoothLine(stations: readonly Station[]): Station[] {
  const line: Station[] = []
  const lastIndex = stations.length - 1
  for (let index = 0; index < lastIndex; index++) {
    const [a, b, c, d] = [
      stations[Math.max(0, index - 1)],
      stations[index],
      stations[index + 1],
      stations[Math.min(lastIndex, index + 2)],
    ]
    if (!a || !b || !c || !d) continue
    for (let step = 0; step < ribbonSteps; step++) {
      const t = step / ribbonSteps
      line.push({
        x: splineAt(a.x, b.x, c.x, d.x, t),
        y: splineAt(a.y, b.y, c.y, d.y, t),
        r: Math.max(0, splineAt(a.r, b.r, c.r, d.r, t)),
      })
    }
  }
  const end = stations[lastIndex]
  if (end) line.push(end)
  return line
}

/**
 * Interpolates from `b` to `c` with a cardinal spline. Its tangents are slightly shorter than those
 * of a Catmull-Rom spline.
 */
function splineAt(a: number, b: number, c: number, d: number, t: number): number {
  const [from, to] = [(c - a) * 0.42, (d - b) * 0.42]
  const tSquared = t * t
  const tCubed = tSquared * t
  return (
    (2 * tCubed - 3 * tSquared + 1) * b +
    (tCubed - 2 * tSquared + t) * from +
    (3 * tSquared - 2 * tCubed) * c +
    (tCubed - tSquared) * to
  )
}

/** Corners of a shape, as pairs of coordinates. */
export type Pairs = readonly (readonly [x: number, y: number])[]

export function fillCorners(context: SKRSContext2D, corners: Pairs): void {
  context.beginPath()
  for (const [x, y] of corners) context.lineTo(x, y)
  context.closePath()
  context.fill()
}

export function fillCurve(context: SKRSContext2D, corners: Pairs): void {
  traceCurve(context, corners)
  context.fill()
}

export function traceCurve(context: SKRSContext2D, corners: Pairs): void {
  traceSmooth(
    context,
    corners.map(([x, y]) => ({ x, y })),
  )
}

export function fillEllipse(context: SKRSContext2D, x: number, y: number, radiusX: number, radiusY = radiusX, angle = 0): void {
  context.beginPath()
  context.ellipse(x, y, radiusX, radiusY, angle, 0, Math.PI * 2)
  context.fill()
}

/** Creates a gradient from one point to another, with evenly spaced colors. */
export function blend(
  context: SKRSContext2D,
  from: readonly [number, number],
  to: readonly [number, number],
  colors: readonly Rgb[],
): CanvasGradient {
  const gradient = context.createLinearGradient(from[0], from[1], to[0], to[1])
  for (const [index, color] of colors.entries()) gradient.addColorStop(index / Math.max(1, colors.length - 1), css(color))
  return gradient
}

/** Fills a soft round light of this color. */
export function fillGlow(context: SKRSContext2D, x: number, y: number, radius: number, color: Rgb, strength: number): void {
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius)
  gradient.addColorStop(0, css(color, strength))
  gradient.addColorStop(0.3, css(color, strength * 0.42))
  gradient.addColorStop(0.65, css(color, strength * 0.1))
  gradient.addColorStop(1, css(color, 0))
  context.fillStyle = gradient
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
}
