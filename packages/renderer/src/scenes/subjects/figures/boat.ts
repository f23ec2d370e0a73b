import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCurve } from '../brush.ts'
import type { Model } from '../model.ts'

const hullColors = ['#8a4632', '#2f4f6f', '#e8e2d4', '#5b6b3c'].map(hex)

/** A sailing boat with mainsail, jib and a small flag. */
export const boat: Model = {
  height: 0.27,
  reach: { side: 0.62, up: 1.08, down: 0.04 },
  variantCount: 3,
  draw(figure, _phase, { color, isDark, variant }) {
    const hull = color ?? hullColors[variant % hullColors.length] ?? [120, 70, 50]
    const sail = hex('#f8f1e2')
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#5a4030'))
        context.fillRect(-0.012, -1.02, 0.022, 0.92)
        context.fillStyle = css(hex('#c8452a'))
        fillCurve(context, [
          [0.0, -1.02],
          [-0.06, -1.01],
          [-0.13, -1.0],
          [-0.06, -0.975],
          [0.0, -0.97],
        ])
      },
      { thickness: 0.03, rim: 0.6 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, 0], [0.4, -0.2], [mixRgb(sail, hull, 0.12), sail])
        context.beginPath()
        context.moveTo(0.022, -0.97)
        context.bezierCurveTo(0.2, -0.72, 0.36, -0.42, 0.4, -0.2)
        context.quadraticCurveTo(0.2, -0.155, 0.022, -0.18)
        context.fill()
        context.strokeStyle = css(scaleRgb(sail, 0.74), 0.5)
        context.lineWidth = 0.005
        for (let seam = 1; seam < 5; seam++) {
          context.beginPath()
          context.moveTo(0.022, -0.18 - seam * 0.15)
          context.quadraticCurveTo(0.16, -0.2 - seam * 0.15, 0.4 - seam * 0.066, -0.2 - seam * 0.135)
          context.stroke()
        }
      },
      { thickness: 0.3 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(mixRgb(sail, [200, 206, 220], 0.2))
        context.beginPath()
        context.moveTo(-0.03, -0.88)
        context.quadraticCurveTo(-0.16, -0.44, -0.4, -0.17)
        context.quadraticCurveTo(-0.16, -0.13, -0.03, -0.2)
        context.fill()
      },
      { thickness: 0.24 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(
          context,
          [0, -0.14],
          [0, 0.02],
          [mixRgb(hull, [255, 255, 255], 0.15), hull, scaleRgb(hull, 0.55)],
        )
        context.beginPath()
        context.moveTo(-0.46, -0.13)
        context.quadraticCurveTo(0, -0.08, 0.54, -0.155)
        context.quadraticCurveTo(0.42, 0.01, 0.26, 0.015)
        context.lineTo(-0.32, 0.015)
        context.quadraticCurveTo(-0.43, -0.03, -0.46, -0.13)
        context.fill()
        context.strokeStyle = css(mixRgb(hull, [255, 250, 236], 0.6))
        context.lineWidth = 0.012
        context.beginPath()
        context.moveTo(-0.45, -0.11)
        context.quadraticCurveTo(0, -0.06, 0.52, -0.135)
        context.stroke()
      },
      { thickness: 0.14 },
    )
    if (!isDark) return
    figure.glow((context) => {
      context.fillStyle = '#ffe2a0'
      for (const x of [-0.22, -0.08, 0.08]) context.fillRect(x, -0.085, 0.05, 0.022)
    })
  },
}
