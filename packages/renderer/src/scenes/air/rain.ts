import { css, type Rgb } from '../../picture/color.ts'
import { windOf } from './wind.ts'
import type { Moment, Painter, Stage } from '../stage.ts'

const scale = 2
const streakCount = 340
/** Speed of the fall, in sheet heights per second. */
const sheetsPerSecond = 1.6

/**
 * Paints slanted streaks. They are drawn once on a half-size sheet, which then falls and repeats
 * vertically.
 */
export function paintRain(stage: Stage, light: Rgb, visibleShare: (moment: Moment) => number = () => 1): Painter {
  const { compositor, geometry } = stage
  const { width, height } = geometry
  const random = stage.random('rain')
  const wind = windOf(stage)
  // Stronger wind slants the rain more.
  const lean = wind.heading * Math.min(0.34, wind.speed * 4)
  const layer = compositor.layer(width / scale + 8, height / scale, (context, layerWidth, layerHeight) => {
    context.lineCap = 'round'
    for (let index = 0; index < streakCount; index++) {
      const nearness = random() ** 2
      const x = random() * layerWidth
      const y = random() * layerHeight
      const length = stage.toPixels(14 + 44 * nearness)
      context.strokeStyle = css(light, 0.1 + 0.13 * random())
      context.lineWidth = Math.max(0.7, stage.toPixels(1.1 + nearness))
      // Each streak is drawn a second time one sheet height higher, so that the repetition shows no
      // seam.
      for (const top of [y, y - layerHeight]) {
        context.beginPath()
        context.moveTo(x, top)
        context.lineTo(x + length * lean, top + length)
        context.stroke()
      }
    }
  })
  const sheetHeight = layer.height * scale
  return (moment) => {
    const fallDistance = (moment.seconds * sheetsPerSecond * sheetHeight) % sheetHeight
    for (const top of [fallDistance - sheetHeight, fallDistance]) {
      compositor.drawLayer(layer, {
        x: -8,
        y: top,
        scale,
        opacity: visibleShare(moment),
        isColorless: true,
        rowFirst: Math.max(0, Math.round(top)),
        rowEnd: Math.min(height, Math.round(top + sheetHeight)),
      })
    }
  }
}
