import { css, hex, mixRgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import type { Walker } from '../walk.ts'

/** An emperor penguin that waddles from foot to foot. */
export const penguin: Walker = {
  height: 0.2,
  reach: { side: 0.5, up: 1.1, down: 0.05 },
  cycle: { poseCount: 10, pace: 0.9 },
  stride: 0.3,
  pace: 0.9,
  draw(figure, phase, { color }) {
    const coat = color ?? hex('#2a3040')
    const white = hex('#f6f4ee')
    const turn = phase * Math.PI * 2
    const tilt = Math.sin(turn) * 0.085
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#2c2a30'))
        for (const [side, stepPhase] of [
          [-1, turn + Math.PI],
          [1, turn],
        ] as const) {
          const lift = Math.max(0, Math.sin(stepPhase)) * 0.035
          const x = 0.02 + Math.cos(stepPhase) * 0.06 + side * 0.03
          fillRibbon(context, [
            { x: x - 0.02, y: -0.045 - lift, r: 0.035 },
            { x: x + 0.075, y: -0.018 - lift, r: 0.018 },
          ])
        }
      },
      { thickness: 0.05, rim: 0.4 },
    )
    figure.part(
      (context) => {
        context.rotate(tilt)
        context.fillStyle = css(coat)
        fillCurve(context, [
          [-0.28, -0.05],
          [-0.2, -0.04],
          [-0.02, -0.03],
          [0.15, -0.06],
          [0.215, -0.24],
          [0.215, -0.5],
          [0.15, -0.7],
          [0.12, -0.78],
          [0.12, -0.9],
          [0.06, -0.99],
          [-0.03, -1.0],
          [-0.1, -0.93],
          [-0.11, -0.8],
          [-0.17, -0.66],
          [-0.23, -0.4],
          [-0.22, -0.18],
        ])
        context.fillStyle = css(white)
        fillCurve(context, [
          [0.17, -0.09],
          [0.235, -0.26],
          [0.23, -0.52],
          [0.16, -0.69],
          [0.1, -0.745],
          [0.04, -0.68],
          [-0.01, -0.48],
          [-0.02, -0.25],
          [0.03, -0.07],
        ])
        context.fillStyle = css(hex('#f2b23c'))
        fillCurve(context, [
          [0.02, -0.84],
          [0.07, -0.8],
          [0.12, -0.71],
          [0.08, -0.68],
          [0.02, -0.74],
          [-0.02, -0.8],
        ])
        context.fillStyle = css(hex('#1d1c22'))
        fillRibbon(context, [
          { x: 0.1, y: -0.905, r: 0.03 },
          { x: 0.19, y: -0.9, r: 0.018 },
          { x: 0.25, y: -0.878, r: 0.006 },
        ])
        context.strokeStyle = css(hex('#e88a4c'))
        context.lineWidth = 0.012
        context.beginPath()
        context.moveTo(0.11, -0.885)
        context.lineTo(0.22, -0.882)
        context.stroke()
        context.fillStyle = css(mixRgb(white, coat, 0.2))
        fillEllipse(context, 0.062, -0.925, 0.015)
        context.fillStyle = '#0c0b10'
        fillEllipse(context, 0.064, -0.925, 0.009)
      },
      { thickness: 0.32 },
    )
    figure.part(
      (context) => {
        context.rotate(tilt)
        context.translate(-0.04, -0.62)
        context.rotate(0.22 + Math.sin(turn + 1) * 0.14)
        context.fillStyle = css(mixRgb(coat, [255, 255, 255], 0.05))
        fillRibbon(context, [
          { x: 0, y: 0, r: 0.055 },
          { x: 0.005, y: 0.2, r: 0.06 },
          { x: -0.01, y: 0.4, r: 0.02 },
        ])
      },
      { thickness: 0.1 },
    )
  },
}
