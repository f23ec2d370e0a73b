import { css, mixRgb, scaleRgb, toYuv, type Rgb } from '../../picture/color.ts'
import { paintMotes } from '../air/motes.ts'
import type { Painter, Stage } from '../stage.ts'

const ribbonCount = 9
/**
 * Share of the frame's width by which a ribbon is longer than the frame, to allow for its motion to
 * both sides.
 */
const margin = 0.24

/**
 * Paints overlapping waves of color that slide slowly. Each is bright along its crest and darker
 * below it.
 */
export function paintRibbons(stage: Stage, ramp: (position: number) => Rgb): Painter[] {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const wordRandom = stage.wordRandom('ribbons')
  const random = stage.random('ribbons')
  const slant = (wordRandom() - 0.5) * 0.9
  const steepness = 0.05 + 0.1 * wordRandom()
  const isRising = wordRandom() < 0.5
  const texture = compositor.texture(64, 36, (u, v, yuv) => {
    yuv.splice(0, 3, ...toYuv(ramp(isRising ? 0.95 - v * 0.3 - u * 0.1 : v * 0.16 + u * 0.08)))
  })
  const scale = Math.max(1, unit / 540)
  const layerWidth = width * (1 + margin)
  const painters = Array.from({ length: ribbonCount }, (_, order): Painter => {
    const nearness = (order + 1) / ribbonCount
    const color = ramp(isRising ? 0.84 - nearness * 0.76 : 0.14 + nearness * 0.78)
    const waves = [0.7, 1.5, 2.7].map((count, index) => ({
      count: count * (0.8 + 0.4 * random()),
      waveHeight: steepness / (1 + index * 1.3),
      phase: random() * 6.28,
    }))
    const crest = (x: number): number => {
      let sum = slant * 0.35 * (x / layerWidth - 0.5)
      for (const { count, waveHeight, phase } of waves) sum += waveHeight * Math.sin((x / unit) * count * 1.7 + phase)
      return sum
    }
    const extraHeight = (0.5 * Math.abs(slant) * 0.35 + steepness * 2) * unit
    const y = height * (0.1 + 0.86 * nearness) - extraHeight
    const crestAt = (x: number): number => (extraHeight + crest(x * scale) * unit) / scale
    const layer = compositor.layer(layerWidth / scale, (height - y + unit * 0.12) / scale, (context, w, h) => {
      const fill = context.createLinearGradient(0, 0, w, 0)
      for (const stop of [0, 0.3, 0.6, 1]) fill.addColorStop(stop, css(mixRgb(color, ramp(random()), 0.22)))
      context.beginPath()
      context.moveTo(0, h)
      for (let x = 0; x <= w; x += 3) context.lineTo(x, crestAt(x))
      context.lineTo(w, h)
      context.closePath()
      context.fillStyle = fill
      context.fill()
      context.save()
      context.clip()
      for (let line = 0; line < 26; line++) {
        const lineShare = line / 25
        context.strokeStyle = css(
          lineShare < 0.2 ? mixRgb(color, [255, 250, 242], 0.7) : scaleRgb(color, 0.5),
          lineShare < 0.2 ? 0.1 : 0.035,
        )
        context.lineWidth = (unit / scale) * 0.02
        context.beginPath()
        for (let x = 0; x <= w; x += 6) context.lineTo(x, crestAt(x) + (unit / scale) * (0.006 + 0.24 * lineShare * lineShare))
        context.stroke()
      }
      context.restore()
    })
    const [pace, phase] = [0.16 + 0.12 * random(), random() * 6.28]
    return (moment) => {
      const zoom = 1 + 0.03 * nearness * moment.progress
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
