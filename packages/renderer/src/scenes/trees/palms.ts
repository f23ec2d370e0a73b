import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'

export interface Palm {
  x: number
  /** Vertical position of the foot. */
  y: number
  height: number
  /** Sideways offset of the crown, as a share of the height. */
  lean: number
  trunk: Rgb
  leaf: Rgb
  litColor: Rgb
  random: Random
}

/**
 * Draws a coconut palm: a ringed bent trunk and a crown of feathered fronds that droop under their
 * weight.
 */
export function drawPalm(context: SKRSContext2D, { x, y, height, lean, trunk, leaf, litColor, random }: Palm): void {
  const top = { x: x + lean * height, y: y - height }
  const bend = { x: x + lean * height * 0.12, y: y - height * 0.55 }
  const steps = Math.round(Math.min(44, 8 + height / 9))
  const pointAt = (pathShare: number): { x: number; y: number } => {
    const [a, b, c] = [(1 - pathShare) ** 2, 2 * pathShare * (1 - pathShare), pathShare * pathShare]
    return { x: a * x + b * bend.x + c * top.x, y: a * y + b * bend.y + c * top.y }
  }
  context.lineCap = 'butt'
  for (let step = 0; step < steps; step++) {
    const [from, to] = [pointAt(step / steps), pointAt((step + 1.15) / steps)]
    context.lineWidth = height * (0.05 - 0.026 * (step / steps)) * (step % 2 ? 1 : 0.9)
    context.strokeStyle = css(mixRgb(trunk, litColor, step % 2 ? 0.1 : 0))
    context.beginPath()
    context.moveTo(from.x, from.y)
    context.lineTo(to.x, to.y)
    context.stroke()
  }
  context.lineCap = 'round'
  const fronds = Array.from({ length: 15 }, (_, index) => ({
    angle: -Math.PI * 0.5 + ((index / 14) * 2 - 1) * Math.PI * 0.8 + (random() - 0.5) * 0.25,
    length: height * (0.27 + 0.1 * random()),
    tone: random(),
  })).toSorted((a, b) => b.tone - a.tone)
  for (const { angle, length, tone } of fronds)
    drawFrond(context, top, {
      angle,
      length,
      color: mixRgb(scaleRgb(leaf, 0.5 + 0.6 * tone), litColor, 0.3 * tone * tone),
      height,
    })
  context.fillStyle = css(scaleRgb(trunk, 0.7))
  for (let nut = 0; nut < 4; nut++) {
    context.beginPath()
    context.arc(
      top.x + (random() - 0.5) * height * 0.06,
      top.y + height * (0.015 + 0.03 * random()),
      height * 0.016,
      0,
      Math.PI * 2,
    )
    context.fill()
  }
}

function drawFrond(
  context: SKRSContext2D,
  root: { x: number; y: number },
  { angle, length, color, height }: { angle: number; length: number; color: Rgb; height: number },
): void {
  const leafletCount = Math.round(Math.min(34, 8 + length / 5))
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)]
  // The frond rises first and then bends down under its weight.
  const pointAt = (pathShare: number): { x: number; y: number } => ({
    x: root.x + dx * length * (pathShare - 0.12 * pathShare * pathShare),
    y: root.y + dy * length * pathShare * (1 - pathShare * 0.3) + length * 0.58 * pathShare ** 2.2,
  })
  context.strokeStyle = css(color)
  context.lineWidth = Math.max(0.6, height * 0.005)
  context.beginPath()
  context.moveTo(root.x, root.y)
  for (let step = 1; step <= 8; step++) {
    const point = pointAt(step / 8)
    context.lineTo(point.x, point.y)
  }
  context.stroke()
  context.lineWidth = Math.max(0.5, height * 0.003)
  context.beginPath()
  for (let leaflet = 2; leaflet <= leafletCount; leaflet++) {
    const pathShare = leaflet / leafletCount
    const [from, ahead] = [pointAt(pathShare * 0.98), pointAt(Math.min(1, pathShare + 0.05))]
    const size = Math.hypot(ahead.x - from.x, ahead.y - from.y) || 1
    const [alongX, alongY] = [(ahead.x - from.x) / size, (ahead.y - from.y) / size]
    const reach = length * 0.25 * Math.sin(Math.PI * (0.14 + 0.8 * pathShare)) ** 0.8
    for (const side of [-1, 1]) {
      const endX = from.x + (-alongY * side * 0.6 + alongX * 0.75) * reach
      const endY = from.y + (alongX * side * 0.6 + alongY * 0.75) * reach + reach * 0.55
      context.moveTo(from.x, from.y)
      context.quadraticCurveTo(from.x + (endX - from.x) * 0.6, from.y + (endY - from.y) * 0.3, endX, endY)
    }
  }
  context.stroke()
}
