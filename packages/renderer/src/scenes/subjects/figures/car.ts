import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillEllipse, fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'
import { drawWheel } from './wheel.ts'

const paintColors = ['#c63c2a', '#2f6ea8', '#e3b53a', '#e9e6df', '#3c7a5c'].map(hex)

/** A small car in side view with turning wheels. It is 1 high and about 2.6 long. */
export const car: Model = {
  height: 0.15,
  reach: { side: 2.3, up: 1.1, down: 0.06 },
  cycle: { poseCount: 6, pace: 4 },
  variantCount: 3,
  draw(figure, phase, { color, isDark, variant }) {
    const paint = color ?? paintColors[variant % paintColors.length] ?? [200, 60, 40]
    figure.part(
      (context) => {
        context.fillStyle = '#17161c'
        context.fillRect(-1.1, -0.3, 2.2, 0.2)
        for (const x of [-0.76, 0.78]) fillEllipse(context, x, -0.24, 0.28)
      },
      { volume: 0.2, rim: 0 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(
          context,
          [0, -1],
          [0, -0.1],
          [mixRgb(paint, [255, 255, 255], 0.24), mixRgb(paint, [255, 255, 255], 0.06), paint, scaleRgb(paint, 0.78)],
        )
        context.beginPath()
        context.moveTo(-1.26, -0.2)
        context.bezierCurveTo(-1.34, -0.5, -1.24, -0.58, -1.02, -0.6)
        context.bezierCurveTo(-0.82, -0.86, -0.66, -0.98, -0.3, -0.98)
        context.lineTo(0.12, -0.98)
        context.bezierCurveTo(0.4, -0.97, 0.52, -0.76, 0.68, -0.6)
        context.bezierCurveTo(1.04, -0.56, 1.28, -0.5, 1.3, -0.3)
        context.bezierCurveTo(1.31, -0.2, 1.26, -0.17, 1.16, -0.17)
        for (const x of [0.78, -0.76]) {
          context.lineTo(x + 0.3, -0.17)
          context.arc(x, -0.235, 0.275, 0.2, Math.PI - 0.2, true)
        }
        context.lineTo(-1.16, -0.17)
        context.fill()
        context.strokeStyle = css(scaleRgb(paint, 0.5), 0.7)
        context.lineWidth = 0.014
        context.beginPath()
        context.moveTo(-0.2, -0.6)
        context.lineTo(-0.2, -0.2)
        context.moveTo(0.5, -0.58)
        context.quadraticCurveTo(0.44, -0.4, 0.46, -0.2)
        context.moveTo(-1.24, -0.42)
        context.lineTo(1.2, -0.42)
        context.stroke()
        context.fillStyle = css(scaleRgb(paint, 0.45))
        context.fillRect(-0.14, -0.53, 0.13, 0.03)
        context.fillStyle = '#c9ced6'
        context.fillRect(-1.3, -0.24, 0.2, 0.06)
        context.fillRect(1.12, -0.24, 0.19, 0.06)
      },
      { thickness: 0.7, volume: 0.5 },
    )
    figure.part(
      (context) => {
        for (const pane of [
          [-0.84, -0.6, -0.7, -0.84, -0.54, -0.91, -0.24, -0.91, -0.24, -0.6],
          [-0.17, -0.6, -0.17, -0.91, 0.1, -0.91, 0.32, -0.88, 0.52, -0.6],
        ]) {
          context.fillStyle = blend(context, [0, -0.92], [0.2, -0.6], [hex('#c6e0ee'), hex('#5d7d92'), hex('#3a5264')])
          context.beginPath()
          for (let index = 0; index + 1 < pane.length; index += 2) context.lineTo(pane[index] ?? 0, pane[index + 1] ?? 0)
          context.fill()
        }
      },
      { volume: 0, rim: 0 },
    )
    figure.part((context) => [-0.76, 0.78].forEach((x) => drawWheel(context, x, 0.235, phase)), { thickness: 0.2, rim: 0.4 })
    figure.shine(isDark, (context) => {
      context.fillStyle = '#fff2c8'
      context.beginPath()
      context.ellipse(1.22, -0.44, 0.05, 0.075, 0, 0, Math.PI * 2)
      context.fill()
      context.fillStyle = '#d8301c'
      context.fillRect(-1.285, -0.52, 0.06, 0.11)
      if (!isDark) return
      fillGlow(context, 1.22, -0.44, 0.4, [255, 236, 190], 0.9)
      fillGlow(context, -1.26, -0.46, 0.3, [255, 60, 36], 0.6)
      const beam = context.createLinearGradient(1.24, 0, 2.3, 0)
      beam.addColorStop(0, 'rgba(255,240,196,0.4)')
      beam.addColorStop(1, 'rgba(255,240,196,0)')
      context.fillStyle = beam
      fillCorners(context, [
        [1.24, -0.47],
        [2.3, -0.66],
        [2.3, 0.02],
        [1.24, -0.36],
      ])
    })
  },
}
