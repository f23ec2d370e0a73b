import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon, type Pairs } from '../brush.ts'
import type { Model } from '../model.ts'

const wingColors = ['#e8842c', '#3f86d8', '#f0c83c', '#d8567a', '#8a5ac0'].map(hex)

const foreWing: Pairs = [
  [0.0, -0.02],
  [0.1, -0.24],
  [0.32, -0.44],
  [0.5, -0.46],
  [0.52, -0.3],
  [0.42, -0.1],
  [0.2, 0.0],
]
const hindWing: Pairs = [
  [0.0, 0.0],
  [0.22, 0.0],
  [0.4, 0.06],
  [0.42, 0.22],
  [0.3, 0.38],
  [0.16, 0.34],
  [0.05, 0.16],
]

/**
 * A butterfly seen from above and slightly from the side. Its wings open and close. Its span is
 * about 1.
 */
export const butterfly: Model = {
  height: 0.11,
  reach: { side: 0.7, up: 0.72, down: 0.62 },
  cycle: { poseCount: 8, pace: 2.4 },
  variantCount: 5,
  draw(figure, phase, { color, variant }) {
    const wing = color ?? wingColors[variant % wingColors.length] ?? [232, 132, 44]
    const openness = 0.22 + 0.78 * (0.5 + 0.5 * Math.cos(phase * Math.PI * 2))
    for (const side of [-1, 1] as const) {
      figure.part(
        (context) => {
          context.rotate(0.5)
          context.scale(side * openness, 1)
          context.transform(1, side * 0.14 * (1 - openness), 0, 1, 0, 0)
          drawWing(context, hindWing, mixRgb(wing, [255, 240, 200], 0.16), 4)
          drawWing(context, foreWing, wing, 6)
        },
        { thickness: 0.2, volume: 0.6, rim: 0.6 },
      )
    }
    figure.part(
      (context) => {
        context.rotate(0.5)
        context.fillStyle = '#241a18'
        fillRibbon(context, [
          { x: 0, y: -0.16, r: 0.022 },
          { x: 0, y: -0.02, r: 0.03 },
          { x: 0, y: 0.24, r: 0.012 },
        ])
        context.strokeStyle = '#241a18'
        context.lineWidth = 0.01
        for (const side of [-1, 1]) {
          context.beginPath()
          context.moveTo(0, -0.16)
          context.quadraticCurveTo(side * 0.06, -0.28, side * 0.11, -0.33)
          context.stroke()
        }
      },
      { thickness: 0.05, rim: 0.5 },
    )
  },
}

function drawWing(context: SKRSContext2D, outline: Pairs, color: Rgb, spotCount: number): void {
  context.fillStyle = css(scaleRgb(color, 0.22))
  fillCurve(context, outline)
  context.save()
  context.translate(0.018, 0)
  context.scale(0.8, 0.8)
  context.fillStyle = css(color)
  fillCurve(context, outline)
  context.strokeStyle = css(scaleRgb(color, 0.3), 0.7)
  context.lineWidth = 0.012
  for (const [x, y] of outline.slice(1, -1)) {
    context.beginPath()
    context.moveTo(0.02, 0)
    context.lineTo(x * 0.95, y * 0.95)
    context.stroke()
  }
  context.restore()
  context.fillStyle = 'rgba(255,250,236,0.9)'
  for (let spot = 0; spot < spotCount; spot++) {
    const position = 1 + (spot / spotCount) * (outline.length - 3)
    const from = outline[Math.floor(position)] ?? [0, 0]
    const to = outline[Math.floor(position) + 1] ?? from
    const share = position % 1
    fillEllipse(context, (from[0] + (to[0] - from[0]) * share) * 0.88, (from[1] + (to[1] - from[1]) * share) * 0.88, 0.014)
  }
}
