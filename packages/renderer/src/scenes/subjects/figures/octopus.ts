import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

/** An octopus on its curling arms. */
export const octopus: Model = {
  height: 0.4,
  reach: { side: 0.86, up: 0.92, down: 0.4 },
  cycle: { poseCount: 12, pace: 0.3 },
  draw(figure, phase, { color }) {
    const skin = color ?? hex('#c4553f')
    const turn = phase * Math.PI * 2
    figure.part((context) => drawArms(context, scaleRgb(skin, 0.68), turn + 1, [-0.72, -0.3, 0.26, 0.7]), {
      thickness: 0.1,
      rim: 0.5,
    })
    figure.part(
      (context) => {
        const breath = 1 + Math.sin(turn * 2) * 0.03
        context.save()
        context.translate(0, -0.12)
        context.scale(breath, 1 / breath)
        context.fillStyle = css(skin)
        fillCurve(context, [
          [-0.2, 0.14],
          [-0.18, -0.02],
          [-0.3, -0.2],
          [-0.34, -0.42],
          [-0.22, -0.62],
          [0, -0.7],
          [0.2, -0.6],
          [0.26, -0.4],
          [0.2, -0.18],
          [0.22, 0.0],
          [0.2, 0.14],
          [0, 0.2],
        ])
        context.fillStyle = css(mixRgb(skin, [255, 220, 190], 0.35), 0.6)
        for (const [x, y, r] of [
          [-0.18, -0.48, 0.035],
          [-0.06, -0.56, 0.025],
          [0.08, -0.5, 0.03],
          [-0.22, -0.34, 0.025],
          [0.14, -0.36, 0.022],
          [-0.1, -0.38, 0.02],
        ] as const)
          fillEllipse(context, x, y, r, r * 0.8)
        context.restore()
      },
      { thickness: 0.4 },
    )
    figure.part(
      (context) => {
        for (const side of [-1, 1]) {
          context.fillStyle = css(mixRgb(skin, [255, 226, 200], 0.2))
          fillEllipse(context, side * 0.12 + 0.02, -0.18, 0.072, 0.064)
          context.fillStyle = '#f6e7b4'
          fillEllipse(context, side * 0.12 + 0.026, -0.18, 0.048, 0.042)
          context.fillStyle = '#181010'
          fillEllipse(context, side * 0.12 + 0.03, -0.18, 0.034, 0.014)
        }
      },
      { thickness: 0.08, rim: 0.4 },
    )
    figure.part((context) => drawArms(context, skin, turn, [-0.86, -0.48, 0.06, 0.5, 0.9]), { thickness: 0.1, rim: 0.8 })
  },
}

/** Draws one arm for each value of `leans`: -1 leans to the left, 1 to the right. */
function drawArms(context: SKRSContext2D, skin: Rgb, turn: number, leans: readonly number[]): void {
  for (const [arm, lean] of leans.entries()) {
    const stations = Array.from({ length: 9 }, (_, index) => {
      const lengthShare = index / 8
      const curl = Math.sin(turn + arm * 1.7 - lengthShare * 4.2) * 0.13 * lengthShare
      return {
        x: lean * 0.2 + lean * lengthShare * 0.62 + curl * 0.7,
        y: -0.02 + Math.sin(lengthShare * 2.4) * 0.26 - Math.abs(lean) * lengthShare * 0.12 + curl,
        r: 0.072 * (1 - lengthShare) ** 0.85 + 0.006,
      }
    })
    context.fillStyle = css(skin)
    fillRibbon(context, stations)
    context.fillStyle = css(mixRgb(skin, [255, 226, 206], 0.55))
    for (const { x, y, r } of stations.slice(2)) fillEllipse(context, x, y + r * 0.55, r * 0.34, r * 0.26)
  }
}
