import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import type { Project } from './perspective.ts'

/** Draws a tall sign that hangs out over the sidewalk and faces the viewer. */
export function drawSign(
  context: SKRSContext2D,
  project: Project,
  {
    x,
    side,
    z,
    y,
    accent,
    isDark,
    hazed,
    lit,
    random,
  }: {
    x: number
    side: number
    z: number
    y: number
    accent: Rgb
    isDark: boolean
    hazed: (colour: Rgb, z: number) => Rgb
    lit: (colour: Rgb) => Rgb
    random: () => number
  },
): void {
  const [wide, tall] = [0.7 + 0.5 * random(), 1.4 + 2.6 * random()]
  const from = project(x, y, z)
  const to = project(x - side * wide, y + tall, z)
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)]
  if (isDark) {
    const glow = context.createRadialGradient(
      (left + right) / 2,
      (from.y + to.y) / 2,
      0,
      (left + right) / 2,
      (from.y + to.y) / 2,
      (from.y - to.y) * 0.95,
    )
    glow.addColorStop(0, css(hazed(accent, z), 0.4))
    glow.addColorStop(1, css(accent, 0))
    context.fillStyle = glow
    context.fillRect(
      left - (from.y - to.y),
      to.y - (from.y - to.y) * 0.5,
      right - left + 2 * (from.y - to.y),
      (from.y - to.y) * 2,
    )
  }
  context.fillStyle = css(hazed(isDark ? mixRgb(accent, [20, 16, 24], 0.72) : lit(scaleRgb(accent, 0.7)), z))
  context.fillRect(left, to.y, right - left, from.y - to.y)
  context.strokeStyle = css(hazed(isDark ? mixRgb(accent, [255, 255, 255], 0.35) : lit([230, 224, 214]), z))
  context.lineWidth = Math.max(0.8, (right - left) * 0.07)
  context.strokeRect(left, to.y, right - left, from.y - to.y)
  // Marks that look like writing from a distance.
  const marks = Math.max(1, Math.round(tall / (wide * 1.05)))
  const size = (right - left) * 0.3
  context.beginPath()
  for (let mark = 0; mark < marks; mark++) {
    const [centreX, centreY] = [(left + right) / 2, to.y + ((mark + 0.5) / marks) * (from.y - to.y)]
    const strokes = 3 + Math.floor(random() * 3)
    for (let stroke = 0; stroke < strokes; stroke++) {
      const isAcross = random() < 0.55
      const [shift, reach] = [(random() * 2 - 1) * size, size * (0.5 + 0.5 * random())]
      const slant = (random() - 0.5) * size * 0.5
      context.moveTo(centreX + (isAcross ? -reach : shift), centreY + (isAcross ? shift : -reach))
      context.lineTo(centreX + (isAcross ? reach : shift + slant), centreY + (isAcross ? shift + slant * 0.4 : reach))
    }
  }
  context.stroke()
}
