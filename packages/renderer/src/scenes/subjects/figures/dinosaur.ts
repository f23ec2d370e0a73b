import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon, jointOf } from '../brush.ts'
import { stepAt, strideLength, type FootPath } from '../gait.ts'
import type { Walker } from '../walk.ts'

const stalk: FootPath = { duty: 0.58, standDistance: 0.42, lift: 0.1 }

/** A tyrannosaur that strides on two legs with its tail raised. */
export const dinosaur: Walker = {
  height: 0.42,
  reach: { side: 1.06, up: 1.06, down: 0.05 },
  cycle: { poseCount: 12, pace: 0.6 },
  stride: strideLength(stalk),
  pace: 0.6,
  draw(figure, phase, { color }) {
    const hide = color ?? hex('#6c7d48')
    const belly = mixRgb(hide, hex('#eadfb4'), 0.55)
    const turn = phase * Math.PI * 2
    const bob = Math.cos(turn * 2) * 0.014
    const wag = Math.sin(turn) * 0.05
    figure.part((context) => drawLeg(context, phase + 0.5, bob, scaleRgb(hide, 0.62), 0.02), { thickness: 0.14, rim: 0.5 })
    figure.part(
      (context) => {
        context.translate(0, bob)
        context.fillStyle = css(hide)
        fillRibbon(context, [
          { x: -0.1, y: -0.58, r: 0.16 },
          { x: -0.36, y: -0.56, r: 0.105 },
          { x: -0.64, y: -0.54 + wag * 0.4, r: 0.055 },
          { x: -0.98, y: -0.58 + wag, r: 0.008 },
        ])
        fillCurve(context, [
          [-0.3, -0.48],
          [-0.28, -0.66],
          [-0.1, -0.75],
          [0.12, -0.74],
          [0.26, -0.78],
          [0.36, -0.9],
          [0.5, -0.92],
          [0.52, -0.78],
          [0.44, -0.66],
          [0.36, -0.52],
          [0.2, -0.42],
          [-0.04, -0.38],
          [-0.22, -0.4],
        ])
        context.save()
        context.globalCompositeOperation = 'source-atop'
        context.fillStyle = css(belly, 0.8)
        fillCurve(context, [
          [0.5, -0.74],
          [0.4, -0.52],
          [0.16, -0.36],
          [-0.1, -0.36],
          [0.1, -0.47],
          [0.3, -0.6],
          [0.42, -0.74],
        ])
        context.fillStyle = css(scaleRgb(hide, 0.62), 0.7)
        for (let stripe = 0; stripe < 12; stripe++) {
          const x = -0.8 + stripe * 0.1
          fillRibbon(context, [
            { x, y: -0.86 + Math.max(0, 0.2 - x) * 0.2, r: 0.02 },
            { x: x + 0.02, y: -0.66, r: 0.022 },
            { x: x + 0.05, y: -0.56, r: 0.002 },
          ])
        }
        context.restore()
      },
      { thickness: 0.3 },
    )
    figure.part((context) => drawHead(context, hide, belly, bob, Math.max(0, Math.sin(turn * 2)) * 0.12), { thickness: 0.16 })
    figure.part(
      (context) => {
        drawLeg(context, phase, bob, hide, -0.01)
        context.fillStyle = css(scaleRgb(hide, 0.92))
        fillRibbon(context, [
          { x: 0.33, y: -0.58 + bob, r: 0.034 },
          { x: 0.4, y: -0.52 + bob + Math.sin(turn) * 0.01, r: 0.022 },
          { x: 0.46, y: -0.555 + bob + Math.sin(turn) * 0.015, r: 0.014 },
        ])
      },
      { thickness: 0.16, rim: 0.8 },
    )
  },
}

function drawLeg(context: SKRSContext2D, phase: number, bob: number, hide: Rgb, sideShift: number): void {
  const step = stepAt(stalk, phase)
  const hip = { x: -0.08 + sideShift, y: -0.52 + bob }
  const ball = { x: 0.0 + step.x + sideShift, y: -0.035 - step.lift }
  const lean = -0.45 - 0.3 * step.ahead + 0.4 * step.swing
  const heel = { x: ball.x + Math.sin(lean) * 0.17, y: ball.y - Math.cos(lean) * 0.17 }
  const knee = jointOf(hip, heel, 0.24, 0.22, 1)
  context.fillStyle = css(hide)
  fillRibbon(context, [
    { ...hip, r: 0.13 },
    { x: (hip.x + knee.x) / 2 + 0.01, y: (hip.y + knee.y) / 2, r: 0.12 },
    { ...knee, r: 0.075 },
    { x: (knee.x + heel.x) / 2, y: (knee.y + heel.y) / 2, r: 0.056 },
    { ...heel, r: 0.036 },
    { x: (heel.x + ball.x) / 2, y: (heel.y + ball.y) / 2, r: 0.032 },
    { ...ball, r: 0.036 },
  ])
  for (const [x, y] of [
    [0.13, 0.012],
    [0.1, 0.02],
    [-0.05, 0.015],
  ] as const)
    fillRibbon(context, [
      { ...ball, r: 0.03 },
      { x: ball.x + x * 0.6, y: ball.y + y * 0.6, r: 0.022 },
      { x: ball.x + x, y: ball.y + y, r: 0.01 },
    ])
}

/** Draws the head. `jawOpening` is the angle of the open jaw, in radians. */
function drawHead(context: SKRSContext2D, hide: Rgb, belly: Rgb, bob: number, jawOpening: number): void {
  context.translate(0.46, -0.86 + bob)
  context.save()
  context.rotate(0.1 + jawOpening)
  context.fillStyle = css(scaleRgb(belly, 0.85))
  fillCurve(context, [
    [-0.04, 0.03],
    [0.1, 0.06],
    [0.27, 0.045],
    [0.3, 0.075],
    [0.2, 0.11],
    [0.02, 0.12],
  ])
  context.restore()
  context.fillStyle = '#f4efe2'
  for (let tooth = 0; tooth < 7; tooth++) {
    context.beginPath()
    context.moveTo(0.1 + tooth * 0.03, 0.035)
    context.lineTo(0.115 + tooth * 0.03, 0.07)
    context.lineTo(0.13 + tooth * 0.03, 0.035)
    context.fill()
  }
  context.fillStyle = css(hide)
  fillCurve(context, [
    [-0.12, 0.06],
    [-0.12, -0.06],
    [0.0, -0.12],
    [0.1, -0.11],
    [0.16, -0.085],
    [0.28, -0.07],
    [0.34, -0.02],
    [0.33, 0.035],
    [0.2, 0.045],
    [0.06, 0.05],
    [0.0, 0.1],
    [-0.08, 0.12],
  ])
  context.fillStyle = css(scaleRgb(hide, 0.6))
  fillCurve(context, [
    [0.06, -0.1],
    [0.1, -0.13],
    [0.16, -0.1],
    [0.12, -0.08],
  ])
  context.fillStyle = '#f0c040'
  fillEllipse(context, 0.105, -0.066, 0.02, 0.017)
  context.fillStyle = '#14100c'
  fillEllipse(context, 0.11, -0.066, 0.007, 0.015)
  fillEllipse(context, 0.31, -0.03, 0.009, 0.006)
}
