import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import type { Figure } from '../figure.ts'
import type { Walker } from '../walk.ts'

/**
 * A rabbit that hops: it is gathered on the ground and stretched in the air. Its height includes
 * the ears.
 */
export const rabbit: Walker = {
  height: 0.155,
  reach: { side: 0.78, up: 1.34, down: 0.06 },
  cycle: { poseCount: 12, pace: 1 },
  stride: 1.5,
  pace: 1,
  variantCount: 2,
  draw(figure, phase, { color, variant }) {
    const coat = color ?? [hex('#b08a62'), hex('#e9e3da')][variant % 2] ?? [176, 138, 98]
    drawHop(figure, phase, coat)
  },
}

function drawHop(figure: Figure, phase: number, coat: Rgb): void {
  // The rabbit is on the ground for the first 45 percent of the cycle and leaps in the rest.
  const leapShare = phase < 0.45 ? 0 : Math.sin(((phase - 0.45) / 0.55) * Math.PI)
  const foreSwing = phase < 0.45 ? 0 : Math.sin(((phase - 0.45) / 0.55) * Math.PI * 2)
  const crouch = phase < 0.45 ? Math.sin((phase / 0.45) * Math.PI) * 0.03 : 0
  const offsetY = -leapShare * 0.17 + crouch
  const pitch = -foreSwing * 0.2
  const stretch = 1 + leapShare * 0.13
  const pale = mixRgb(coat, [255, 252, 246], 0.65)
  figure.part(
    (context) => {
      context.fillStyle = css(scaleRgb(coat, 0.72))
      const hind = { x: -0.2 - leapShare * 0.12, y: -0.05 - Math.max(0, -leapShare * 0.12 - offsetY) }
      fillRibbon(context, [
        { x: -0.18, y: -0.24 + offsetY, r: 0.1 },
        { x: hind.x - 0.04, y: hind.y - 0.02, r: 0.045 },
        { x: hind.x + 0.12 - leapShare * 0.22, y: hind.y + 0.01 + leapShare * 0.06, r: 0.032 },
      ])
    },
    { thickness: 0.1, rim: 0.4 },
  )
  figure.part(
    (context) => {
      context.translate(0, offsetY)
      context.rotate(pitch)
      context.scale(stretch, 1 / Math.sqrt(stretch))
      context.fillStyle = css(pale)
      fillEllipse(context, -0.36, -0.24, 0.07)
      context.fillStyle = css(coat)
      // Ears, laid back in the leap.
      for (const [shift, shade] of [
        [-0.05, 0.75],
        [0.01, 1],
      ] as const) {
        context.fillStyle = css(scaleRgb(coat, shade))
        fillRibbon(context, [
          { x: 0.28 + shift, y: -0.6, r: 0.035 },
          { x: 0.24 + shift - leapShare * 0.08, y: -0.8 + leapShare * 0.05, r: 0.058 },
          { x: 0.2 + shift - leapShare * 0.22, y: -1.02 + leapShare * 0.16, r: 0.016 },
        ])
      }
      context.fillStyle = css(hex('#d9a494'), 0.8)
      fillRibbon(context, [
        { x: 0.295, y: -0.64, r: 0.014 },
        { x: 0.258 - leapShare * 0.08, y: -0.8 + leapShare * 0.05, r: 0.03 },
        { x: 0.222 - leapShare * 0.21, y: -0.96 + leapShare * 0.14, r: 0.008 },
      ])
      context.fillStyle = css(coat)
      fillCurve(context, [
        [-0.36, -0.1],
        [-0.4, -0.3],
        [-0.26, -0.46],
        [-0.04, -0.5],
        [0.14, -0.46],
        [0.22, -0.6],
        [0.36, -0.64],
        [0.46, -0.54],
        [0.46, -0.46],
        [0.36, -0.4],
        [0.28, -0.3],
        [0.24, -0.14],
        [0.08, -0.07],
        [-0.2, -0.06],
      ])
      context.fillStyle = css(pale, 0.85)
      fillCurve(context, [
        [0.46, -0.49],
        [0.4, -0.42],
        [0.32, -0.38],
        [0.26, -0.24],
        [0.2, -0.12],
        [0.12, -0.1],
        [0.18, -0.28],
        [0.28, -0.44],
        [0.38, -0.47],
      ])
      context.fillStyle = '#17110f'
      fillEllipse(context, 0.365, -0.545, 0.026, 0.028)
      context.fillStyle = '#ffffff'
      fillEllipse(context, 0.373, -0.555, 0.008)
      context.fillStyle = css(hex('#c27f78'))
      fillEllipse(context, 0.462, -0.5, 0.014, 0.012)
    },
    { thickness: 0.3 },
  )
  figure.part(
    (context) => {
      context.fillStyle = css(coat)
      fillEllipse(context, -0.2 - leapShare * 0.04, -0.22 + offsetY, 0.16, 0.15)
      const hind = { x: -0.2 - leapShare * 0.2, y: -0.045 - Math.max(0, -offsetY - leapShare * 0.06) }
      fillRibbon(context, [
        { x: -0.24 - leapShare * 0.05, y: -0.18 + offsetY, r: 0.1 },
        { x: hind.x - 0.06, y: hind.y - 0.02, r: 0.05 },
        { x: hind.x + 0.14 - leapShare * 0.24, y: hind.y + 0.005 + leapShare * 0.07, r: 0.034 },
      ])
      const fore = {
        x: 0.24 + foreSwing * 0.14 + leapShare * 0.08,
        y: -0.04 - Math.max(0, -offsetY - leapShare * 0.05) - leapShare * 0.03,
      }
      fillRibbon(context, [
        { x: 0.17, y: -0.24 + offsetY, r: 0.07 },
        { x: (0.17 + fore.x) / 2 + 0.02, y: (-0.24 + offsetY + fore.y) / 2, r: 0.042 },
        { ...fore, r: 0.03 },
        { x: fore.x + 0.06, y: fore.y + 0.012, r: 0.022 },
      ])
    },
    { thickness: 0.14, rim: 0.8 },
  )
}
