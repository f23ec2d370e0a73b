import { css, type Rgb } from '../picture/colour.ts'
import type { Moment, Painter, Stage } from './stage.ts'

/** Slanted streaks at half size, two sheets falling at different speeds; each sheet repeats from top to bottom. */
export function paintRain(stage: Stage, light: Rgb, visible: (moment: Moment) => number = () => 1): Painter {
  const { compositor, geometry } = stage
  const { width, height } = geometry
  const sheets = [
    { scale: 2, count: 260, length: 34, alpha: 0.17, speed: 1.5 },
    { scale: 3, count: 70, length: 46, alpha: 0.12, speed: 2.4 },
  ].map((sheet) => {
    const random = stage.random(`rain ${sheet.scale}`)
    const layer = compositor.layer(width / sheet.scale + 8, height / sheet.scale, (context, layerWidth, layerHeight) => {
      context.lineCap = 'round'
      for (let index = 0; index < sheet.count; index++) {
        const x = random() * layerWidth
        const y = random() * layerHeight
        const length = stage.pixels(sheet.length) * (0.5 + random())
        context.strokeStyle = css(light, sheet.alpha * (0.5 + random() * 0.7))
        context.lineWidth = Math.max(0.8, stage.pixels(1.5))
        // Drawn once more a sheet higher, so that the repeat shows no seam.
        for (const top of [y, y - layerHeight]) {
          context.beginPath()
          context.moveTo(x, top)
          context.lineTo(x - length * 0.16, top + length)
          context.stroke()
        }
      }
    })
    return { scale: sheet.scale, speed: sheet.speed, layer }
  })
  return (moment) => {
    const { seconds } = moment
    const opacity = visible(moment)
    for (const { layer, scale, speed } of sheets) {
      const sheetHeight = layer.height * scale
      const fallen = (seconds * speed * height) % sheetHeight
      for (const top of [fallen - sheetHeight, fallen]) {
        compositor.drawLayer(layer, {
          x: -8,
          y: top,
          scale,
          opacity,
          rowEnd: Math.min(height, Math.round(top + sheetHeight)),
          rowFirst: Math.max(0, Math.round(top)),
        })
      }
    }
  }
}
