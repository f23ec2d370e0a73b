import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillRibbon, jointOf, traceCurve, type Point } from '../brush.ts'
import type { Model } from '../model.ts'
import { drawProfile } from './profile.ts'

const wheelRadius = 0.2
const hubs = { rear: { x: -0.3, y: -wheelRadius }, front: { x: 0.33, y: -wheelRadius } }
const crank = { x: -0.02, y: -0.215 }
const hip = { x: -0.14, y: -0.58 }
const coatColors = ['#3a6ea5', '#c8553d', '#e0b04a'].map(hex)

/** A rider on a bicycle. The rider's head is at the height 1. */
export const bicycle: Model = {
  height: 0.29,
  reach: { side: 0.6, up: 1.06, down: 0.05 },
  cycle: { poseCount: 12, pace: 0.9 },
  variantCount: 3,
  draw(figure, phase, { color, variant }) {
    const coat = coatColors[variant % coatColors.length] ?? [60, 110, 165]
    const frame = color ?? hex('#c23a2c')
    const turn = phase * Math.PI * 2
    const pedal = (side: 1 | -1): Point => ({
      x: crank.x + Math.cos(turn) * 0.085 * side,
      y: crank.y + Math.sin(turn) * 0.085 * side,
    })
    figure.part((context) => drawLeg(context, pedal(-1), scaleRgb(hex('#39405a'), 0.7)), { thickness: 0.06, rim: 0.4 })
    figure.part(
      (context) => {
        for (const hub of [hubs.rear, hubs.front]) drawSpokedWheel(context, hub, phase)
        context.strokeStyle = css(frame)
        context.lineWidth = 0.024
        context.lineJoin = 'round'
        context.lineCap = 'round'
        context.beginPath()
        context.moveTo(hubs.rear.x, hubs.rear.y)
        context.lineTo(crank.x, crank.y)
        context.lineTo(0.24, -0.46)
        context.lineTo(-0.12, -0.44)
        context.closePath()
        context.moveTo(crank.x, crank.y)
        context.lineTo(-0.15, -0.52)
        context.moveTo(hubs.front.x, hubs.front.y)
        context.lineTo(0.22, -0.55)
        context.stroke()
        context.strokeStyle = '#26262c'
        context.lineWidth = 0.02
        context.beginPath()
        context.moveTo(0.22, -0.55)
        context.lineTo(0.3, -0.58)
        context.moveTo(-0.21, -0.535)
        context.lineTo(-0.09, -0.535)
        context.moveTo(pedal(-1).x, pedal(-1).y)
        context.lineTo(pedal(1).x, pedal(1).y)
        context.stroke()
      },
      { thickness: 0.03, rim: 0.7 },
    )
    figure.part(
      (context) => {
        drawLeg(context, pedal(1), hex('#39405a'))
        context.fillStyle = css(coat)
        traceCurve(context, [
          [-0.22, -0.54],
          [-0.2, -0.68],
          [-0.1, -0.82],
          [0.02, -0.87],
          [0.08, -0.81],
          [0.05, -0.7],
          [-0.04, -0.56],
          [-0.12, -0.52],
        ])
        context.fill()
      },
      { thickness: 0.14 },
    )
    figure.part(
      (context) => {
        const shoulder = { x: 0.02, y: -0.8 }
        const hand = { x: 0.27, y: -0.59 }
        const elbow = jointOf(shoulder, hand, 0.17, 0.17, 1)
        context.fillStyle = css(scaleRgb(coat, 0.9))
        fillRibbon(context, [
          { ...shoulder, r: 0.045 },
          { ...elbow, r: 0.034 },
          { ...hand, r: 0.022 },
        ])
      },
      { thickness: 0.06, rim: 0.7 },
    )
    figure.part(
      (context) => {
        context.translate(0.06, -0.9)
        context.rotate(0.12)
        drawProfile(context, { skin: hex('#e0b294'), hair: hex('#3a2a24'), cap: frame })
      },
      { thickness: 0.12 },
    )
  },
}

function drawLeg(context: SKRSContext2D, pedal: Point, color: Rgb): void {
  const ankle = { x: pedal.x - 0.02, y: pedal.y - 0.045 }
  const knee = jointOf(hip, ankle, 0.235, 0.235, 1)
  context.fillStyle = css(color)
  fillRibbon(context, [
    { ...hip, r: 0.068 },
    { x: (hip.x + knee.x) / 2, y: (hip.y + knee.y) / 2, r: 0.056 },
    { ...knee, r: 0.042 },
    { ...ankle, r: 0.026 },
  ])
  context.fillStyle = '#2a2320'
  fillRibbon(context, [
    { x: ankle.x - 0.01, y: ankle.y + 0.018, r: 0.024 },
    { x: pedal.x + 0.05, y: pedal.y - 0.014, r: 0.015 },
  ])
}

function drawSpokedWheel(context: SKRSContext2D, hub: Point, phase: number): void {
  context.strokeStyle = '#1d1c22'
  context.lineWidth = 0.024
  context.beginPath()
  context.arc(hub.x, hub.y, wheelRadius - 0.012, 0, Math.PI * 2)
  context.stroke()
  context.strokeStyle = 'rgba(190,196,206,0.75)'
  context.lineWidth = 0.005
  for (let spoke = 0; spoke < 12; spoke++) {
    const angle = ((spoke + phase * 2) / 12) * Math.PI * 2
    context.beginPath()
    context.moveTo(hub.x, hub.y)
    context.lineTo(hub.x + Math.cos(angle) * (wheelRadius - 0.02), hub.y + Math.sin(angle) * (wheelRadius - 0.02))
    context.stroke()
  }
}
