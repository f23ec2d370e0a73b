import { css, mixRgb, type Rgb } from '../../picture/color.ts'
import type { Painter, Stage } from '../stage.ts'
import { windOf } from './wind.ts'
import { wrap } from './wrap.ts'

const side = 64

/**
 * Paints bubbles with a bright rim. Underwater they rise in strings. In the air they float with the
 * wind.
 */
export function paintBubbles(stage: Stage, count: number): Painter {
  const { compositor, geometry, brief } = stage
  const { width, height, unit } = geometry
  const random = stage.random('bubbles')
  const isUnderwater = brief.place === 'underwater'
  const wind = windOf(stage)
  const layer = drawBubble(stage, isUnderwater ? [214, 246, 250] : [255, 226, 250])
  const strings = Array.from({ length: 5 }, () => 0.08 + 0.84 * random())
  const bubbles = Array.from({ length: count }, (_, index) => {
    const nearness = random() ** 2.2
    return {
      x: isUnderwater && index % 3 !== 0 ? (strings[index % strings.length] ?? 0.5) + (random() - 0.5) * 0.02 : random(),
      y: random(),
      nearness,
      phase: random() * 6.28,
      size: isUnderwater ? 0.1 + 0.42 * nearness : 0.3 + 1.1 * nearness,
    }
  }).toSorted((a, b) => a.nearness - b.nearness)
  const span = height * 1.2
  return ({ seconds }) => {
    for (const { x, y, nearness, phase, size } of bubbles) {
      const rise = (isUnderwater ? 0.08 + 0.1 * nearness : 0.012 + 0.02 * nearness) * unit * seconds
      const scale = Math.max(0.51, (size * stage.toPixels(side)) / layer.width)
      const drift = isUnderwater ? 0 : wind.distanceAfter(seconds) * unit * (0.5 + nearness)
      const wobble = Math.sin(seconds * (isUnderwater ? 2.2 : 0.7) + phase) * unit * (isUnderwater ? 0.006 : 0.02)
      const drawX = wrap(x + drift / width) * width + wobble
      const drawY = height * 1.1 - wrap(y + rise / span) * span
      compositor.drawLayer(layer, {
        x: drawX - (layer.width * scale) / 2,
        y: drawY - (layer.height * scale) / 2,
        scale,
        opacity: (isUnderwater ? 0.75 : 0.85) * (1 - 0.35 * nearness),
      })
    }
  }
}

function drawBubble(stage: Stage, light: Rgb): ReturnType<Stage['compositor']['layer']> {
  const pixels = Math.max(32, stage.toPixels(side))
  return stage.compositor.layer(pixels, pixels, (context, width) => {
    const radius = width * 0.44
    context.translate(width / 2, width / 2)
    const body = context.createRadialGradient(0, 0, radius * 0.5, 0, 0, radius)
    body.addColorStop(0, css(light, 0.03))
    body.addColorStop(0.78, css(mixRgb(light, [120, 180, 255], 0.3), 0.14))
    body.addColorStop(0.95, css(light, 0.6))
    body.addColorStop(1, css(light, 0.1))
    context.fillStyle = body
    context.beginPath()
    context.arc(0, 0, radius, 0, Math.PI * 2)
    context.fill()
    context.fillStyle = 'rgba(255,255,255,0.85)'
    context.beginPath()
    context.ellipse(-radius * 0.42, -radius * 0.45, radius * 0.2, radius * 0.12, -0.8, 0, Math.PI * 2)
    context.fill()
    context.fillStyle = 'rgba(255,255,255,0.35)'
    context.beginPath()
    context.ellipse(radius * 0.45, radius * 0.45, radius * 0.13, radius * 0.07, -0.8, 0, Math.PI * 2)
    context.fill()
  })
}
