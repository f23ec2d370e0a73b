import { css, mixRgb, scaleRgb, toYuv, type Rgb } from '../../picture/colour.ts'
import { paintMotes } from '../air/motes.ts'
import type { Painter, Stage } from '../stage.ts'

const ribbons = 9
/** Share of the frame by which a ribbon is longer, to allow for its motion to and fro. */
const margin = 0.24

/**
 * Paints overlapping waves of color that slide past slowly. Each is lit along its crest and shades
 * the next.
 */
export function paintRibbons(stage: Stage, ramp: (position: number) => Rgb): Painter[] {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const wording = stage.wording('ribbons')
  const random = stage.random('ribbons')
  const slant = (wording() - 0.5) * 0.9
  const steep = 0.05 + 0.1 * wording()
  const isRising = wording() < 0.5
  const texture = compositor.texture(64, 36, (u, v, yuv) => {
    yuv.splice(0, 3, ...toYuv(ramp(isRising ? 0.95 - v * 0.3 - u * 0.1 : v * 0.16 + u * 0.08)))
  })
  const scale = Math.max(1, unit / 540)
  const layerWidth = width * (1 + margin)
  const painters = Array.from({ length: ribbons }, (_, order): Painter => {
    const near = (order + 1) / ribbons
    const colour = ramp(isRising ? 0.84 - near * 0.76 : 0.14 + near * 0.78)
    const waves = [0.7, 1.5, 2.7].map((count, index) => ({
      count: count * (0.8 + 0.4 * random()),
      tall: steep / (1 + index * 1.3),
      phase: random() * 6.28,
    }))
    const crest = (x: number): number => {
      let sum = slant * 0.35 * (x / layerWidth - 0.5)
      for (const { count, tall, phase } of waves) sum += tall * Math.sin((x / unit) * count * 1.7 + phase)
      return sum
    }
    const room = (0.5 * Math.abs(slant) * 0.35 + steep * 2) * unit
    const y = height * (0.1 + 0.86 * near) - room
    const at = (x: number): number => (room + crest(x * scale) * unit) / scale
    const layer = compositor.layer(layerWidth / scale, (height - y + unit * 0.12) / scale, (context, w, h) => {
      const fill = context.createLinearGradient(0, 0, w, 0)
      for (const stop of [0, 0.3, 0.6, 1]) fill.addColorStop(stop, css(mixRgb(colour, ramp(random()), 0.22)))
      context.beginPath()
      context.moveTo(0, h)
      for (let x = 0; x <= w; x += 3) context.lineTo(x, at(x))
      context.lineTo(w, h)
      context.closePath()
      context.fillStyle = fill
      context.fill()
      context.save()
      context.clip()
      // Bright along the crest, then falling into its own shade.
      for (let line = 0; line < 26; line++) {
        const way = line / 25
        context.strokeStyle = css(
          way < 0.2 ? mixRgb(colour, [255, 250, 242], 0.7) : scaleRgb(colour, 0.5),
          way < 0.2 ? 0.1 : 0.035,
        )
        context.lineWidth = (unit / scale) * 0.02
        context.beginPath()
        for (let x = 0; x <= w; x += 6) context.lineTo(x, at(x) + (unit / scale) * (0.006 + 0.24 * way * way))
        context.stroke()
      }
      context.restore()
    })
    const [pace, phase] = [0.16 + 0.12 * random(), random() * 6.28]
    return (moment) => {
      const zoom = 1 + 0.03 * near * moment.progress
      const slide = Math.sin(moment.seconds * pace + phase) * width * margin * 0.4
      const lift = Math.sin(moment.seconds * pace * 1.3 + phase * 2) * unit * 0.014
      compositor.drawLayer(layer, {
        x: width / 2 - (layerWidth / 2) * zoom + slide,
        y: y + lift,
        scale: scale * zoom,
        rowEnd: height,
      })
    }
  })
  return [
    () => compositor.drawTexture(texture, { x: 0, y: 0, width, height }, { mode: 'replace' }),
    ...painters,
    paintMotes(stage, { count: 40, light: scaleRgb(ramp(0.95), 0.24), top: 0 }),
  ]
}
