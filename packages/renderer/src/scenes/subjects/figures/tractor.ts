import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillEllipse, fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'
import { drawWheel } from './wheel.ts'

/** A tractor with a cab above its large rear wheels. It is 1 high and about 1.5 long. */
export const tractor: Model = {
  height: 0.24,
  reach: { side: 1.0, up: 1.1, down: 0.06 },
  cycle: { poseCount: 8, pace: 1.6 },
  draw(figure, phase, { color, isDark }) {
    const paint = color ?? hex('#c8372a')
    figure.part(
      (context) => {
        context.fillStyle = '#26262c'
        context.fillRect(-0.5, -0.4, 1.0, 0.16)
        context.fillRect(0.36, -0.84, 0.045, 0.3)
        context.fillStyle = blend(context, [-0.4, -0.94], [0.1, -0.5], [hex('#c6e0ee'), hex('#6f93a8'), hex('#46606f')])
        fillCorners(context, [
          [-0.5, -0.94],
          [0.04, -0.94],
          [0.12, -0.5],
          [-0.56, -0.5],
        ])
        // The driver.
        context.fillStyle = '#3a4a6c'
        fillEllipse(context, -0.24, -0.56, 0.1, 0.12)
        context.fillStyle = '#d9a582'
        fillEllipse(context, -0.22, -0.73, 0.06, 0.07)
        context.fillStyle = '#b8863c'
        context.fillRect(-0.31, -0.81, 0.18, 0.05)
      },
      { thickness: 0.3, volume: 0.4 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(scaleRgb(paint, 0.92))
        context.fillRect(-0.58, -1.0, 0.7, 0.07)
        for (const x of [-0.55, 0.03]) context.fillRect(x, -0.96, 0.05, 0.48)
        context.fillStyle = blend(
          context,
          [0, -0.66],
          [0, -0.26],
          [mixRgb(paint, [255, 255, 255], 0.22), paint, scaleRgb(paint, 0.7)],
        )
        fillCorners(context, [
          [0.06, -0.64],
          [0.66, -0.58],
          [0.72, -0.5],
          [0.72, -0.3],
          [0.06, -0.28],
        ])
        fillCorners(context, [
          [-0.78, -0.56],
          [-0.6, -0.68],
          [-0.12, -0.68],
          [0.1, -0.5],
          [0.1, -0.3],
          [-0.7, -0.3],
        ])
        context.fillStyle = css(scaleRgb(paint, 0.4))
        for (const x of [0.36, 0.44, 0.52]) context.fillRect(x, -0.5, 0.04, 0.14)
      },
      { thickness: 0.4, volume: 0.5 },
    )
    figure.part(
      (context) => {
        drawWheel(context, -0.42, 0.37, phase)
        drawWheel(context, 0.55, 0.22, phase * 2)
      },
      { thickness: 0.2, rim: 0.4 },
    )
    figure.shine(isDark, (context) => {
      context.fillStyle = '#fff2c8'
      fillEllipse(context, 0.7, -0.46, 0.03, 0.045)
      if (isDark) fillGlow(context, 0.72, -0.46, 0.26, [255, 236, 190], 0.9)
    })
  },
}
