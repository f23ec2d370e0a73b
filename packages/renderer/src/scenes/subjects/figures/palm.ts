import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillEllipse, fillRibbon, type Point } from '../brush.ts'
import type { Model } from '../model.ts'

/** A leaning palm whose fronds sway. */
export const palm: Model = {
  height: 0.5,
  reach: { side: 0.8, up: 1.14, down: 0.08 },
  cycle: { poseCount: 8, pace: 0.2 },
  variantCount: 2,
  draw(figure, phase, { color, variant }) {
    const leaf = color ?? hex('#4f8a3c')
    const bark = hex('#7d6248')
    const sway = Math.sin(phase * Math.PI * 2)
    const side = variant % 2 ? -0.7 : 1
    const crown = { x: side * 0.2 + sway * 0.008, y: -0.76 }
    const trunk = [
      { x: 0, y: 0.01, r: 0.045 },
      { x: side * 0.02, y: -0.25, r: 0.03 },
      { x: side * 0.09, y: -0.52, r: 0.024 },
      { ...crown, r: 0.02 },
    ]
    figure.part((context) => drawFronds(context, crown, scaleRgb(leaf, 0.66), sway, [0.5, 1.4, 2.3, 2.9, -0.2]), {
      thickness: 0.06,
      rim: 0.5,
    })
    figure.part(
      (context) => {
        context.fillStyle = css(bark)
        fillRibbon(context, trunk)
        context.strokeStyle = css(scaleRgb(bark, 0.66), 0.7)
        context.lineWidth = 0.006
        for (let ring = 1; ring < 18; ring++) {
          const lengthShare = ring / 18
          const x = side * (0.2 * lengthShare ** 1.7)
          const y = -0.76 * lengthShare
          context.beginPath()
          context.moveTo(x - 0.036 + lengthShare * 0.016, y - 0.004)
          context.quadraticCurveTo(x, y + 0.012, x + 0.036 - lengthShare * 0.016, y - 0.004)
          context.stroke()
        }
        context.fillStyle = css(hex('#5a3c26'))
        for (const [x, y] of [
          [-0.02, 0.02],
          [0.024, 0.024],
          [0.0, 0.04],
        ] as const)
          fillEllipse(context, crown.x + x, crown.y + y, 0.024)
      },
      { thickness: 0.06 },
    )
    figure.part((context) => drawFronds(context, crown, leaf, sway, [0.1, 0.9, 1.8, 2.6, 3.3]), { thickness: 0.07 })
  },
}

/**
 * Draws one feathered frond for each angle, which is in radians: 0 points to the right, half a turn
 * to the left.
 */
function drawFronds(context: SKRSContext2D, crown: Point, leaf: Rgb, sway: number, angles: readonly number[]): void {
  for (const [index, angle] of angles.entries()) {
    const reach = 0.34 + 0.05 * Math.sin(index * 2.1)
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)]
    const pointAt = (lengthShare: number): Point => ({
      x: crown.x + dx * reach * lengthShare + sway * 0.02 * lengthShare,
      y:
        crown.y -
        dy * 0.2 * lengthShare * (1.4 - lengthShare) * 2 +
        (0.12 + 0.2 * Math.abs(dx)) * lengthShare * lengthShare +
        sway * 0.01 * dx * lengthShare,
    })
    context.strokeStyle = css(mixRgb(leaf, [255, 250, 190], index % 2 ? 0.1 : 0.02))
    context.lineCap = 'round'
    for (let blade = 1; blade <= 16; blade++) {
      const lengthShare = blade / 16
      const { x, y } = pointAt(lengthShare)
      const length = 0.13 * (1 - lengthShare * 0.62) * Math.min(1, lengthShare * 4)
      for (const side of [-1, 1]) {
        context.lineWidth = 0.012 * (1.1 - lengthShare * 0.6)
        context.beginPath()
        context.moveTo(x, y)
        context.quadraticCurveTo(
          x + dx * length * 0.5,
          y + length * (side > 0 ? 0.3 : -0.12),
          x + dx * length * 0.85,
          y + length * (side > 0 ? 0.95 : 0.22),
        )
        context.stroke()
      }
    }
    context.strokeStyle = css(scaleRgb(leaf, 0.8))
    context.lineWidth = 0.01
    context.beginPath()
    for (let step = 0; step <= 10; step++) {
      const { x, y } = pointAt(step / 10)
      context.lineTo(x, y)
    }
    context.stroke()
  }
}
