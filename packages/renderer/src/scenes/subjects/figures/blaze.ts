import { css, hex } from '../../../picture/color.ts'
import { fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'

/** Flames in front of a burning object. */
export const blaze: Model = {
  height: 1,
  reach: { side: 0.72, up: 1.3, down: 0.2 },
  cycle: { poseCount: 10, pace: 1.15 },
  draw(figure, phase) {
    figure.glow((context) => {
      fillGlow(context, 0, -0.5, 0.7, [255, 132, 40], 0.34)
      for (const [height, width, tone, alpha, flickers] of [
        [1.12, 0.3, '#e8481a', 0.62, 1],
        [0.9, 0.24, '#ff7a22', 0.78, 2],
        [0.64, 0.17, '#ffb83c', 0.9, 1],
        [0.38, 0.1, '#fff0b4', 0.95, 3],
      ] as const) {
        context.fillStyle = css(hex(tone), alpha)
        for (const [share, x] of [
          [1, 0],
          [0.72, -0.2],
          [0.66, 0.21],
          [0.46, -0.34],
          [0.42, 0.36],
        ] as const) {
          const turn = (phase * flickers + x * 2) * Math.PI * 2
          const top = -height * share * (0.86 + 0.13 * Math.sin(turn))
          const sway = Math.sin(turn + 1) * 0.07
          const halfWidth = width * (0.5 + 0.5 * share)
          context.beginPath()
          context.moveTo(x - halfWidth * 0.7, 0)
          context.bezierCurveTo(x - halfWidth * 1.1, top * 0.4, x - halfWidth * 0.1 + sway, top * 0.55, x + sway * 1.4, top)
          context.bezierCurveTo(x + halfWidth * 0.4 + sway, top * 0.6, x + halfWidth * 1.05, top * 0.36, x + halfWidth * 0.7, 0)
          context.bezierCurveTo(x + halfWidth * 0.4, 0.12, x - halfWidth * 0.4, 0.12, x - halfWidth * 0.7, 0)
          context.fill()
        }
      }
    })
  },
}
