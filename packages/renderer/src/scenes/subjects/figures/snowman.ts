import { css, hex, scaleRgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

/** Three balls of snow with a hat, a scarf and a carrot. */
export const snowman: Model = {
  height: 0.27,
  reach: { side: 0.52, up: 1.08, down: 0.05 },
  draw(figure, _phase, { color }) {
    const snow = hex('#f3f6fb')
    const wool = color ?? hex('#c8362e')
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#5a4030'))
        for (const side of [-1, 1]) {
          fillRibbon(context, [
            { x: side * 0.16, y: -0.52, r: 0.014 },
            { x: side * 0.3, y: -0.6, r: 0.012 },
            { x: side * 0.43, y: -0.7, r: 0.006 },
          ])
          fillRibbon(context, [
            { x: side * 0.34, y: -0.63, r: 0.008 },
            { x: side * 0.42, y: -0.62, r: 0.004 },
          ])
        }
      },
      { thickness: 0.03, rim: 0.6 },
    )
    for (const [y, radius] of [
      [-0.22, 0.25],
      [-0.53, 0.18],
      [-0.77, 0.13],
    ] as const)
      figure.part(
        (context) => {
          context.fillStyle = css(snow)
          fillEllipse(context, 0, y, radius, radius * 0.94)
        },
        { thickness: radius * 1.6 },
      )
    figure.part(
      (context) => {
        context.fillStyle = css(wool)
        fillCurve(context, [
          [-0.14, -0.69],
          [0, -0.65],
          [0.14, -0.69],
          [0.15, -0.63],
          [0, -0.585],
          [-0.15, -0.63],
        ])
        fillRibbon(context, [
          { x: 0.08, y: -0.63, r: 0.038 },
          { x: 0.11, y: -0.5, r: 0.04 },
          { x: 0.1, y: -0.42, r: 0.034 },
        ])
        context.fillStyle = css(scaleRgb(wool, 0.68))
        for (const y of [-0.52, -0.46]) context.fillRect(0.062, y, 0.09, 0.016)
        context.fillStyle = css(hex('#2a2c38'))
        context.beginPath()
        context.roundRect(-0.1, -1.06, 0.2, 0.19, 0.02)
        context.fill()
        context.fillRect(-0.16, -0.89, 0.32, 0.03)
        context.fillStyle = css(wool)
        context.fillRect(-0.1, -0.93, 0.2, 0.035)
      },
      { thickness: 0.12 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#23222a'))
        for (const [x, y] of [
          [-0.035, -0.81],
          [0.05, -0.81],
          [0.012, -0.56],
          [0.014, -0.48],
          [0.012, -0.4],
        ] as const)
          fillEllipse(context, x, y, 0.015)
        for (let dot = 0; dot < 5; dot++) fillEllipse(context, -0.045 + dot * 0.026, -0.715 + Math.abs(dot - 2) * -0.008, 0.008)
        context.fillStyle = css(hex('#ee8a32'))
        fillRibbon(context, [
          { x: 0.012, y: -0.768, r: 0.022 },
          { x: 0.13, y: -0.75, r: 0.004 },
        ])
      },
      { thickness: 0.04, rim: 0.3 },
    )
  },
}
