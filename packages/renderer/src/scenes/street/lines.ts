import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, type Rgb } from '../../picture/color.ts'
import type { Stage } from '../stage.ts'
import { focalUnits, type Project, type Slice } from './perspective.ts'
import type { StreetKind } from './street-kind.ts'

/** Draws lines from wall to wall, with washing by day and lanterns when it is dark. */
export function drawLines(
  stage: Stage,
  context: SKRSContext2D,
  project: Project,
  { kind, slice, air }: { kind: StreetKind; slice: Slice; air: Rgb },
): void {
  const { brief, palette } = stage
  const isDark = brief.time === 'night' || brief.time === 'dusk'
  const random = stage.random(`lines ${slice.farDistance}`)
  const cloths = ['#e8e0d4', '#8cb0c4', '#d88c7c', '#e4c878', '#a4b48c', '#c8a4b8'].map(hex)
  for (const z of [70, 52, 40, 30, 22, 16, 11.5, 8, 6]) {
    if (z < slice.nearDistance || z >= slice.farDistance || random() < 0.2) continue
    const y = 4.4 + 1.6 * random()
    const haze = 0.7 * (1 - Math.exp(-z / 60))
    const pointAt = (pathShare: number): { x: number; y: number } =>
      project((pathShare * 2 - 1) * kind.wallDistance, y - 4 * pathShare * (1 - pathShare) * 0.5, z)
    const size = (stage.geometry.unit * focalUnits) / z
    context.strokeStyle = css(mixRgb(palette.nearColor, air, haze))
    context.lineWidth = Math.max(0.7, size * 0.012)
    context.beginPath()
    for (let step = 0; step <= 12; step++) {
      const point = pointAt(step / 12)
      if (step === 0) context.moveTo(point.x, point.y)
      else context.lineTo(point.x, point.y)
    }
    context.stroke()
    const count = Math.round(kind.wallDistance * 2.4)
    for (let index = 1; index < count; index++) {
      const point = pointAt(index / count)
      if (isDark) {
        const tone = brief.colors[0] ?? hex(index % 3 === 0 ? '#ffd070' : '#ff6a3c')
        const glow = context.createRadialGradient(point.x, point.y + size * 0.16, 0, point.x, point.y + size * 0.16, size * 0.7)
        glow.addColorStop(0, css(mixRgb(tone, air, haze), 0.5))
        glow.addColorStop(1, css(tone, 0))
        context.fillStyle = glow
        context.fillRect(point.x - size, point.y - size, size * 2, size * 2)
        context.fillStyle = css(mixRgb(mixRgb(tone, [255, 250, 220], 0.3), air, haze))
        context.beginPath()
        context.ellipse(point.x, point.y + size * 0.16, size * 0.12, size * 0.14, 0, 0, Math.PI * 2)
        context.fill()
      } else if (random() < 0.75) {
        const cloth = mixRgb(cloths[Math.floor(random() * cloths.length)] ?? air, palette.skylight, 0.3)
        const [width, height] = [size * (0.3 + 0.2 * random()), size * (0.4 + 0.35 * random())]
        context.fillStyle = css(mixRgb(cloth, air, haze))
        context.beginPath()
        context.moveTo(point.x - width / 2, point.y)
        context.lineTo(point.x + width / 2, point.y)
        context.quadraticCurveTo(point.x + width * 0.42, point.y + height * 0.6, point.x + width * 0.5, point.y + height)
        context.lineTo(point.x - width * 0.46, point.y + height * 0.96)
        context.fill()
      }
    }
  }
}
