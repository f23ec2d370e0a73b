import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillGlow, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'

const bodyColors = ['#f0a4c8', '#9ac4f4', '#c8a4f0', '#f4c89a'].map(hex)

/** A glowing jellyfish. Its bell closes and opens, and its arms trail behind. */
export const jellyfish: Model = {
  height: 0.34,
  reach: { side: 0.5, up: 0.56, down: 0.86 },
  cycle: { poseCount: 12, pace: 0.45 },
  variantCount: 3,
  draw(figure, phase, { color, variant }) {
    const body = color ?? bodyColors[variant % bodyColors.length] ?? [240, 164, 200]
    const turn = phase * Math.PI * 2
    const closedShare = 0.5 + 0.5 * Math.sin(turn)
    const width = 0.34 - 0.07 * closedShare
    const height = 0.3 + 0.07 * closedShare
    figure.glow((context) => {
      fillGlow(context, 0, -0.16, 0.5, body, 0.38)
      drawArms(context, body, turn, width)
      const bell = context.createRadialGradient(-0.06, -0.3, 0.02, 0, -0.12, 0.42)
      bell.addColorStop(0, css(mixRgb(body, [255, 255, 255], 0.75), 0.85))
      bell.addColorStop(0.5, css(body, 0.62))
      bell.addColorStop(1, css(mixRgb(body, [60, 40, 120], 0.4), 0.5))
      context.fillStyle = bell
      fillCurve(context, [
        [-width, -0.02],
        [-width * 1.05, -0.14],
        [-width * 0.8, -height * 0.95],
        [0, -height * 1.25],
        [width * 0.8, -height * 0.95],
        [width * 1.05, -0.14],
        [width, -0.02],
        [width * 0.6, -0.05],
        [0, -0.01],
        [-width * 0.6, -0.05],
      ])
      context.strokeStyle = css(mixRgb(body, [255, 255, 255], 0.6), 0.4)
      context.lineWidth = 0.008
      for (const x of [-0.7, -0.35, 0, 0.35, 0.7]) {
        context.beginPath()
        context.moveTo(x * width * 0.3, -height * 1.05)
        context.quadraticCurveTo(x * width * 1.1, -height * 0.6, x * width, -0.05)
        context.stroke()
      }
      context.strokeStyle = css([255, 255, 255], 0.55)
      context.lineWidth = 0.014
      context.beginPath()
      context.arc(0, -height * 0.55, width * 0.78, Math.PI * 1.12, Math.PI * 1.45)
      context.stroke()
    })
  },
}

function drawArms(context: SKRSContext2D, body: Rgb, turn: number, width: number): void {
  for (let arm = 0; arm < 9; arm++) {
    const side = arm / 8 - 0.5
    const length = 0.5 + 0.3 * Math.abs(Math.sin(arm * 2.3))
    const isThick = arm % 4 === 0
    context.fillStyle = css(mixRgb(body, [255, 255, 255], isThick ? 0.3 : 0.15), isThick ? 0.6 : 0.42)
    fillRibbon(
      context,
      Array.from({ length: 6 }, (_, index) => {
        const lengthShare = index / 5
        const wave = Math.sin(turn - lengthShare * 4 + arm) * 0.05 * lengthShare
        return {
          x: side * width * 1.5 * (1 - lengthShare * 0.35) + wave,
          y: -0.06 + lengthShare * length,
          r: (isThick ? 0.028 : 0.009) * (1 - lengthShare * 0.85),
        }
      }),
    )
  }
}
