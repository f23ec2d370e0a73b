import { css, mixRgb } from '../../../picture/color.ts'
import type { Painter, Stage } from '../../stage.ts'
import type { SheetColors } from '../cutout/ramps.ts'
import { cut, type Material } from '../cutout/sheet.ts'

const ringCount = 5

/**
 * Paints sheets one behind the other, each with a smaller round hole around the sun. At night and in
 * space, they have stars.
 */
export function paintSkySheets(stage: Stage, material: Material, colors: SheetColors, rowEnd: number): Painter {
  const { compositor, geometry, sun, brief } = stage
  const { width, height, unit } = geometry
  const random = stage.random('rings')
  const layerWidth = Math.ceil((width * 1.04) / 2) * 2
  const layer = compositor.layer(
    layerWidth,
    Math.min(height, rowEnd) * 1.04,
    (context, w, h) => {
      const [x, y] = [sun.x + (layerWidth - width) / 2, sun.y]
      context.fillStyle = css(colors.sky(0))
      context.fillRect(0, 0, w, h)
      cut(stage, context, material, colors.sun, () => {
        const radius = unit * (brief.time === 'day' ? 0.075 : 0.09)
        if (brief.time === 'night' && brief.place !== 'space') {
          for (let step = 0; step <= 48; step++) {
            // The outline runs down the outer side and up the inner side.
            const angle = (step <= 24 ? step / 24 : 2 - step / 24) * Math.PI - Math.PI / 2
            const reach = radius * Math.cos(angle) * (step <= 24 ? 1 : 0.3)
            context.lineTo(x + reach * 0.9 - radius * Math.sin(angle) * 0.42, y + radius * Math.sin(angle) * 0.9 + reach * 0.42)
          }
          context.closePath()
        } else context.arc(x, y, radius, 0, Math.PI * 2)
      })
      for (let ring = 1; ring <= ringCount; ring++) {
        const radius = unit * (0.1 + 0.17 * ring)
        const [wobble, phase] = [0.02 + 0.02 * random(), random() * 6.28]
        cut(stage, context, material, colors.sky(ring / ringCount), () => {
          context.rect(-40, -40, w + 80, h + 80)
          // This outline runs in the opposite direction to the sheet's, which makes a hole.
          for (let step = 64; step >= 0; step--) {
            const angle = (step / 64) * Math.PI * 2
            const reach = radius * (1 + wobble * Math.sin(angle * 3 + phase) + wobble * 0.6 * Math.sin(angle * 5 - phase))
            const [px, py] = [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach * 0.86]
            if (step === 64) context.moveTo(px, py)
            else context.lineTo(px, py)
          }
          context.closePath()
        })
      }
      if (brief.time !== 'night' && brief.place !== 'space') return
      if (brief.omittedParts.has('stars')) return
      context.fillStyle = css(mixRgb(colors.sun, [255, 255, 255], 0.4))
      for (let star = 0; star < (brief.place === 'space' ? 90 : 46); star++) {
        const [px, py, size] = [random() * w, random() * h * 0.8, unit * (0.0035 + 0.008 * random() ** 3)]
        context.beginPath()
        for (let point = 0; point < 8; point++) {
          const reach = point % 2 ? size * 0.36 : size
          context.lineTo(px + Math.cos((point * Math.PI) / 4) * reach, py + Math.sin((point * Math.PI) / 4) * reach)
        }
        context.fill()
      }
    },
    { isFinal: true },
  )
  return (moment) =>
    stage.drawAt(layer, { x: (width - layerWidth) / 2, y: -height * 0.004, depth: 0.006, rowEnd: Math.ceil(rowEnd) }, moment)
}

/** Paints a few clouds with flat bases, each at its own distance. */
export function paintCloudSheets(stage: Stage, material: Material, colors: SheetColors): (Painter | undefined)[] {
  const { compositor, geometry, horizon, brief } = stage
  if (brief.omittedParts.has('clouds')) return []
  const { width, unit } = geometry
  const random = stage.random('cloud sheets')
  const count = brief.weather === 'clear' ? 4 : 6
  return Array.from({ length: count }, (_, order) => {
    const nearness = order / count
    const cloudWidth = unit * (0.2 + 0.16 * random()) * (0.7 + 0.5 * nearness)
    const margin = stage.toPixels(material.shadow.reach * 1.6)
    const puffs = Array.from({ length: 5 }, (_puff, index) => ({
      x: (index + 0.5) / 5 + (random() - 0.5) * 0.08,
      size: (0.13 + 0.1 * random()) * Math.sin(((index + 0.8) / 5.6) * Math.PI),
    }))
    const color = mixRgb(colors.sky(0.5), colors.cloud, 0.55 + 0.45 * nearness)
    const layer = compositor.layer(
      cloudWidth + margin * 2,
      cloudWidth * 0.4 + margin * 2,
      (context) => {
        context.translate(margin, margin)
        cut(stage, context, material, color, () => {
          const foot = cloudWidth * 0.36
          for (const { x, size } of puffs) {
            context.moveTo(x * cloudWidth + size * cloudWidth, foot - size * cloudWidth * 0.7)
            context.arc(x * cloudWidth, foot - size * cloudWidth * 0.7, size * cloudWidth, 0, Math.PI * 2)
          }
          context.roundRect(cloudWidth * 0.04, foot - cloudWidth * 0.09, cloudWidth * 0.92, cloudWidth * 0.09, cloudWidth * 0.045)
        })
      },
      { isFinal: true },
    )
    const [startX, y] = [random() * 1.3 - 0.15, horizon * (0.1 + 0.5 * ((order * 0.37 + random() * 0.2) % 1))]
    const pace = stage.toPixels(5 + 7 * nearness)
    return (moment) => {
      const x = startX * width - cloudWidth / 2 + (moment.seconds - stage.seconds / 2) * pace
      stage.drawAt(layer, { x, y, depth: 0.015 + 0.03 * nearness }, moment)
    }
  })
}
