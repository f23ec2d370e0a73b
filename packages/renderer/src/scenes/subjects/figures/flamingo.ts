import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

const plumageColors = ['#f08aa0', '#f4a08c', '#e8788c'].map(hex)

/** A flamingo on one leg. It is about 1 high, and its bent neck dips once in each cycle. */
export const flamingo: Model = {
  height: 0.23,
  reach: { side: 0.5, up: 1.1, down: 0.05 },
  cycle: { poseCount: 12, pace: 0.3 },
  variantCount: 3,
  draw(figure, phase, { color, variant }) {
    const coat = color ?? plumageColors[variant % plumageColors.length] ?? [240, 138, 160]
    const turn = phase * Math.PI * 2
    const nod = 0.5 + 0.5 * Math.sin(turn)
    const leg = scaleRgb(mixRgb(coat, hex('#d86a70'), 0.5), 0.92)
    figure.part(
      (context) => {
        context.fillStyle = css(scaleRgb(leg, 0.8))
        fillRibbon(context, [
          { x: 0.02, y: -0.46, r: 0.018 },
          { x: 0.13, y: -0.3, r: 0.014 },
          { x: -0.02, y: -0.24, r: 0.01 },
        ])
        context.fillStyle = css(leg)
        fillRibbon(context, [
          { x: -0.02, y: -0.48, r: 0.022 },
          { x: -0.015, y: -0.25, r: 0.016 },
          { x: -0.02, y: -0.02, r: 0.011 },
        ])
        fillRibbon(context, [
          { x: -0.03, y: -0.008, r: 0.01 },
          { x: 0.07, y: -0.004, r: 0.01 },
        ])
      },
      { thickness: 0.04, rim: 0.5 },
    )
    const head = { x: 0.27 + 0.03 * nod, y: -0.93 + 0.1 * nod }
    figure.part(
      (context) => {
        context.fillStyle = css(coat)
        fillRibbon(context, [
          { x: 0.13, y: -0.55, r: 0.05 },
          { x: 0.25, y: -0.58 + 0.02 * nod, r: 0.034 },
          { x: 0.24, y: -0.7 + 0.04 * nod, r: 0.028 },
          { x: 0.15, y: -0.83 + 0.07 * nod, r: 0.026 },
          { x: 0.18, y: -0.95 + 0.09 * nod, r: 0.027 },
          { ...head, r: 0.034 },
        ])
        context.fillStyle = '#f4e4dc'
        fillRibbon(context, [
          { x: head.x + 0.03, y: head.y + 0.01, r: 0.022 },
          { x: head.x + 0.07, y: head.y + 0.05, r: 0.018 },
        ])
        context.fillStyle = '#221c20'
        fillRibbon(context, [
          { x: head.x + 0.072, y: head.y + 0.05, r: 0.018 },
          { x: head.x + 0.066, y: head.y + 0.1, r: 0.008 },
        ])
        fillEllipse(context, head.x + 0.004, head.y - 0.008, 0.008)
      },
      { thickness: 0.08 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(coat)
        fillCurve(context, [
          [0.2, -0.56],
          [0.1, -0.66],
          [-0.08, -0.66],
          [-0.24, -0.58],
          [-0.36, -0.46],
          [-0.2, -0.44],
          [0.0, -0.42],
          [0.14, -0.46],
        ])
        context.strokeStyle = css(scaleRgb(coat, 0.72), 0.8)
        context.lineWidth = 0.012
        for (const y of [0, 0.04, 0.08]) {
          context.beginPath()
          context.moveTo(0.06, -0.6 + y)
          context.quadraticCurveTo(-0.1, -0.58 + y, -0.26, -0.5 + y * 0.4)
          context.stroke()
        }
      },
      { thickness: 0.16 },
    )
  },
}
