import type { SKRSContext2D } from '@napi-rs/canvas'

export interface Point {
  x: number
  y: number
}

/** The hull of two circles: limbs, necks, muzzles. */
export function fillTaper(context: SKRSContext2D, from: Point, fromRadius: number, to: Point, toRadius: number): void {
  const dx = to.x - from.x
  const dy = to.y - from.y
  const length = Math.hypot(dx, dy) || 1e-6
  const angle = Math.atan2(dy, dx)
  const lean = Math.acos(Math.max(-1, Math.min(1, (fromRadius - toRadius) / length)))
  context.beginPath()
  context.arc(from.x, from.y, fromRadius, angle + lean, angle - lean + Math.PI * 2)
  context.arc(to.x, to.y, toRadius, angle - lean, angle + lean)
  context.closePath()
  context.fill()
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
