import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, scaleRgb } from '../../../picture/color.ts'
import { fillEllipse, fillGlow, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

/** Logs and stones around a leaping fire. */
export const campfire: Model = {
  height: 0.2,
  reach: { side: 2.4, up: 2.2, down: 0.8 },
  cycle: { poseCount: 10, pace: 1.1 },
  draw(figure, phase, { isDark }) {
    figure.glow((context) => {
      // The light of the fire on the ground and in the air.
      fillGlow(context, 0, -0.6, 1.3, [255, 150, 60], isDark ? 0.42 : 0.2)
      context.save()
      context.scale(1, 0.24)
      fillGlow(context, 0, 0, 2.2, [255, 160, 70], isDark ? 0.55 : 0.25)
      context.restore()
    })
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#6a6460'))
        for (let stone = 0; stone < 9; stone++) {
          const angle = (stone / 9) * Math.PI * 2
          fillEllipse(context, Math.cos(angle) * 0.52, -0.03 + Math.sin(angle) * 0.1, 0.11, 0.075)
        }
        const wood = hex('#4b3222')
        for (const [fromX, toX, shade] of [
          [-0.42, 0.3, 0.8],
          [0.44, -0.3, 1],
          [-0.1, 0.16, 0.7],
        ] as const) {
          context.fillStyle = css(scaleRgb(wood, shade))
          fillRibbon(context, [
            { x: fromX, y: 0, r: 0.07 },
            { x: toX, y: -0.2, r: 0.06 },
          ])
        }
      },
      { thickness: 0.12, rim: 0.6 },
    )
    figure.glow((context) => {
      for (const [height, width, color, alpha, flickers] of [
        [1.0, 0.4, '#ff6a1c', 0.62, 1],
        [0.78, 0.3, '#ff9a2c', 0.75, 2],
        [0.56, 0.2, '#ffd25a', 0.85, 1],
        [0.34, 0.11, '#fff6cc', 0.95, 3],
      ] as const) {
        context.fillStyle = css(hex(color), alpha)
        for (const [tongue, lean] of [
          [1, 0],
          [0.66, -0.24],
          [0.6, 0.26],
        ] as const)
          drawTongue(context, lean * width * 2, height * tongue, width * (tongue < 1 ? 0.6 : 1), phase * flickers + lean)
      }
      fillGlow(context, 0, -0.28, 0.55, [255, 200, 110], 0.55)
    })
  },
}

function drawTongue(context: SKRSContext2D, x: number, height: number, width: number, phase: number): void {
  const turn = phase * Math.PI * 2
  const top = -height * (0.88 + 0.14 * Math.sin(turn))
  const lean = Math.sin(turn + 1) * 0.09
  context.beginPath()
  context.moveTo(x - width * 0.8, -0.06)
  context.bezierCurveTo(x - width * 1.2, top * 0.45, x - width * 0.2 + lean, top * 0.55, x + lean * 1.6, top)
  context.bezierCurveTo(x + width * 0.5 + lean, top * 0.6, x + width * 1.15, top * 0.4, x + width * 0.8, -0.06)
  context.quadraticCurveTo(x, 0.04, x - width * 0.8, -0.06)
  context.fill()
}
