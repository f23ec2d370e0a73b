import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import { drawRider } from './rider.ts'
import { gaits, stepAt, strideLength, type Gait } from '../gait.ts'
import type { Walker } from '../walk.ts'

const plod: Gait = { ...gaits.amble, standDistance: 0.42, lift: 0.06 }

/** An elephant that walks with swinging trunk and ears. */
export const elephant: Walker = {
  height: 0.34,
  reach: { side: 1.3, up: 1.5, down: 0.05 },
  cycle: { poseCount: 12, pace: 0.5 },
  stride: strideLength(plod),
  pace: 0.5,
  draw(figure, phase, { color, rider }) {
    const skin = color ?? hex('#8b8489')
    const turn = phase * Math.PI * 2
    const bob = Math.sin(turn * 2) * 0.008
    const { legPhases } = plod
    figure.part(
      (context) => {
        drawLeg(context, -0.42, phase + legPhases.hindFar, scaleRgb(skin, 0.66), -0.55)
        drawLeg(context, 0.4, phase + legPhases.foreFar, scaleRgb(skin, 0.66), -0.55)
      },
      { thickness: 0.16, rim: 0.5 },
    )
    figure.part(
      (context) => {
        context.translate(0, bob)
        context.fillStyle = css(scaleRgb(skin, 0.8))
        fillRibbon(context, [
          { x: -0.68, y: -0.82, r: 0.03 },
          { x: -0.76, y: -0.6, r: 0.02 },
          { x: -0.74 + Math.sin(turn) * 0.05, y: -0.42, r: 0.018 },
        ])
        fillRibbon(context, [
          { x: -0.74 + Math.sin(turn) * 0.05, y: -0.42, r: 0.03 },
          { x: -0.73 + Math.sin(turn) * 0.07, y: -0.34, r: 0.012 },
        ])
        drawLeg(context, -0.46, phase + legPhases.hindNear, skin, -0.6)
        drawLeg(context, 0.36, phase + legPhases.foreNear, skin, -0.6)
        context.fillStyle = css(skin)
        fillCurve(context, [
          [-0.62, -0.42],
          [-0.73, -0.56],
          [-0.73, -0.8],
          [-0.56, -0.98],
          [-0.26, -1.06],
          [0.06, -1.02],
          [0.34, -1.0],
          [0.52, -0.94],
          [0.62, -0.7],
          [0.5, -0.44],
          [0.2, -0.34],
          [-0.2, -0.33],
        ])
        context.strokeStyle = css(scaleRgb(skin, 0.72), 0.35)
        context.lineWidth = 0.01
        for (const x of [-0.52, -0.3, -0.05, 0.18]) {
          context.beginPath()
          context.moveTo(x, -0.62)
          context.quadraticCurveTo(x + 0.05, -0.5, x + 0.02, -0.38)
          context.stroke()
        }
      },
      { thickness: 0.5 },
    )
    figure.part(
      (context) => {
        context.translate(Math.sin(turn * 2) * 0.01, bob + Math.sin(turn * 2 - 0.8) * 0.014)
        drawTrunk(context, skin, Math.sin(turn) * 0.07)
        context.fillStyle = css(skin)
        fillCurve(context, [
          [0.46, -0.96],
          [0.56, -1.1],
          [0.72, -1.12],
          [0.86, -1.02],
          [0.9, -0.84],
          [0.84, -0.68],
          [0.72, -0.6],
          [0.56, -0.6],
          [0.44, -0.74],
        ])
        context.fillStyle = css(hex('#f2ead8'))
        fillRibbon(context, [
          { x: 0.82, y: -0.66, r: 0.03 },
          { x: 0.94, y: -0.54, r: 0.026 },
          { x: 1.06, y: -0.54, r: 0.006 },
        ])
        context.fillStyle = '#161214'
        fillEllipse(context, 0.77, -0.9, 0.017, 0.015)
        context.strokeStyle = css(scaleRgb(skin, 0.55), 0.7)
        context.lineWidth = 0.009
        context.beginPath()
        context.moveTo(0.74, -0.925)
        context.quadraticCurveTo(0.775, -0.945, 0.81, -0.91)
        context.stroke()
      },
      { thickness: 0.26 },
    )
    figure.part(
      (context) => {
        context.translate(0.6, -0.94 + bob)
        context.scale(1 + Math.sin(turn + 0.5) * 0.06, 1)
        context.fillStyle = css(mixRgb(skin, hex('#b08a8c'), 0.16))
        fillCurve(context, [
          [0.04, -0.12],
          [-0.1, -0.15],
          [-0.26, -0.1],
          [-0.32, 0.06],
          [-0.26, 0.24],
          [-0.14, 0.36],
          [-0.02, 0.3],
          [0.05, 0.12],
          [0.09, -0.02],
        ])
      },
      { thickness: 0.16 },
    )
    if (rider) drawRider(figure, rider, { x: 0.4, y: -1.02, size: 0.62 }, { x: 0, y: bob })
  },
}

function drawLeg(context: SKRSContext2D, x: number, phase: number, skin: Rgb, top: number): void {
  const step = stepAt(plod, phase)
  const foot = { x: x + step.x, y: -step.lift - 0.02 }
  const bent = step.swing * 0.06
  context.fillStyle = css(skin)
  fillRibbon(context, [
    { x, y: top, r: 0.17 },
    { x: x + step.x * 0.5 + bent, y: -0.32, r: 0.125 },
    { x: foot.x - 0.01, y: foot.y - 0.13, r: 0.105 },
    { x: foot.x, y: foot.y - 0.07, r: 0.115 },
  ])
  fillCurve(context, [
    [foot.x - 0.13, foot.y + 0.015],
    [foot.x - 0.115, foot.y - 0.1],
    [foot.x + 0.11, foot.y - 0.1],
    [foot.x + 0.14, foot.y + 0.015],
  ])
  context.fillStyle = css(mixRgb(skin, [240, 226, 206], 0.5))
  for (const nail of [0.04, 0.085]) fillEllipse(context, foot.x + nail, foot.y - 0.01, 0.018, 0.014)
}

function drawTrunk(context: SKRSContext2D, skin: Rgb, swing: number): void {
  const stations = [
    { x: 0.8, y: -0.9, r: 0.13 },
    { x: 0.9, y: -0.7, r: 0.1 },
    { x: 0.95 + swing * 0.4, y: -0.46, r: 0.07 },
    { x: 0.95 + swing, y: -0.24, r: 0.052 },
    { x: 1.02 + swing * 1.3, y: -0.13, r: 0.042 },
    { x: 1.08 + swing * 1.3, y: -0.17, r: 0.032 },
  ]
  context.fillStyle = css(skin)
  fillRibbon(context, stations)
  context.strokeStyle = css(scaleRgb(skin, 0.7), 0.4)
  context.lineWidth = 0.008
  for (let ring = 0; ring < 9; ring++) {
    const y = -0.72 + ring * 0.06
    const x = 0.9 + ring * 0.008 + swing * ring * 0.09
    context.beginPath()
    context.moveTo(x - 0.07 + ring * 0.003, y)
    context.quadraticCurveTo(x, y + 0.03, x + 0.08 - ring * 0.003, y - 0.005)
    context.stroke()
  }
}
