import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'

const wallColors = ['#d8c7a6', '#b9563c', '#c7ccd2', '#a98e6a'].map(hex)
/** Windows as x, y, width and height. */
const panes = [
  [-0.29, -0.6, 0.2, 0.17],
  [-0.29, -0.33, 0.2, 0.17],
  [0.24, -0.38, 0.15, 0.18],
  [0.5, -0.38, 0.15, 0.18],
] as const

/** A cottage with its gable to the left, and windows that are lit in the dark. */
export const house: Model = {
  height: 0.19,
  reach: { side: 1, up: 1.2, down: 0.06 },
  variantCount: 3,
  draw(figure, _phase, { color, isDark, variant }) {
    const wall = color ?? wallColors[variant % wallColors.length] ?? [200, 190, 170]
    const roof = hex(variant % 2 ? '#4a4f5a' : '#6a3d34')
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#8a6a58'))
        context.fillRect(0.3, -1.12, 0.12, 0.4)
        context.fillStyle = css(hex('#5c463c'))
        context.fillRect(0.28, -1.14, 0.16, 0.05)
        context.fillStyle = blend(context, [0.12, 0], [0.78, 0], [scaleRgb(wall, 0.86), wall])
        context.fillRect(0.12, -0.54, 0.68, 0.56)
      },
      { volume: 0.3, thickness: 0.2 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.9], [0, 0], [scaleRgb(wall, 0.88), scaleRgb(wall, 0.7)])
        fillCorners(context, [
          [-0.52, 0.02],
          [-0.52, -0.52],
          [-0.2, -0.92],
          [0.13, -0.52],
          [0.13, 0.02],
        ])
        context.strokeStyle = css(scaleRgb(wall, 0.62), 0.5)
        context.lineWidth = 0.008
        for (let board = 0; board < 9; board++) {
          context.beginPath()
          context.moveTo(-0.52, -0.5 + board * 0.06)
          context.lineTo(0.8, -0.5 + board * 0.06)
          context.stroke()
        }
      },
      { volume: 0.3, thickness: 0.2, rim: 0.5 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(
          context,
          [0, -0.98],
          [0, -0.46],
          [mixRgb(roof, [255, 255, 255], 0.12), roof, scaleRgb(roof, 0.75)],
        )
        fillCorners(context, [
          [-0.22, -0.98],
          [0.56, -0.98],
          [0.88, -0.47],
          [0.12, -0.47],
        ])
        context.strokeStyle = css(scaleRgb(roof, 0.7), 0.55)
        context.lineWidth = 0.01
        for (let row = 1; row < 7; row++) {
          context.beginPath()
          context.moveTo(-0.22 + row * 0.049, -0.98 + row * 0.073)
          context.lineTo(0.56 + row * 0.046, -0.98 + row * 0.073)
          context.stroke()
        }
        context.strokeStyle = css(scaleRgb(roof, 0.7))
        context.lineWidth = 0.055
        context.lineJoin = 'round'
        context.beginPath()
        context.moveTo(-0.58, -0.45)
        context.lineTo(-0.21, -0.95)
        context.lineTo(0.15, -0.47)
        context.stroke()
      },
      { volume: 0.5, thickness: 0.25 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#5a3626'))
        context.fillRect(-0.02, -0.34, 0.12, 0.36)
        if (isDark) return
        for (const [x, y, w, h] of panes) {
          context.fillStyle = blend(context, [x, y], [x, y + h], [hex('#a9c6d8'), hex('#4f6b80')])
          context.fillRect(x, y, w, h)
        }
      },
      { volume: 0, rim: 0 },
    )
    figure.shine(isDark, (context) => {
      for (const [x, y, w, h] of panes) {
        if (isDark) {
          context.fillStyle = blend(context, [x, y], [x, y + h], [hex('#ffe9b0'), hex('#ffb85c')])
          context.fillRect(x, y, w, h)
        }
        context.strokeStyle = css(scaleRgb(roof, 0.55))
        context.lineWidth = 0.016
        context.strokeRect(x, y, w, h)
        context.beginPath()
        context.moveTo(x + w / 2, y)
        context.lineTo(x + w / 2, y + h)
        context.moveTo(x, y + h / 2)
        context.lineTo(x + w, y + h / 2)
        context.stroke()
        if (isDark) fillGlow(context, x + w / 2, y + h / 2, 0.3, [255, 190, 100], 0.3)
      }
    })
  },
}
