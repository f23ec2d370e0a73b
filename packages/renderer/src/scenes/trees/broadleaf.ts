import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'

export interface Broadleaf {
  x: number
  /** Vertical position of the foot. */
  y: number
  height: number
  color: Rgb
  litColor: Rgb
  /** Side that the light comes from: 1 is the right, -1 the left. */
  facing: 1 | -1
  random: Random
}

/**
 * Draws a broad tree: a few masses of leaves that are darker near the ground, with light flecks on
 * the sunny side, and a shadow on the ground.
 */
export function drawBroadleaf(context: SKRSContext2D, { x, y, height, color, litColor, facing, random }: Broadleaf): void {
  context.fillStyle = css(scaleRgb(color, 0.3), 0.35)
  context.beginPath()
  context.ellipse(x - facing * height * 0.12, y, height * 0.36, height * 0.05, 0, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = css(mixRgb(scaleRgb(color, 0.4), [40, 30, 24], 0.4))
  context.beginPath()
  context.moveTo(x - height * 0.03, y)
  context.lineTo(x - height * 0.014, y - height * 0.5)
  context.lineTo(x + height * 0.014, y - height * 0.5)
  context.lineTo(x + height * 0.03, y)
  context.fill()
  const masses = Array.from({ length: height < 12 ? 3 : height < 90 ? 6 : 10 }, (_, index) => ({
    x: x + (random() - 0.5) * height * (index === 0 ? 0.1 : 0.52),
    y: y - height * (index === 0 ? 0.72 : 0.36 + 0.34 * random()),
    radius: height * (index === 0 ? 0.24 : 0.13 + 0.1 * random()),
  }))
  // A near tree has more leaves, not larger ones.
  const tuftScale = Math.min(1, Math.max(0.3, 70 / height))
  const tuftCount = Math.round(Math.min(120, 4 + height * 0.3))
  for (const [tone, shift, reach, size] of [
    [scaleRgb(color, 0.66), 0.14, 1, 0.42],
    [scaleRgb(color, 0.86), 0, 0.92, 0.36],
    [color, -0.16, 0.8, 0.28],
    [mixRgb(color, litColor, 0.6), -0.34, 0.66, 0.17],
  ] as const) {
    context.fillStyle = css(tone)
    context.beginPath()
    for (const mass of masses) {
      for (let tuft = 0; tuft < tuftCount; tuft++) {
        const angle = random() * Math.PI * 2
        const distance = Math.sqrt(random()) * mass.radius * reach
        const radius = mass.radius * size * tuftScale * (0.6 + 0.7 * random())
        const tuftX = mass.x + Math.cos(angle) * distance * 1.12 + facing * mass.radius * (1 - reach) * 0.8
        const tuftY = mass.y + Math.sin(angle) * distance + shift * mass.radius
        context.moveTo(tuftX + radius, tuftY)
        context.arc(tuftX, tuftY, radius, 0, Math.PI * 2)
      }
    }
    context.fill()
  }
}
