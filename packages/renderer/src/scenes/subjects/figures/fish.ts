import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillEllipse } from '../brush.ts'
import type { Model } from '../model.ts'

const scaleColors = ['#f08a2c', '#f4cc3c', '#4a7ae0', '#e0567a'].map(hex)

/**
 * A reef fish with its nose to the right. It is 1 long. In side view, its beating tail looks longer
 * and shorter.
 */
export const fish: Model = {
  height: 0.2,
  reach: { side: 0.62, up: 0.46, down: 0.4 },
  cycle: { poseCount: 8, pace: 1.3 },
  variantCount: 4,
  draw(figure, phase, { color, variant }) {
    const scales = color ?? scaleColors[variant % scaleColors.length] ?? [240, 138, 44]
    figure.part((context) => drawFish(context, scales, hex('#fff6e6'), phase), { thickness: 0.34 })
  },
}

/** A carp with long fins: orange, or white with patches. */
export const goldfish: Model = {
  ...fish,
  variantCount: 3,
  draw(figure, phase, { color, variant }) {
    const scales = color ?? [hex('#ef6a24'), hex('#f5852c'), hex('#f2efe8')][variant % 3] ?? [239, 106, 36]
    figure.part(
      (context) => {
        drawFish(context, scales, hex('#ffe3c0'), phase, 1.35)
        if (variant % 3 !== 2) return
        context.globalCompositeOperation = 'source-atop'
        context.fillStyle = css(hex('#e2461c'))
        for (const [x, y, radiusX, radiusY] of [
          [0.3, -0.08, 0.13, 0.08],
          [-0.02, -0.12, 0.12, 0.08],
          [-0.22, -0.02, 0.07, 0.05],
        ] as const)
          fillEllipse(context, x, y, radiusX, radiusY, 0.2)
      },
      { thickness: 0.34 },
    )
  },
}

/** Draws a fish. `pale` is the color of its belly and its bands. */
export function drawFish(context: SKRSContext2D, color: Rgb, pale: Rgb, phase: number, finLength = 1): void {
  const swing = 0.72 + 0.28 * Math.cos(phase * Math.PI * 2)
  const flow = Math.sin(phase * Math.PI * 2) * 0.03
  const fin = css(mixRgb(scaleRgb(color, 0.86), pale, 0.2), finLength > 1 ? 0.85 : 0.96)
  const tail = -0.5 * (0.8 + 0.2 * finLength) + (1 - swing) * 0.18
  context.fillStyle = fin
  context.beginPath()
  context.moveTo(-0.2, -0.06)
  context.quadraticCurveTo(tail + 0.1, -0.1 + flow, tail, -0.2 * finLength + flow)
  context.quadraticCurveTo(tail + 0.1 * swing, flow, tail + 0.02, 0.2 * finLength + flow)
  context.quadraticCurveTo(tail + 0.1, 0.1 + flow, -0.2, 0.06)
  context.fill()
  context.beginPath()
  context.moveTo(0.2, -0.16)
  context.bezierCurveTo(0.06, -0.32 * finLength, -0.12, -0.29 * finLength, -0.2, -0.1)
  context.fill()
  context.beginPath()
  context.moveTo(0.04, 0.18)
  context.quadraticCurveTo(-0.06, 0.31, -0.16, 0.24 * finLength)
  context.lineTo(-0.12, 0.12)
  context.fill()
  const body = context.createLinearGradient(0, -0.24, 0, 0.24)
  body.addColorStop(0, css(scaleRgb(color, 0.8)))
  body.addColorStop(0.42, css(color))
  body.addColorStop(0.95, css(mixRgb(color, pale, 0.8)))
  context.save()
  context.beginPath()
  context.moveTo(0.5, 0.01)
  context.bezierCurveTo(0.36, -0.2, 0.04, -0.3, -0.34, -0.03)
  context.lineTo(-0.34, 0.03)
  context.bezierCurveTo(0.04, 0.28, 0.36, 0.2, 0.5, 0.01)
  context.fillStyle = body
  context.fill()
  context.clip()
  context.strokeStyle = css(pale, 0.75)
  for (const [x, width] of [
    [0.2, 0.055],
    [-0.06, 0.045],
  ] as const) {
    context.lineWidth = width
    context.beginPath()
    context.moveTo(x, -0.3)
    context.quadraticCurveTo(x + 0.06, 0, x, 0.3)
    context.stroke()
  }
  context.strokeStyle = css(scaleRgb(color, 0.7), 0.35)
  context.lineWidth = 0.006
  for (let row = 0; row < 4; row++)
    for (let scale = 0; scale < 7; scale++) {
      context.beginPath()
      context.arc(-0.2 + scale * 0.07 + (row % 2) * 0.035, -0.12 + row * 0.06, 0.034, -1.2, 1.2)
      context.stroke()
    }
  context.restore()
  context.fillStyle = fin
  context.beginPath()
  context.moveTo(0.14, 0.05)
  context.quadraticCurveTo(-0.02, 0.02 + 0.12 * swing, -0.04, 0.14 * swing)
  context.quadraticCurveTo(0.08, 0.13, 0.14, 0.05)
  context.fill()
  context.fillStyle = '#fbfaf4'
  fillEllipse(context, 0.355, -0.035, 0.03)
  context.fillStyle = '#10121a'
  fillEllipse(context, 0.36, -0.035, 0.019)
}
