import { css, hex, mixRgb } from '../../../picture/color.ts'
import { blend, fillCorners, type Pairs } from '../brush.ts'
import type { Model } from '../model.ts'

const facets: readonly { shade: number; corners: Pairs }[] = [
  {
    shade: 0.1,
    corners: [
      [-0.34, -0.72],
      [-0.5, -0.4],
      [-0.2, -0.3],
      [-0.12, -0.58],
    ],
  },
  {
    shade: 0.55,
    corners: [
      [-0.12, -0.58],
      [-0.2, -0.3],
      [-0.02, 0.02],
      [0.14, -0.34],
    ],
  },
  {
    shade: 0.25,
    corners: [
      [0.2, -1.0],
      [0.02, -0.66],
      [0.14, -0.34],
      [0.34, -0.48],
    ],
  },
  {
    shade: 0.75,
    corners: [
      [0.2, -1.0],
      [0.34, -0.48],
      [0.52, -0.36],
      [0.46, -0.74],
    ],
  },
  {
    shade: 0.6,
    corners: [
      [0.34, -0.48],
      [0.3, 0.02],
      [0.72, 0.02],
      [0.52, -0.36],
    ],
  },
  {
    shade: 0.3,
    corners: [
      [-0.5, -0.4],
      [-0.86, -0.16],
      [-0.6, 0.02],
      [-0.2, -0.3],
    ],
  },
  {
    shade: 0.85,
    corners: [
      [0.52, -0.36],
      [0.72, 0.02],
      [0.98, 0.02],
      [0.84, -0.22],
    ],
  },
]

/** A mountain of ice with two peaks, blue in its shadows and at the waterline. */
export const iceberg: Model = {
  height: 0.3,
  reach: { side: 1.1, up: 1.06, down: 0.06 },
  draw(figure, _phase, { color }) {
    const snow = hex('#f2f8fc')
    const ice = color ? mixRgb(color, snow, 0.35) : hex('#7fb6d6')
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -1], [0, 0.03], [snow, mixRgb(snow, ice, 0.35), ice])
        fillCorners(context, [
          [-1.0, 0.03],
          [-0.94, -0.12],
          [-0.62, -0.26],
          [-0.5, -0.44],
          [-0.34, -0.72],
          [-0.22, -0.7],
          [-0.1, -0.52],
          [0.02, -0.66],
          [0.1, -0.9],
          [0.2, -1.0],
          [0.34, -0.94],
          [0.46, -0.74],
          [0.54, -0.4],
          [0.8, -0.28],
          [0.98, -0.08],
          [1.02, 0.03],
        ])
        for (const { shade, corners } of facets) {
          context.fillStyle = css(ice, shade * 0.7)
          fillCorners(context, corners)
        }
        context.fillStyle = css(mixRgb(ice, hex('#1f6f9a'), 0.45), 0.8)
        fillCorners(context, [
          [-1.0, 0.03],
          [-0.97, -0.05],
          [-0.3, -0.03],
          [0.3, -0.055],
          [0.99, -0.04],
          [1.02, 0.03],
        ])
      },
      { thickness: 0.4, volume: 0.45, rim: 0.6 },
    )
  },
}
