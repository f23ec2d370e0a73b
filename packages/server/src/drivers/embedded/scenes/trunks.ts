import { css, mixRgb, type Rgb } from '../picture/colour.ts'
import { overscan, type Painter, type Stage } from './stage.ts'

export interface TrunksLook {
  order: number
  count: number
  /** Trunk width in units. */
  width: number
  foot: number
  depth: number
  colour: Rgb
  haze: Rgb
  /** Colour of the light on one side. */
  lit: Rgb
  foliage: number
  /** Colour of the foliage, where it is not the trunk's. */
  leaf?: Rgb | undefined
  /** Share of the width in the middle without trunks. */
  opening: number
}

/** Tall trunks that reach beyond the frame's top, with boughs and hanging foliage. */
export function paintTrunks(stage: Stage, look: TrunksLook): Painter {
  const { compositor, geometry, sun } = stage
  const { unit, width } = geometry
  const random = stage.random(`trunks ${look.order}`)
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const rise = look.foot + unit * 0.04
  const layer = compositor.layer(layerWidth, rise + unit * 0.06, (context, w) => {
    const count = Math.max(3, Math.round((look.count * w) / (unit * 1.78)))
    for (let index = 0; index < count; index++) {
      const x = ((index + 0.15 + random() * 0.7) / count) * w
      if (Math.abs(x / w - 0.5) < look.opening / 2) continue
      const half = (unit * look.width * (0.55 + random() * 0.9)) / 2
      const foot = rise + unit * (random() - 0.5) * 0.03
      const lean = (random() - 0.5) * unit * 0.07
      const fromSun = (x - (w - width) / 2 - sun.x) / unit
      const body = mixRgb(look.colour, look.haze, 0.22 * Math.exp(-fromSun * fromSun * 5))
      const fill = context.createLinearGradient(x - half, 0, x + half, 0)
      const litEdge = css(mixRgb(body, look.lit, 0.5 * Math.exp(-fromSun * fromSun * 2.4)))
      fill.addColorStop(0, fromSun > 0 ? litEdge : css(mixRgb(body, [0, 0, 0], 0.2)))
      fill.addColorStop(0.5, css(body))
      fill.addColorStop(1, fromSun > 0 ? css(mixRgb(body, [0, 0, 0], 0.2)) : litEdge)
      context.fillStyle = fill
      context.beginPath()
      context.moveTo(x - half * 1.9, foot)
      context.quadraticCurveTo(x - half, foot - half * 3, x - half * 0.9 + lean * 0.4, foot * 0.5)
      context.lineTo(x - half * 0.6 + lean, -4)
      context.lineTo(x + half * 0.6 + lean, -4)
      context.lineTo(x + half * 0.9 + lean * 0.4, foot * 0.5)
      context.quadraticCurveTo(x + half, foot - half * 3, x + half * 2.1, foot)
      context.fill()
      context.strokeStyle = css(body)
      context.lineCap = 'round'
      const boughs = Math.round(3 + random() * 4)
      for (let bough = 0; bough < boughs; bough++) {
        const y = foot * (0.04 + random() * 0.5)
        const side = random() < 0.5 ? -1 : 1
        const reach = unit * (0.05 + random() * 0.13)
        const rootX = x + lean * (1 - y / foot)
        context.lineWidth = half * (0.2 + random() * 0.22)
        context.beginPath()
        context.moveTo(rootX, y)
        context.quadraticCurveTo(
          rootX + side * reach * 0.6,
          y - unit * 0.01,
          rootX + side * reach,
          y + unit * (random() * 0.05 - 0.035),
        )
        context.stroke()
        if (random() > look.foliage) continue
        context.fillStyle = css(mixRgb(look.leaf ?? body, look.lit, 0.06 + 0.1 * random()), 0.94)
        for (let tuft = 0; tuft < 26; tuft++) {
          const along = 0.2 + random() * 0.9
          const size = unit * (0.004 + random() * 0.012)
          context.beginPath()
          context.ellipse(
            rootX + side * reach * along,
            y + (random() - 0.35) * unit * 0.036,
            size * 1.9,
            size,
            (random() - 0.5) * 1.2,
            0,
            Math.PI * 2,
          )
          context.fill()
        }
      }
    }
  })
  return (moment) => stage.drawAt(layer, { x: (width - layerWidth) / 2, y: look.foot - rise, depth: look.depth }, moment)
}
