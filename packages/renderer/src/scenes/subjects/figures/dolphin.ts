import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

/** A dolphin with its nose to the right. It is about 1.1 long, and its body bends as it swims. */
export const dolphin: Model = {
  height: 0.3,
  reach: { side: 0.62, up: 0.34, down: 0.34 },
  cycle: { poseCount: 10, pace: 0.9 },
  draw(figure, phase, { color }) {
    const skin = color ?? hex('#5f7f9c')
    const pale = hex('#eaf1f4')
    const bend = Math.sin(phase * Math.PI * 2) * 0.06
    figure.part(
      (context) => {
        context.fillStyle = css(scaleRgb(skin, 0.7))
        fillRibbon(context, [
          { x: 0.2, y: 0.06, r: 0.03 },
          { x: 0.13, y: 0.17, r: 0.024 },
          { x: 0.07, y: 0.22, r: 0.006 },
        ])
      },
      { thickness: 0.05, rim: 0.3 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(skin)
        fillCurve(context, [
          [0.56, 0.02],
          [0.46, -0.015],
          [0.42, -0.06],
          [0.32, -0.1],
          [0.14, -0.12],
          [-0.08, -0.1 + bend * 0.1],
          [-0.28, -0.05 + bend * 0.4],
          [-0.42, -0.02 + bend],
          [-0.42, 0.018 + bend],
          [-0.28, 0.04 + bend * 0.4],
          [-0.06, 0.09 + bend * 0.1],
          [0.16, 0.11],
          [0.34, 0.085],
          [0.44, 0.05],
          [0.54, 0.045],
        ])
        fillCurve(context, [
          [0.08, -0.1],
          [0.0, -0.17],
          [-0.08, -0.22],
          [-0.06, -0.15],
          [-0.09, -0.08],
        ])
        for (const side of [-1, 1])
          fillCurve(context, [
            [-0.39, bend],
            [-0.45, bend * 1.2 + side * 0.02],
            [-0.52, bend * 1.5 + side * 0.095],
            [-0.56, bend * 1.6 + side * 0.1],
            [-0.53, bend * 1.5 + side * 0.03],
            [-0.49, bend * 1.3],
          ])
        context.save()
        context.globalCompositeOperation = 'source-atop'
        context.fillStyle = css(mixRgb(skin, pale, 0.85))
        fillCurve(context, [
          [0.6, 0.035],
          [0.44, 0.03],
          [0.3, 0.045],
          [0.1, 0.06],
          [-0.2, 0.05 + bend * 0.4],
          [-0.1, 0.14],
          [0.3, 0.14],
          [0.6, 0.1],
        ])
        context.restore()
        context.strokeStyle = css(scaleRgb(skin, 0.5), 0.7)
        context.lineWidth = 0.007
        context.beginPath()
        context.moveTo(0.55, 0.03)
        context.quadraticCurveTo(0.46, 0.026, 0.39, 0.045)
        context.stroke()
        context.fillStyle = '#0e1218'
        fillEllipse(context, 0.375, 0.0, 0.014)
        context.fillStyle = '#ffffff'
        fillEllipse(context, 0.379, -0.004, 0.004)
      },
      { thickness: 0.18 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(scaleRgb(skin, 0.92))
        fillRibbon(context, [
          { x: 0.23, y: 0.07, r: 0.034 },
          { x: 0.14, y: 0.16, r: 0.028 },
          { x: 0.06, y: 0.2, r: 0.006 },
        ])
      },
      { thickness: 0.05 },
    )
  },
}
