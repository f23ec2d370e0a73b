import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

/** A swimming swan with raised wings. It is 1 high. */
export const swan: Model = {
  height: 0.17,
  reach: { side: 0.86, up: 1.08, down: 0.06 },
  variantCount: 2,
  draw(figure, _phase, { color }) {
    const white = color ?? hex('#fbfaf6')
    figure.part(
      (context) => {
        context.fillStyle = css(white)
        fillCurve(context, [
          [-0.76, -0.3],
          [-0.62, -0.22],
          [-0.5, -0.04],
          [-0.2, 0.02],
          [0.2, 0.01],
          [0.42, -0.08],
          [0.48, -0.24],
          [0.36, -0.4],
          [0.0, -0.48],
          [-0.4, -0.42],
        ])
        fillRibbon(context, [
          { x: 0.34, y: -0.22, r: 0.12 },
          { x: 0.5, y: -0.4, r: 0.085 },
          { x: 0.44, y: -0.62, r: 0.06 },
          { x: 0.4, y: -0.8, r: 0.055 },
          { x: 0.48, y: -0.94, r: 0.058 },
          { x: 0.58, y: -0.93, r: 0.066 },
        ])
        context.fillStyle = css(hex('#e8822c'))
        fillRibbon(context, [
          { x: 0.63, y: -0.92, r: 0.034 },
          { x: 0.74, y: -0.86, r: 0.018 },
        ])
        context.fillStyle = '#1b181c'
        fillCurve(context, [
          [0.6, -0.96],
          [0.645, -0.955],
          [0.66, -0.9],
          [0.62, -0.92],
        ])
        fillEllipse(context, 0.575, -0.95, 0.014)
      },
      { thickness: 0.3 },
    )
    figure.part(
      (context) => {
        for (let feather = 0; feather < 6; feather++) {
          context.fillStyle = css(mixRgb(white, scaleRgb(white, 0.8), feather / 8))
          fillRibbon(context, [
            { x: 0.24 - feather * 0.06, y: -0.34 + feather * 0.012, r: 0.12 - feather * 0.01 },
            { x: -0.1 - feather * 0.07, y: -0.5 + feather * 0.05, r: 0.11 - feather * 0.01 },
            { x: -0.48 - feather * 0.04, y: -0.56 + feather * 0.075, r: 0.02 },
          ])
        }
      },
      { thickness: 0.18 },
    )
  },
}
