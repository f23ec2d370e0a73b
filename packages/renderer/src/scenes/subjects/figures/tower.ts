import { css, hex, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'

/** A slender tower of iron lattice with wide feet. In the dark, it has lamps. */
export const tower: Model = {
  height: 0.56,
  reach: { side: 0.34, up: 1.05, down: 0.03 },
  draw(figure, _phase, { color, isDark }) {
    const iron = color ?? hex('#7d6a58')
    figure.part(
      (context) => {
        context.strokeStyle = css(iron)
        context.lineCap = 'round'
        for (const side of [-1, 1]) {
          context.fillStyle = css(iron)
          context.beginPath()
          for (let y = 0; y >= -0.92; y -= 0.02) context.lineTo(side * halfWidthAt(y), y)
          for (let y = -0.92; y <= 0; y += 0.02)
            context.lineTo(side * halfWidthAt(y) * (y > -0.36 ? 0.66 : y > -0.6 ? 0.5 : 0), y)
          context.fill()
        }
        context.lineWidth = 0.007
        for (let y = -0.38; y > -0.9; y -= 0.034) {
          context.beginPath()
          context.moveTo(-halfWidthAt(y), y)
          context.lineTo(halfWidthAt(y - 0.034), y - 0.034)
          context.moveTo(halfWidthAt(y), y)
          context.lineTo(-halfWidthAt(y - 0.034), y - 0.034)
          context.stroke()
        }
        context.fillStyle = css(scaleRgb(iron, 0.86))
        for (const [y, over] of [
          [-0.2, 1.12],
          [-0.4, 1.3],
          [-0.9, 2.6],
        ] as const)
          context.fillRect(-halfWidthAt(y) * over, y, halfWidthAt(y) * over * 2, 0.022)
        context.beginPath()
        context.arc(0, -0.005, halfWidthAt(0) * 0.66, Math.PI, 0)
        context.lineTo(halfWidthAt(0) * 0.6, -0.005)
        context.arc(0, -0.005, halfWidthAt(0) * 0.6, 0, Math.PI, true)
        context.fill()
        context.fillStyle = css(iron)
        fillCorners(context, [
          [-0.012, -0.92],
          [0.012, -0.92],
          [0.002, -1.02],
          [-0.002, -1.02],
        ])
      },
      { thickness: 0.1 },
    )
    if (!isDark) return
    figure.glow((context) => {
      for (let y = -0.03; y > -0.94; y -= 0.045) {
        for (const side of [-1, 1]) fillGlow(context, side * halfWidthAt(y) * 0.86, y, 0.022, [255, 214, 130], 0.85)
      }
      fillGlow(context, 0, -0.94, 0.12, [255, 226, 160], 0.7)
      context.fillStyle = blend(
        context,
        [0, -0.95],
        [0, 0],
        [
          [255, 200, 110],
          [255, 170, 80],
        ],
      )
      context.globalAlpha = 0.14
      context.beginPath()
      for (let y = 0; y >= -0.92; y -= 0.05) context.lineTo(-halfWidthAt(y), y)
      for (let y = -0.92; y <= 0; y += 0.05) context.lineTo(halfWidthAt(y), y)
      context.fill()
    })
  },
}

/** Returns half the tower's width at a height. */
function halfWidthAt(y: number): number {
  return 0.012 + 0.2 * Math.max(0, 1 + y / 0.97) ** 2.3
}
