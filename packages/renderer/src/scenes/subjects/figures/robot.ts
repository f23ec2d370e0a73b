import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { blend, fillEllipse, fillGlow, fillRibbon, jointOf, type Point } from '../brush.ts'
import { stepAt, strideLength, type FootPath } from '../gait.ts'
import type { Walker } from '../walk.ts'

const march: FootPath = { duty: 0.62, standDistance: 0.32, lift: 0.05 }

/** A friendly robot with glowing eyes. It walks with jointed limbs. */
export const robot: Walker = {
  height: 0.3,
  reach: { side: 0.46, up: 1.24, down: 0.05 },
  cycle: { poseCount: 12, pace: 0.8 },
  stride: strideLength(march),
  pace: 0.8,
  variantCount: 2,
  draw(figure, phase, { color, variant }) {
    const shell = color ?? [hex('#d5dae0'), hex('#e0a03a')][variant % 2] ?? [213, 218, 224]
    const steel = hex('#5a6472')
    const turn = phase * Math.PI * 2
    const bob = Math.cos(turn * 2) * 0.012
    figure.part(
      (context) => {
        drawLeg(context, phase + 0.5, bob, scaleRgb(shell, 0.62), scaleRgb(steel, 0.7))
        drawArm(context, -Math.cos(turn), bob, scaleRgb(shell, 0.62), scaleRgb(steel, 0.7))
      },
      { thickness: 0.08, rim: 0.5 },
    )
    figure.part(
      (context) => {
        drawLeg(context, phase, bob, shell, steel)
        context.translate(0, bob)
        context.fillStyle = css(steel)
        context.fillRect(-0.05, -0.72, 0.1, 0.12)
        context.fillRect(-0.1, -0.44, 0.2, 0.06)
        context.fillStyle = blend(context, [-0.15, 0], [0.17, 0], [scaleRgb(shell, 0.82), shell])
        context.beginPath()
        context.roundRect(-0.15, -0.7, 0.32, 0.28, 0.07)
        context.fill()
        context.strokeStyle = css(scaleRgb(shell, 0.6))
        context.lineWidth = 0.008
        context.strokeRect(-0.02, -0.65, 0.15, 0.13)
      },
      { thickness: 0.24 },
    )
    figure.part(
      (context) => {
        context.translate(0.02, bob * 1.3)
        context.fillStyle = css(steel)
        context.fillRect(-0.035, -0.76, 0.07, 0.08)
        fillRibbon(context, [
          { x: -0.05, y: -1.0, r: 0.008 },
          { x: -0.07, y: -1.09, r: 0.006 },
        ])
        context.fillStyle = css(shell)
        context.beginPath()
        context.roundRect(-0.15, -1.01, 0.32, 0.26, 0.1)
        context.fill()
        context.fillStyle = css(steel)
        fillEllipse(context, -0.11, -0.88, 0.045)
        context.fillStyle = css(hex('#1b2430'))
        context.beginPath()
        context.roundRect(-0.01, -0.95, 0.175, 0.135, [0.06, 0.05, 0.05, 0.06])
        context.fill()
      },
      { thickness: 0.24 },
    )
    figure.glow((context) => {
      context.translate(0.02, bob * 1.3)
      const blink = Math.abs(phase - 0.5) < 0.05 ? 0.25 : 1
      for (const x of [0.045, 0.12]) {
        fillGlow(context, x, -0.885, 0.07, [90, 240, 255], 0.8)
        context.fillStyle = '#d8fdff'
        fillEllipse(context, x, -0.885, 0.018, 0.026 * blink)
      }
      fillGlow(context, -0.07, -1.1, 0.06, [255, 120, 90], 0.5 + 0.5 * Math.sin(turn))
      context.fillStyle = css(mixRgb([255, 120, 90], [255, 255, 255], 0.3))
      fillEllipse(context, -0.07, -1.1, 0.014)
      for (let lamp = 0; lamp < 3; lamp++) {
        context.fillStyle = (Math.floor(phase * 6) + lamp) % 3 === 0 ? '#8dffb0' : '#3d8a6a'
        fillEllipse(context, -0.0 + lamp * 0.035, -0.585, 0.011)
      }
    })
    figure.part((context) => drawArm(context, Math.cos(turn), bob, shell, steel), { thickness: 0.08, rim: 0.8 })
  },
}

function drawLeg(context: SKRSContext2D, phase: number, bob: number, shell: Rgb, steel: Rgb): void {
  const step = stepAt(march, phase)
  const hip = { x: 0.01, y: -0.4 + bob }
  const ankle = { x: step.x, y: -step.lift - 0.07 }
  const knee = jointOf(hip, ankle, 0.18, 0.18, 1)
  drawSegment(context, hip, knee, 0.035, steel)
  drawSegment(context, knee, ankle, 0.052, shell)
  context.fillStyle = css(steel)
  fillEllipse(context, knee.x, knee.y, 0.046)
  context.fillStyle = css(shell)
  context.beginPath()
  context.roundRect(ankle.x - 0.065, ankle.y + 0.005, 0.17, 0.066, [0.03, 0.05, 0.012, 0.012])
  context.fill()
}

function drawArm(context: SKRSContext2D, swing: number, bob: number, shell: Rgb, steel: Rgb): void {
  const shoulder = { x: 0.0, y: -0.63 + bob }
  const hand = { x: Math.sin(swing * 0.5) * 0.26 + 0.03, y: shoulder.y + Math.cos(swing * 0.5) * 0.27 }
  const elbow = jointOf(shoulder, hand, 0.15, 0.15, -1)
  drawSegment(context, shoulder, elbow, 0.03, steel)
  drawSegment(context, elbow, hand, 0.045, shell)
  context.fillStyle = css(shell)
  fillEllipse(context, shoulder.x, shoulder.y, 0.06)
  context.fillStyle = css(steel)
  fillEllipse(context, elbow.x, elbow.y, 0.036)
  fillEllipse(context, hand.x + 0.005, hand.y + 0.02, 0.04)
}

function drawSegment(context: SKRSContext2D, from: Point, to: Point, radius: number, color: Rgb): void {
  context.fillStyle = css(color)
  fillRibbon(context, [
    { ...from, r: radius },
    { ...to, r: radius },
  ])
}
