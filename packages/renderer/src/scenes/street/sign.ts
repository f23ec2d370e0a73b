import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
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
    addHaze,
    applyLight,
    random,
  }: {
    x: number
    side: number
    z: number
    y: number
    accent: Rgb
    isDark: boolean
    addHaze: (color: Rgb, z: number) => Rgb
    applyLight: (color: Rgb) => Rgb
    random: () => number
  },
): void {
  const [width, height] = [0.7 + 0.5 * random(), 1.4 + 2.6 * random()]
  const from = project(x, y, z)
  const to = project(x - side * width, y + height, z)
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
    glow.addColorStop(0, css(addHaze(accent, z), 0.4))
    glow.addColorStop(1, css(accent, 0))
    context.fillStyle = glow
    context.fillRect(
      left - (from.y - to.y),
      to.y - (from.y - to.y) * 0.5,
      right - left + 2 * (from.y - to.y),
      (from.y - to.y) * 2,
    )
  }
  context.fillStyle = css(addHaze(isDark ? mixRgb(accent, [20, 16, 24], 0.72) : applyLight(scaleRgb(accent, 0.7)), z))
  context.fillRect(left, to.y, right - left, from.y - to.y)
  context.strokeStyle = css(addHaze(isDark ? mixRgb(accent, [255, 255, 255], 0.35) : applyLight([230, 224, 214]), z))
  context.lineWidth = Math.max(0.8, (right - left) * 0.07)
  context.strokeRect(left, to.y, right - left, from.y - to.y)
  // Marks that look like text from a distance.
  const marks = Math.max(1, Math.round(height / (width * 1.05)))
  const size = (right - left) * 0.3
  context.beginPath()
  for (let mark = 0; mark < marks; mark++) {
    const [centerX, centerY] = [(left + right) / 2, to.y + ((mark + 0.5) / marks) * (from.y - to.y)]
    const strokes = 3 + Math.floor(random() * 3)
    for (let stroke = 0; stroke < strokes; stroke++) {
      const isAcross = random() < 0.55
      const [shift, reach] = [(random() * 2 - 1) * size, size * (0.5 + 0.5 * random())]
      const slant = (random() - 0.5) * size * 0.5
      context.moveTo(centerX + (isAcross ? -reach : shift), centerY + (isAcross ? shift : -reach))
      context.lineTo(centerX + (isAcross ? reach : shift + slant), centerY + (isAcross ? shift + slant * 0.4 : reach))
    }
  }
  context.stroke()
}
