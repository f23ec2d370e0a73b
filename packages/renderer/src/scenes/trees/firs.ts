import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'

export interface Fir {
  x: number
  /** Vertical position of the foot. */
  y: number
  height: number
  color: Rgb
  /** Color of the snow on the upper side of the boughs. */
  snow?: Rgb | undefined
  random: Random
}

/** Draws a conifer as a saw-edged silhouette. Tall trees have more tiers. */
export function drawFir(context: SKRSContext2D, { x, y, height, color, snow, random }: Fir): void {
  const tierCount = Math.max(5, Math.min(13, Math.round(height / 9)))
  const halfWidth = height * 0.17
  const tiers = Array.from({ length: tierCount }, () => ({ right: 0.9 + 0.4 * random(), left: 0.9 + 0.4 * random() }))
  const topOf = (tier: number): number => y - height + (height * tier) / tierCount
  context.beginPath()
  context.moveTo(x, y - height * 1.04)
  for (const [tier, { right }] of tiers.entries()) {
    const width = (halfWidth * (tier + 1)) / tierCount
    context.lineTo(x + width * right, topOf(tier + 1))
    context.lineTo(x + width * 0.55, topOf(tier + 1) - height * 0.018)
  }
  context.lineTo(x + halfWidth * 0.12, y)
  context.lineTo(x + halfWidth * 0.12, y + height * 0.05)
  context.lineTo(x - halfWidth * 0.12, y + height * 0.05)
  context.lineTo(x - halfWidth * 0.12, y)
  for (const [index, { left }] of tiers.toReversed().entries()) {
    const tier = tierCount - 1 - index
    const width = (halfWidth * (tier + 1)) / tierCount
    context.lineTo(x - width * 0.55, topOf(tier + 1) - height * 0.018)
    context.lineTo(x - width * left, topOf(tier + 1))
  }
  context.closePath()
  context.fillStyle = css(color)
  context.fill()
  if (!snow) return
  context.fillStyle = css(snow, 0.85)
  for (const [tier, { right, left }] of tiers.entries()) {
    const width = (halfWidth * (tier + 1)) / tierCount
    const top = topOf(tier) + height * 0.012
    const bottom = topOf(tier + 1) - height * 0.012
    context.beginPath()
    context.moveTo(x, top - height * 0.02)
    context.quadraticCurveTo(x - width * 0.5, top + (bottom - top) * 0.35, x - width * left, bottom)
    context.quadraticCurveTo(x - width * 0.35, top + (bottom - top) * 0.62, x, top + (bottom - top) * 0.5)
    context.quadraticCurveTo(x + width * 0.25, top + (bottom - top) * 0.5, x + width * right * 0.6, bottom - (bottom - top) * 0.2)
    context.quadraticCurveTo(x + width * 0.4, top + (bottom - top) * 0.3, x, top - height * 0.02)
    context.fill()
  }
}
