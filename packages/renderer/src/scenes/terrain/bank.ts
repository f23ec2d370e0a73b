import { css, type Rgb } from '../../picture/color.ts'
import { smoothstep } from '../../picture/curves.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'

export interface Bank {
  color: Rgb
  bladeColor: Rgb
  /** Height of the bank at the sides of the frame, in units. */
  bankHeight: number
  /** Height of the longest blades, in units. */
  bladeHeight: number
  /** Number of blades in the width of a frame of 16:9, before the opening is left out. */
  blades: number
  /** Share of the frame's width that the bank leaves open, near the middle. */
  opening: number
  hasSeedHeads: boolean
}

/**
 * Paints a dark bank with reeds or grass on both sides. As the nearest layer, it frames the image.
 */
export function paintBank(stage: Stage, bank: Bank): Painter {
  const { compositor, geometry, noise } = stage
  const { width, height, unit } = geometry
  const random = stage.random('bank')
  const middle = 0.4 + 0.2 * random()
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const layer = compositor.layer(layerWidth, unit * (bank.bankHeight + bank.bladeHeight * 1.25), (context, w, h) => {
    const rough = noise.sample({ shape: 'soft', octaves: 4, gain: 0.5 }, Math.ceil(w / 4) + 1, (index, point) => {
      point.x = ((index * 4) / unit) * 6.7
      point.y = 50
    })
    const rise = (x: number): number => smoothstep(bank.opening * 0.5, bank.opening * 0.5 + 0.36, Math.abs(x / w - middle))
    const ground = (x: number): number =>
      h - unit * (bank.bankHeight * (rise(x) - 0.09) + 0.012 * (rough[Math.round(x / 4)] ?? 0))
    context.fillStyle = css(bank.color)
    context.beginPath()
    context.moveTo(0, h)
    for (let x = 0; x <= w; x += 4) context.lineTo(x, ground(x))
    context.lineTo(w, h)
    context.fill()
    context.strokeStyle = css(bank.bladeColor)
    context.fillStyle = css(bank.bladeColor)
    context.lineCap = 'round'
    const count = Math.round((bank.blades * w) / (unit * 1.78))
    for (let index = 0; index < count; index++) {
      const x = random() * w
      const bankThickness = rise(x)
      if (random() > bankThickness) continue
      const y = ground(x) + stage.toPixels(4)
      const length = unit * bank.bladeHeight * (0.2 + 0.8 * random() * bankThickness)
      const lean = ((rough[Math.round(x / 4)] ?? 0) * 0.8 + (random() - 0.5) * 0.7) * length
      context.lineWidth = stage.toPixels(0.7 + random() * 1.9)
      context.beginPath()
      context.moveTo(x, y + stage.toPixels(12))
      context.quadraticCurveTo(x + lean * 0.2, y - length * 0.6, x + lean, y - length)
      context.stroke()
      if (!bank.hasSeedHeads || random() > 0.16) continue
      context.lineWidth = stage.toPixels(4.5)
      context.beginPath()
      context.moveTo(x + lean * 0.93, y - length * 0.93)
      context.lineTo(x + lean, y - length * 1.03)
      context.stroke()
    }
  })
  return (moment) => {
    const zoom = stage.zoom(0.34, moment)
    const x = width / 2 - (layer.width / 2) * zoom - stage.pan(0.34, moment)
    compositor.drawLayer(layer, {
      x,
      y: height - layer.height * zoom + 4 + stage.toPixels(14) * (zoom - 1) * 20,
      scale: zoom,
      rowEnd: height,
    })
  }
}
