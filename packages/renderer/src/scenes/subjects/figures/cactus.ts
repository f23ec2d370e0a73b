import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { fillEllipse, fillRibbon, traceRibbon, type Station } from '../brush.ts'
import type { Model } from '../model.ts'

const stem: readonly Station[] = [
  { x: 0, y: 0.02, r: 0.085 },
  { x: 0, y: -0.4, r: 0.095 },
  { x: 0, y: -0.86, r: 0.085 },
  { x: 0, y: -0.93, r: 0.06 },
]
const arms: readonly (readonly Station[])[] = [
  [
    { x: 0.02, y: -0.34, r: 0.056 },
    { x: 0.2, y: -0.36, r: 0.06 },
    { x: 0.26, y: -0.46, r: 0.06 },
    { x: 0.26, y: -0.66, r: 0.055 },
    { x: 0.26, y: -0.7, r: 0.04 },
  ],
  [
    { x: -0.02, y: -0.46, r: 0.052 },
    { x: -0.17, y: -0.48, r: 0.055 },
    { x: -0.22, y: -0.56, r: 0.055 },
    { x: -0.22, y: -0.78, r: 0.05 },
    { x: -0.22, y: -0.82, r: 0.036 },
  ],
]

/** A saguaro with two arms, ribs and a few flowers. */
export const cactus: Model = {
  height: 0.3,
  reach: { side: 0.42, up: 1.06, down: 0.12 },
  variantCount: 2,
  draw(figure, _phase, { color, variant }) {
    const skin = color ?? hex('#5f8a4a')
    const flip = variant % 2 ? -1 : 1
    for (const limb of [...arms, stem])
      figure.part(
        (context) => {
          context.scale(flip, 1)
          context.fillStyle = css(skin)
          fillRibbon(context, limb)
          traceRibbon(context, limb)
          context.clip()
          context.strokeStyle = css(scaleRgb(skin, 0.66), 0.75)
          context.lineWidth = 0.01
          for (const share of [-0.6, -0.2, 0.2, 0.6]) {
            context.beginPath()
            for (const { x, y, r } of limb)
              context.lineTo(
                x + r * share * (limb === stem || y < -0.5 ? 1 : 0.4),
                y + (limb === stem || y < -0.5 ? 0 : r * share),
              )
            context.stroke()
          }
        },
        { thickness: 0.2 },
      )
    figure.part(
      (context) => {
        context.scale(flip, 1)
        for (const [x, y] of [
          [0, -0.985],
          [0.27, -0.735],
          [-0.22, -0.85],
          [0.045, -0.97],
        ] as const) {
          context.fillStyle = css(hex('#f0709a'))
          for (const angle of [-0.7, 0, 0.7])
            fillEllipse(context, x + Math.sin(angle) * 0.02, y - Math.cos(angle) * 0.014, 0.014, 0.024, angle)
          context.fillStyle = css(mixRgb(hex('#f6d860'), [255, 255, 255], 0.2))
          fillEllipse(context, x, y - 0.012, 0.008)
        }
      },
      { thickness: 0.03, rim: 0.5 },
    )
  },
}
