import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillCurve, fillGlow } from '../brush.ts'
import type { Model } from '../model.ts'

/** A banded tower on a rock. In the dark, the beam of its lamp sweeps. */
export const lighthouse: Model = {
  height: 0.44,
  reach: { side: 0.95, up: 1.12, down: 0.05 },
  cycle: { poseCount: 12, pace: 0.22 },
  draw(figure, phase, { color, isDark }) {
    const white = hex('#f4f0e8')
    const stripe = color ?? hex('#c23a2c')
    const rock = hex('#5a5458')
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.18], [0, 0.04], [mixRgb(rock, white, 0.15), rock, scaleRgb(rock, 0.6)])
        fillCorners(context, [
          [-0.44, 0.04],
          [-0.38, -0.04],
          [-0.3, -0.06],
          [-0.26, -0.12],
          [-0.16, -0.13],
          [-0.1, -0.18],
          [0.06, -0.18],
          [0.13, -0.14],
          [0.24, -0.13],
          [0.3, -0.07],
          [0.42, -0.05],
          [0.5, 0.04],
        ])
      },
      { volume: 0.7, thickness: 0.15 },
    )
    figure.part(
      (context) => {
        for (let band = 0; band < 5; band++) {
          const [top, bottom] = [-0.79 + band * 0.13, -0.655 + band * 0.13]
          context.fillStyle = css(band % 2 ? stripe : white)
          fillCorners(context, [
            [-halfWidthAt(top), top],
            [halfWidthAt(top), top],
            [halfWidthAt(bottom), bottom],
            [-halfWidthAt(bottom), bottom],
          ])
        }
        context.fillStyle = css(hex('#3c4048'))
        for (const y of [-0.6, -0.36]) context.fillRect(0.012, y, 0.022, 0.045)
        context.fillRect(-0.018, -0.24, 0.036, 0.07)
        context.fillStyle = css(scaleRgb(stripe, 0.45))
        context.fillRect(-0.092, -0.812, 0.184, 0.026)
        for (let post = 0; post < 9; post++) context.fillRect(-0.09 + post * 0.0222, -0.845, 0.005, 0.04)
        context.fillRect(-0.092, -0.85, 0.184, 0.007)
        context.fillStyle = css(scaleRgb(stripe, 0.85))
        fillCurve(context, [
          [-0.085, -0.895],
          [-0.05, -0.955],
          [0, -0.985],
          [0.05, -0.955],
          [0.085, -0.895],
        ])
        context.fillRect(-0.003, -1.03, 0.006, 0.06)
      },
      { thickness: 0.16 },
    )
    figure.glow((context) => {
      context.fillStyle = isDark ? '#fff3c8' : css(hex('#a9c0cf'))
      context.fillRect(-0.042, -0.895, 0.084, 0.085)
      context.fillStyle = css(hex('#3c4048'))
      for (const x of [-0.042, -0.016, 0.012, 0.038]) context.fillRect(x, -0.895, 0.005, 0.085)
      if (!isDark) return
      const sweep = Math.cos(phase * Math.PI * 2)
      const beam = Math.abs(sweep)
      const beamEnd = 0.92 * sweep
      const light = context.createLinearGradient(0, 0, beamEnd, 0)
      light.addColorStop(0, `rgba(255,240,196,${(0.15 + 0.5 * beam).toFixed(3)})`)
      light.addColorStop(1, 'rgba(255,240,196,0)')
      context.fillStyle = light
      fillCorners(context, [
        [0, -0.868],
        [beamEnd, -0.868 - 0.09 * beam],
        [beamEnd, -0.84 + 0.09 * beam],
        [0, -0.84],
      ])
      fillGlow(context, 0, -0.852, 0.16 + 0.14 * (1 - beam), [255, 232, 170], 0.7 + 0.3 * (1 - beam))
    })
  },
}

/** Returns half the tower's width at a height. */
function halfWidthAt(y: number): number {
  return 0.058 + 0.045 * (1 + (y + 0.14) / 0.66)
}
