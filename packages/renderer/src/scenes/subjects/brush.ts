import type { CanvasGradient, SKRSContext2D } from '@napi-rs/canvas'
import { css, type Rgb } from '../../picture/colour.ts'

export interface Point {
  x: number
  y: number
}

/** A closed smooth curve through the middles of the given corners. */
export function traceSmooth(context: SKRSContext2D, corners: readonly Point[]): void {
  const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
  const last = corners.at(-1)
  const first = corners[0]
  if (!last || !first) return
  const start = middle(last, first)
  context.beginPath()
  context.moveTo(start.x, start.y)
  for (const [index, corner] of corners.entries()) {
    const next = corners[index + 1] ?? first
    const end = middle(corner, next)
    context.quadraticCurveTo(corner.x, corner.y, end.x, end.y)
  }
  context.closePath()
}

/** The joint between two bones of a limb, bent towards positive (`bend` 1) or negative x (-1). */
export function jointOf(hip: Point, foot: Point, upper: number, lower: number, bend: 1 | -1): Point {
  const dx = foot.x - hip.x
  const dy = foot.y - hip.y
  const distance = Math.min(Math.hypot(dx, dy), (upper + lower) * 0.999)
  const along = (upper * upper - lower * lower + distance * distance) / (2 * distance)
  const aside = Math.sqrt(Math.max(0, upper * upper - along * along)) * bend
  const length = Math.hypot(dx, dy) || 1e-6
  return { x: hip.x + (dx * along) / length + (dy * aside) / length, y: hip.y + (dy * along) / length - (dx * aside) / length }
}

/** A point on the middle line of a limb, and half its width there. */
export interface Station extends Point {
  r: number
}

/** The part between two stations: two curves through five points. */
const ribbonSteps = 4

/** Traces a limb of changing width along a smooth middle line, with round ends. */
export function traceRibbon(context: SKRSContext2D, stations: readonly Station[]): void {
  const line = smoothLine(stations)
  const there = edgeOf(line, 1)
  const back = edgeOf(line, -1).toReversed()
  context.beginPath()
  traceThrough(context, there)
  traceThrough(context, back)
  context.closePath()
  for (const end of [line[0], line.at(-1)]) {
    if (!end || end.r < 1e-4) continue
    context.moveTo(end.x + end.r, end.y)
    context.arc(end.x, end.y, end.r, 0, Math.PI * 2, true)
  }
}

function edgeOf(line: readonly Station[], side: 1 | -1): Point[] {
  return line.map(({ x, y, r }, index) => {
    const before = line[Math.max(0, index - 1)] ?? { x, y }
    const after = line[Math.min(line.length - 1, index + 1)] ?? { x, y }
    const [dx, dy] = [after.x - before.x, after.y - before.y]
    const out = (r * side) / (Math.hypot(dx, dy) || 1e-6)
    return { x: x - dy * out, y: y + dx * out }
  })
}

/** A line to the first point, and a curve through each two that follow. */
function traceThrough(context: SKRSContext2D, points: readonly Point[]): void {
  let from = points[0]
  if (!from) return
  context.lineTo(from.x, from.y)
  for (let index = 2; index < points.length; index += 2) {
    const [by, to] = [points[index - 1], points[index]]
    if (!by || !to) return
    context.quadraticCurveTo(by.x * 2 - (from.x + to.x) / 2, by.y * 2 - (from.y + to.y) / 2, to.x, to.y)
    from = to
  }
}

export function fillRibbon(context: SKRSContext2D, stations: readonly Station[]): void {
  traceRibbon(context, stations)
  context.fill('nonzero')
}

/** Points of a curve through all stations. */
function smoothLine(stations: readonly Station[]): Station[] {
  const line: Station[] = []
  const last = stations.length - 1
  for (let index = 0; index < last; index++) {
    const [a, b, c, d] = [
      stations[Math.max(0, index - 1)],
      stations[index],
      stations[index + 1],
      stations[Math.min(last, index + 2)],
    ]
    if (!a || !b || !c || !d) continue
    for (let step = 0; step < ribbonSteps; step++) {
      const t = step / ribbonSteps
      line.push({
        x: spline(a.x, b.x, c.x, d.x, t),
        y: spline(a.y, b.y, c.y, d.y, t),
        r: Math.max(0, spline(a.r, b.r, c.r, d.r, t)),
      })
    }
  }
  const end = stations[last]
  if (end) line.push(end)
  return line
}

/** A Catmull-Rom spline with half the tension. */
function spline(a: number, b: number, c: number, d: number, t: number): number {
  const [from, to] = [(c - a) * 0.42, (d - b) * 0.42]
  const squared = t * t
  const cubed = squared * t
  return (
    (2 * cubed - 3 * squared + 1) * b + (cubed - 2 * squared + t) * from + (3 * squared - 2 * cubed) * c + (cubed - squared) * to
  )
}

/** Corners written as pairs. */
export type Pairs = readonly (readonly [x: number, y: number])[]

/** Fills a shape with straight edges. */
export function fillCorners(context: SKRSContext2D, corners: Pairs): void {
  context.beginPath()
  for (const [x, y] of corners) context.lineTo(x, y)
  context.closePath()
  context.fill()
}

/** Fills a closed smooth curve. */
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

export function fillEllipse(context: SKRSContext2D, x: number, y: number, wide: number, tall = wide, angle = 0): void {
  context.beginPath()
  context.ellipse(x, y, wide, tall, angle, 0, Math.PI * 2)
  context.fill()
}

/** Colors from one point to another, evenly spaced. */
export function blend(
  context: SKRSContext2D,
  from: readonly [number, number],
  to: readonly [number, number],
  colours: readonly Rgb[],
): CanvasGradient {
  const gradient = context.createLinearGradient(from[0], from[1], to[0], to[1])
  for (const [index, colour] of colours.entries()) gradient.addColorStop(index / Math.max(1, colours.length - 1), css(colour))
  return gradient
}

/** A soft round light of this color. */
export function fillGlow(context: SKRSContext2D, x: number, y: number, radius: number, colour: Rgb, strength: number): void {
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius)
  gradient.addColorStop(0, css(colour, strength))
  gradient.addColorStop(0.3, css(colour, strength * 0.42))
  gradient.addColorStop(0.65, css(colour, strength * 0.1))
  gradient.addColorStop(1, css(colour, 0))
  context.fillStyle = gradient
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
}
