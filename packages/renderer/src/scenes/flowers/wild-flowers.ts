import { css, hex, mixRgb, type Rgb } from '../../picture/color.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'

const blossoms = ['#f4efe4', '#f0c04a', '#e0607a', '#8a78d0', '#f29a4e'].map(hex)

/** Paints grass strokes and blossoms over a slope, larger toward the viewer. */
export function paintFlowers(stage: Stage, { top, bottom, tint }: { top: number; bottom: number; tint: Rgb }): Painter {
  const { compositor, geometry, palette } = stage
  const { unit, width } = geometry
  const random = stage.random('flowers')
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const isAbundant = stage.brief.sights.has('flowers')
  const accent = stage.brief.colors[0]
  const colors = accent ? [accent, mixRgb(accent, [255, 255, 255], 0.5), ...blossoms.slice(0, 1)] : blossoms
  const patches = stage.noise.sample({ shape: 'soft', octaves: 3, gain: 0.5 }, 64 * 16, (index, point) => {
    point.x = (index % 64) * 0.16
    point.y = Math.floor(index / 64) * 0.4 + 71
  })
  const layer = compositor.layer(layerWidth, bottom - top, (context, w, h) => {
    context.lineCap = 'round'
    const count = Math.round((2600 * w) / (unit * 2.06))
    for (let index = 0; index < count; index++) {
      const nearness = (index / count) ** 1.3
      const x = random() * w
      const y = h * (0.1 + 0.9 * nearness)
      const patch = patches[Math.floor(nearness * 15.9) * 64 + Math.floor((x / w) * 63.9)] ?? 0
      const size = unit * (0.0016 + 0.006 * nearness)
      context.strokeStyle = css(mixRgb(tint, random() < 0.5 ? palette.nearColor : palette.litColor, random() * 0.3), 0.5)
      context.lineWidth = Math.max(0.7, size * 0.5)
      context.beginPath()
      context.moveTo(x, y)
      context.lineTo(x + (random() - 0.5) * size * 2, y - size * (2 + random() * 3))
      context.stroke()
      if (patch + random() * 0.5 < (isAbundant ? 0.02 : 0.32)) continue
      const color = colors[Math.floor((random() * 0.5 + (patch + 0.5) * 0.5) * colors.length) % colors.length] ?? tint
      context.fillStyle = css(mixRgb(color, palette.nearColor, palette.subjectShade), 0.55 + 0.4 * nearness)
      context.beginPath()
      const bloom = size * (isAbundant ? 1.25 : 0.8)
      context.ellipse(x, y - size * 3, bloom, bloom * 0.78, 0, 0, Math.PI * 2)
      context.fill()
    }
  })
  return (moment) => stage.drawAt(layer, { x: (width - layerWidth) / 2, y: top, depth: 0.2 }, moment)
}
