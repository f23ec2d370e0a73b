import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon, traceCurve, type Pairs } from '../brush.ts'
import type { Model } from '../model.ts'

const shell: Pairs = [
  [0.3, 0.02],
  [0.28, -0.1],
  [0.14, -0.2],
  [-0.06, -0.23],
  [-0.26, -0.16],
  [-0.4, -0.03],
  [-0.44, 0.05],
  [-0.2, 0.11],
  [0.08, 0.12],
]

/** A sea turtle that rows with its flippers. It is about 1.1 long, with its head to the right. */
export const turtle: Model = {
  height: 0.36,
  reach: { side: 0.66, up: 0.46, down: 0.66 },
  cycle: { poseCount: 10, pace: 0.4 },
  draw(figure, phase, { color }) {
    const skin = color ? mixRgb(color, hex('#d8cf9a'), 0.4) : hex('#8f9a5e')
    const shellColor = color ?? hex('#7a5a34')
    const beat = Math.sin(phase * Math.PI * 2)
    figure.part(
      (context) => {
        context.fillStyle = css(scaleRgb(skin, 0.66))
        fillRibbon(context, [
          { x: 0.2, y: 0.02, r: 0.06 },
          { x: 0.16, y: -0.2 * beat - 0.06, r: 0.05 },
          { x: 0.02, y: -0.36 * beat - 0.06, r: 0.012 },
        ])
        fillRibbon(context, [
          { x: -0.3, y: 0.05, r: 0.05 },
          { x: -0.46, y: 0.12 - beat * 0.04, r: 0.034 },
          { x: -0.54, y: 0.16 - beat * 0.05, r: 0.01 },
        ])
      },
      { thickness: 0.08, rim: 0.4 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(skin)
        fillRibbon(context, [
          { x: 0.24, y: 0.03, r: 0.075 },
          { x: 0.38, y: -0.02, r: 0.065 },
          { x: 0.48, y: -0.04, r: 0.072 },
          { x: 0.54, y: -0.02, r: 0.05 },
        ])
        context.fillStyle = css(mixRgb(skin, hex('#f2e8c0'), 0.6))
        fillCurve(context, [
          [0.34, 0.04],
          [0.1, 0.14],
          [-0.2, 0.14],
          [-0.4, 0.07],
          [-0.1, 0.07],
        ])
        context.fillStyle = css(scaleRgb(skin, 0.6), 0.6)
        for (const [x, y] of [
          [0.42, -0.07],
          [0.46, -0.09],
          [0.4, -0.03],
          [0.35, -0.02],
          [0.5, -0.085],
        ] as const)
          fillEllipse(context, x, y, 0.018, 0.014)
        context.fillStyle = '#14100e'
        fillEllipse(context, 0.515, -0.052, 0.014)
      },
      { thickness: 0.14 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(shellColor)
        traceCurve(context, shell)
        context.fill()
        context.clip()
        context.strokeStyle = css(mixRgb(shellColor, hex('#e8d49a'), 0.65), 0.8)
        context.lineWidth = 0.011
        for (let plate = 0; plate < 4; plate++) {
          const x = -0.27 + plate * 0.145
          context.beginPath()
          context.moveTo(x, -0.26)
          context.lineTo(x + 0.03, -0.13)
          context.lineTo(x - 0.02, -0.02)
          context.lineTo(x + 0.04, 0.1)
          context.stroke()
          context.beginPath()
          context.moveTo(x + 0.03, -0.13)
          context.lineTo(x + 0.13, -0.13)
          context.moveTo(x - 0.02, -0.02)
          context.lineTo(x + 0.14, -0.02)
          context.stroke()
        }
        context.lineWidth = 0.03
        context.strokeStyle = css(scaleRgb(shellColor, 0.7))
        traceCurve(context, shell)
        context.stroke()
      },
      { thickness: 0.3 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(skin)
        fillRibbon(context, [
          { x: 0.23, y: 0.05, r: 0.07 },
          { x: 0.2 - 0.03 * beat, y: 0.05 + 0.2 * (0.4 - beat * 0.8), r: 0.062 },
          { x: 0.05, y: 0.08 + 0.36 * (0.4 - beat * 0.9), r: 0.014 },
        ])
        fillRibbon(context, [
          { x: -0.3, y: 0.07, r: 0.055 },
          { x: -0.43, y: 0.17 + beat * 0.05, r: 0.036 },
          { x: -0.5, y: 0.22 + beat * 0.06, r: 0.01 },
        ])
        context.globalCompositeOperation = 'source-atop'
        context.fillStyle = css(scaleRgb(skin, 0.6), 0.5)
        for (let spot = 0; spot < 7; spot++)
          fillEllipse(context, 0.21 - spot * 0.022, 0.07 + spot * 0.045 * (0.4 - beat * 0.9), 0.02, 0.016)
      },
      { thickness: 0.1 },
    )
  },
}
