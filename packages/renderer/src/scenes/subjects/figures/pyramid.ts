import { css, hex, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners } from '../brush.ts'
import type { Model } from '../model.ts'

/** An old pyramid of stone courses. One of its edges faces the viewer. */
export const pyramid: Model = {
  height: 0.26,
  reach: { side: 1.05, up: 1.05, down: 0.06 },
  draw(figure, _phase, { color }) {
    const stone = color ?? hex('#cda768')
    figure.part(
      (context) => {
        const faces = [
          {
            shade: 1.05,
            corners: [
              [0.16, -1.0],
              [-0.96, 0.02],
              [0.34, 0.03],
            ],
          },
          {
            shade: 0.68,
            corners: [
              [0.16, -1.0],
              [0.34, 0.03],
              [0.96, 0.0],
            ],
          },
        ] as const
        for (const { shade, corners } of faces) {
          context.fillStyle = blend(context, [0, -1], [0, 0.03], [scaleRgb(stone, shade * 1.06), scaleRgb(stone, shade * 0.9)])
          fillCorners(context, corners)
        }
        context.lineWidth = 0.006
        for (let course = 1; course < 17; course++) {
          const share = course / 17
          const y = -1 + 1.02 * share
          context.strokeStyle = css(scaleRgb(stone, 0.5), 0.4)
          context.beginPath()
          context.moveTo(0.16 - 1.12 * share, y)
          context.lineTo(0.16 + 0.18 * share, y + 0.01 * share)
          context.lineTo(0.16 + 0.8 * share, y - 0.02 * share)
          context.stroke()
        }
        // The remains of the casing.
        context.fillStyle = css(scaleRgb(stone, 1.2), 0.55)
        fillCorners(context, [
          [0.16, -1.0],
          [-0.04, -0.82],
          [0.02, -0.79],
          [0.08, -0.83],
          [0.19, -0.81],
        ])
      },
      { volume: 0.15, thickness: 0.3, rim: 0.3 },
    )
  },
}
