import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { blend, fillEllipse, fillGlow, fillRibbon, jointOf, type Point } from '../brush.ts'
import { stepAt, strideLength, type FootPath } from '../gait.ts'
import type { Walker } from '../walk.ts'

const lope: FootPath = { duty: 0.56, standDistance: 0.36, lift: 0.09 }

/** An astronaut in a white suit with a golden visor, who walks as in low gravity. */
export const astronaut: Walker = {
  height: 0.3,
  reach: { side: 0.46, up: 1.08, down: 0.05 },
  cycle: { poseCount: 12, pace: 0.55 },
  stride: strideLength(lope),
  pace: 0.55,
  draw(figure, phase, { color }) {
    const suit: Rgb = hex('#eceef2')
    const trim = color ?? hex('#e07b2c')
    const turn = phase * Math.PI * 2
    const bob = Math.cos(turn * 2 + 0.8) * 0.02
    figure.part(
      (context) => {
        drawLeg(context, phase + 0.5, bob, scaleRgb(suit, 0.72), scaleRgb(trim, 0.7))
        drawArm(context, -Math.cos(turn), bob, scaleRgb(suit, 0.72), scaleRgb(trim, 0.7))
      },
      { thickness: 0.1, rim: 0.5 },
    )
    figure.part(
      (context) => {
        context.translate(0, bob)
        context.fillStyle = css(scaleRgb(suit, 0.86))
        context.beginPath()
        context.roundRect(-0.23, -0.84, 0.16, 0.36, 0.05)
        context.fill()
        context.fillStyle = css(hex('#6b7480'))
        context.fillRect(-0.21, -0.7, 0.05, 0.02)
        context.fillRect(-0.21, -0.64, 0.05, 0.02)
      },
      { thickness: 0.16 },
    )
    figure.part(
      (context) => {
        drawLeg(context, phase, bob, suit, trim)
        context.translate(0, bob)
        context.fillStyle = css(suit)
        context.beginPath()
        context.roundRect(-0.13, -0.82, 0.27, 0.38, 0.1)
        context.fill()
        context.fillStyle = css(hex('#8b95a3'))
        context.beginPath()
        context.roundRect(0.03, -0.68, 0.1, 0.1, 0.02)
        context.fill()
        context.fillStyle = css(trim)
        context.fillRect(-0.12, -0.47, 0.25, 0.022)
      },
      { thickness: 0.24 },
    )
    figure.part(
      (context) => {
        context.translate(0.02, -0.905 + bob)
        context.fillStyle = css(suit)
        fillEllipse(context, 0, 0, 0.135, 0.13)
        context.fillStyle = css(scaleRgb(suit, 0.75))
        fillEllipse(context, 0.035, 0.005, 0.1, 0.095)
      },
      { thickness: 0.2 },
    )
    figure.glow((context) => {
      context.translate(0.02, -0.905 + bob)
      context.fillStyle = blend(
        context,
        [0, -0.09],
        [0.06, 0.09],
        [hex('#ffe9a8'), hex('#d08a2c'), hex('#5a3216'), hex('#2b1a18')],
      )
      fillEllipse(context, 0.048, 0.006, 0.086, 0.083)
      context.fillStyle = 'rgba(255,255,255,0.75)'
      fillEllipse(context, 0.07, -0.035, 0.024, 0.014, 0.5)
      fillGlow(context, -0.1, -0.02, 0.035, [255, 80, 60], 0.5 + 0.5 * Math.sin(turn))
    })
    figure.part((context) => drawArm(context, Math.cos(turn), bob, suit, trim), { thickness: 0.1, rim: 0.8 })
  },
}

function drawLeg(context: SKRSContext2D, phase: number, bob: number, suit: Rgb, trim: Rgb): void {
  const step = stepAt(lope, phase)
  const hip = { x: 0.0, y: -0.46 + bob }
  const ankle = { x: step.x, y: -step.lift - 0.06 }
  const knee = jointOf(hip, ankle, 0.215, 0.215, 1)
  context.fillStyle = css(suit)
  fillRibbon(context, [
    { ...hip, r: 0.088 },
    { x: (hip.x + knee.x) / 2, y: (hip.y + knee.y) / 2, r: 0.078 },
    { ...knee, r: 0.066 },
    { x: (knee.x + ankle.x) / 2, y: (knee.y + ankle.y) / 2, r: 0.07 },
    { ...ankle, r: 0.054 },
  ])
  context.fillStyle = css(trim)
  fillRibbon(context, [
    { x: ankle.x - 0.045, y: ankle.y - 0.02, r: 0.012 },
    { x: ankle.x + 0.045, y: ankle.y - 0.02, r: 0.012 },
  ])
  context.fillStyle = css(scaleRgb(suit, 0.6))
  fillRibbon(context, [
    { x: ankle.x - 0.02, y: ankle.y + 0.02, r: 0.045 },
    { x: ankle.x + 0.07, y: ankle.y + 0.03, r: 0.032 },
  ])
}

function drawArm(context: SKRSContext2D, swing: number, bob: number, suit: Rgb, trim: Rgb): void {
  const shoulder: Point = { x: -0.005, y: -0.75 + bob }
  const angle = swing * 0.5
  const hand = { x: Math.sin(angle) * 0.27 + 0.05, y: shoulder.y + Math.cos(angle) * 0.27 }
  const elbow = jointOf(shoulder, hand, 0.155, 0.155, -1)
  context.fillStyle = css(suit)
  fillRibbon(context, [
    { ...shoulder, r: 0.072 },
    { ...elbow, r: 0.06 },
    { ...hand, r: 0.046 },
  ])
  context.fillStyle = css(trim)
  fillEllipse(context, elbow.x * 0.35 + hand.x * 0.65, elbow.y * 0.35 + hand.y * 0.65, 0.05, 0.016, -angle)
  context.fillStyle = css(scaleRgb(suit, 0.6))
  fillEllipse(context, hand.x + 0.006, hand.y + 0.02, 0.042, 0.046)
}
