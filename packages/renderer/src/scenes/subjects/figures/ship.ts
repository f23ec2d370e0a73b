import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillEllipse, fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'

const hullColors = ['#8c2f2a', '#2c4a6a', '#3a4a3c'].map(hex)
const containerColors = ['#c8502e', '#2f6ea8', '#d8a838', '#4a8a5a', '#b8bcc2', '#7a3a4a'].map(hex)

/**
 * A freighter with containers on its deck and the bridge astern. It is 1 high and about 3.4 long.
 */
export const ship: Model = {
  height: 0.24,
  reach: { side: 1.95, up: 1.1, down: 0.05 },
  variantCount: 3,
  draw(figure, _phase, { color, isDark, variant }) {
    const hull = color ?? hullColors[variant % hullColors.length] ?? [140, 47, 42]
    const white = hex('#ece8e0')
    figure.part(
      (context) => {
        context.fillStyle = css(scaleRgb(hull, 0.9))
        context.fillRect(-1.34, -0.98, 0.16, 0.28)
        context.fillStyle = '#26262c'
        context.fillRect(-1.34, -1.0, 0.16, 0.07)
        context.fillRect(-1.07, -1.06, 0.02, 0.3)
        context.fillRect(1.44, -0.72, 0.025, 0.34)
        context.fillStyle = blend(context, [-1.4, -0.8], [-0.8, -0.4], [white, mixRgb(white, hex('#8a94a0'), 0.35)])
        fillCorners(context, [
          [-1.42, -0.34],
          [-1.42, -0.7],
          [-1.2, -0.7],
          [-1.2, -0.86],
          [-0.92, -0.86],
          [-0.88, -0.34],
        ])
      },
      { thickness: 0.2, volume: 0.4 },
    )
    figure.part(
      (context) => {
        for (let column = 0; column < 9; column++) {
          const stackHeight = 2 + ((column * 5 + variant) % 3)
          for (let level = 0; level < Math.min(stackHeight, column > 6 ? 2 : 4); level++) {
            const paint = containerColors[(column * 3 + level * 2 + variant) % containerColors.length] ?? white
            const [x, y] = [-0.8 + column * 0.235, -0.47 - level * 0.115]
            context.fillStyle = css(paint)
            context.fillRect(x, y, 0.222, 0.108)
            context.fillStyle = css(scaleRgb(paint, 0.75))
            for (let rib = 1; rib < 6; rib++) context.fillRect(x + rib * 0.037, y, 0.008, 0.108)
          }
        }
      },
      { thickness: 0.2, volume: 0.25 },
    )
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.42], [0, 0.02], [mixRgb(hull, white, 0.12), hull, scaleRgb(hull, 0.62)])
        fillCorners(context, [
          [-1.62, -0.38],
          [1.2, -0.36],
          [1.46, -0.42],
          [1.84, -0.46],
          [1.58, 0.02],
          [-1.48, 0.02],
          [-1.6, -0.12],
        ])
        context.fillStyle = css(white)
        context.fillRect(-1.5, -0.085, 3.1, 0.018)
        context.fillStyle = css(scaleRgb(hull, 0.5))
        fillEllipse(context, 1.42, -0.28, 0.035)
      },
      { thickness: 0.35, volume: 0.6 },
    )
    figure.shine(isDark, (context) => {
      context.fillStyle = isDark ? '#ffe6a8' : '#3c5060'
      context.fillRect(-1.17, -0.82, 0.24, 0.06)
      for (const y of [-0.62, -0.5]) for (let x = -1.37; x < -0.95; x += 0.09) context.fillRect(x, y, 0.04, 0.045)
      if (isDark) fillGlow(context, -1.06, -0.79, 0.22, [255, 226, 160], 0.5)
    })
  },
}
