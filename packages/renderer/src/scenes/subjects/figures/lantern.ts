import { css, hex, mixRgb } from '../../../picture/color.ts'
import { fillCurve, fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'

/** A paper sky lantern, lit from within. */
export const lantern: Model = {
  height: 0.11,
  reach: { side: 0.8, up: 1.26, down: 0.36 },
  cycle: { poseCount: 6, pace: 0.9 },
  draw(figure, phase, { color, isDark }) {
    const paper = color ?? hex('#f09038')
    const flicker = 0.9 + 0.1 * Math.sin(phase * Math.PI * 2)
    figure.glow((context) => {
      fillGlow(context, 0, -0.45, 0.8, mixRgb(paper, [255, 150, 60], 0.5), (isDark ? 0.5 : 0.26) * flicker)
      const fill = context.createLinearGradient(0, -1, 0, 0.02)
      fill.addColorStop(0, css(mixRgb(paper, [120, 40, 20], 0.45)))
      fill.addColorStop(0.55, css(mixRgb(paper, [255, 190, 90], 0.35 * flicker)))
      fill.addColorStop(0.92, css(mixRgb(paper, [255, 240, 190], 0.85 * flicker)))
      fill.addColorStop(1, css(hex('#a05a2c')))
      context.fillStyle = fill
      fillCurve(context, [
        [-0.24, 0.0],
        [-0.32, -0.3],
        [-0.38, -0.62],
        [-0.34, -0.88],
        [-0.16, -1.0],
        [0.16, -1.0],
        [0.34, -0.88],
        [0.38, -0.62],
        [0.32, -0.3],
        [0.24, 0.0],
      ])
      context.strokeStyle = 'rgba(110,40,16,0.35)'
      context.lineWidth = 0.016
      for (const x of [-0.5, 0, 0.5]) {
        context.beginPath()
        context.moveTo(x * 0.4, -0.99)
        context.quadraticCurveTo(x * 0.78, -0.55, x * 0.46, -0.01)
        context.stroke()
      }
      context.strokeStyle = '#6b3414'
      context.lineWidth = 0.03
      context.beginPath()
      context.ellipse(0, -0.015, 0.235, 0.04, 0, 0, Math.PI * 2)
      context.stroke()
      fillGlow(context, 0, -0.06, 0.22, [255, 246, 214], 0.95 * flicker)
    })
  },
}
