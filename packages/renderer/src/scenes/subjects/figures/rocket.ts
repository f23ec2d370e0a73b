import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillEllipse, fillGlow, blend } from '../brush.ts'
import type { Model } from '../model.ts'

/** A rocket on its flame, with its nose up. */
export const rocket: Model = {
  height: 0.42,
  reach: { side: 0.42, up: 1.04, down: 0.2 },
  cycle: { poseCount: 6, pace: 3 },
  draw(figure, phase, { color }) {
    const red = color ?? hex('#d8452e')
    const white: Rgb = [240, 241, 245]
    figure.glow((context) => drawFlame(context, phase))
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#6a6f7a'))
        context.fillRect(-0.06, -0.34, 0.12, 0.06)
        context.fillStyle = css(red)
        for (const side of [-1, 1]) {
          context.beginPath()
          context.moveTo(side * 0.09, -0.52)
          context.quadraticCurveTo(side * 0.25, -0.42, side * 0.235, -0.22)
          context.quadraticCurveTo(side * 0.16, -0.34, side * 0.08, -0.33)
          context.fill()
        }
      },
      { thickness: 0.12 },
    )
    figure.part(
      (context) => {
        context.beginPath()
        context.moveTo(-0.085, -0.32)
        context.bezierCurveTo(-0.16, -0.56, -0.12, -0.84, 0, -1)
        context.bezierCurveTo(0.12, -0.84, 0.16, -0.56, 0.085, -0.32)
        context.closePath()
        context.fillStyle = blend(context, [-0.13, 0], [0.13, 0], [scaleRgb(white, 0.62), white, white, scaleRgb(white, 0.8)])
        context.fill()
        context.clip()
        context.fillStyle = blend(
          context,
          [-0.13, 0],
          [0.13, 0],
          [scaleRgb(red, 0.6), red, mixRgb(red, white, 0.2), scaleRgb(red, 0.8)],
        )
        context.fillRect(-0.2, -1, 0.4, 0.19)
        context.fillRect(-0.2, -0.41, 0.4, 0.04)
      },
      { thickness: 0.26 },
    )
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#4a5566'))
        fillEllipse(context, 0, -0.66, 0.054)
        context.fillStyle = blend(context, [-0.03, -0.7], [0.03, -0.62], [hex('#d8f2ff'), hex('#3a7ab0')])
        fillEllipse(context, 0, -0.66, 0.038)
        context.fillStyle = css(scaleRgb(red, 0.85))
        context.beginPath()
        context.roundRect(-0.012, -0.5, 0.024, 0.24, 0.012)
        context.fill()
      },
      { volume: 0.4, rim: 0.2, thickness: 0.06 },
    )
  },
}

function drawFlame(context: SKRSContext2D, phase: number): void {
  const flicker = Math.sin(phase * Math.PI * 2) * 0.03
  fillGlow(context, 0, -0.18, 0.36, [255, 176, 96], 0.75)
  const flame = (halfWidth: number, tip: number, colors: readonly [string, string]): void => {
    const fill = context.createLinearGradient(0, -0.3, 0, tip)
    fill.addColorStop(0, colors[0])
    fill.addColorStop(1, colors[1])
    context.fillStyle = fill
    context.beginPath()
    context.moveTo(-halfWidth, -0.3)
    context.bezierCurveTo(-halfWidth * 1.7, -0.16, -halfWidth * 0.5, tip * 0.4 - 0.06, 0, tip)
    context.bezierCurveTo(halfWidth * 0.5, tip * 0.4 - 0.06, halfWidth * 1.7, -0.16, halfWidth, -0.3)
    context.fill()
  }
  flame(0.062, 0.16 + flicker, ['rgba(255,190,90,0.95)', 'rgba(255,80,30,0)'])
  flame(0.036, 0.04 - flicker, ['rgba(255,252,236,1)', 'rgba(255,214,120,0)'])
}
