import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import { fillRibbon, jointOf, traceSmooth, type Point } from './brush.ts'
import type { Figure } from './figure.ts'
import { stepAt, type Gait } from './gait.ts'

export interface PersonColours {
  coat: Rgb
  dark: Rgb
  skin: Rgb
}

const stroll: Gait = { duty: 0.6, reach: 0.37, lift: 0.05, legs: { hindNear: 0, foreNear: 0, hindFar: 0.5, foreFar: 0.5 } }

/** A walker in a long coat with a scarf, to the right; height 1, feet at 0, y grows down. */
export function drawPerson(figure: Figure, phase: number, { coat, dark, skin }: PersonColours): void {
  const turn = phase * Math.PI * 2
  const bob = Math.cos(turn * 2) * 0.008
  const sway = Math.sin(turn) * 0.02
  figure.part(
    (context) => {
      drawLeg(context, phase + 0.5, bob, scaleRgb(dark, 0.75))
      drawArm(context, Math.cos(turn) * -0.42, bob, scaleRgb(coat, 0.62), scaleRgb(skin, 0.7))
    },
    { thickness: 0.06, rim: 0.4 },
  )
  figure.part(
    (context) => {
      drawLeg(context, phase, bob, dark)
      drawCoat(context, coat, bob, sway)
    },
    { thickness: 0.16 },
  )
  figure.part((context) => drawArm(context, Math.cos(turn) * 0.42, bob, scaleRgb(coat, 0.94), skin), {
    thickness: 0.06,
    rim: 0.7,
  })
  figure.part((context) => drawHead(context, { coat, dark, skin }, bob, sway), { thickness: 0.12 })
}

function drawLeg(context: SKRSContext2D, phase: number, bob: number, colour: Rgb): void {
  const step = stepAt(stroll, phase)
  const hip = { x: 0, y: -0.5 + bob }
  const lifted = step.swing > 0 ? 0.5 * step.swing : Math.max(0, -step.ahead - 0.4) * 0.5
  const ankle = { x: step.x - 0.02 + lifted * 0.03, y: -step.up - 0.045 - lifted * 0.05 }
  const knee = jointOf(hip, ankle, 0.25, 0.235, 1)
  context.fillStyle = css(colour)
  fillRibbon(context, [
    { ...hip, r: 0.07 },
    { x: (hip.x + knee.x) / 2, y: (hip.y + knee.y) / 2, r: 0.058 },
    { ...knee, r: 0.043 },
    { x: (knee.x + ankle.x) / 2 - 0.006, y: (knee.y + ankle.y) / 2, r: 0.038 },
    { ...ankle, r: 0.026 },
  ])
  context.fillStyle = css(scaleRgb(colour, 0.72))
  const tip = { x: ankle.x + 0.075 - lifted * 0.03, y: ankle.y + 0.03 + lifted * 0.06 }
  fillRibbon(context, [
    { x: ankle.x - 0.008, y: ankle.y + 0.012, r: 0.03 },
    { x: tip.x - 0.035, y: tip.y - 0.004, r: 0.022 },
    { ...tip, r: 0.014 },
  ])
}

function drawArm(context: SKRSContext2D, angle: number, bob: number, colour: Rgb, skin: Rgb): void {
  const shoulder = { x: 0.0, y: -0.785 + bob }
  const hand: Point = { x: Math.sin(angle) * 0.3, y: shoulder.y + Math.cos(angle) * 0.31 }
  const elbow = jointOf(shoulder, hand, 0.165, 0.165, -1)
  context.fillStyle = css(skin)
  fillRibbon(context, [
    { ...hand, r: 0.022 },
    { x: hand.x + 0.008, y: hand.y + 0.026, r: 0.02 },
  ])
  context.fillStyle = css(colour)
  fillRibbon(context, [
    { ...shoulder, r: 0.05 },
    { ...elbow, r: 0.04 },
    { x: hand.x, y: hand.y - 0.005, r: 0.03 },
  ])
}

function drawCoat(context: SKRSContext2D, coat: Rgb, bob: number, sway: number): void {
  context.fillStyle = css(coat)
  traceSmooth(
    context,
    [
      { x: -0.05, y: -0.86 },
      { x: 0.05, y: -0.86 },
      { x: 0.095, y: -0.78 },
      { x: 0.088, y: -0.64 },
      { x: 0.085, y: -0.54 },
      { x: 0.12 + sway * 0.4, y: -0.4 },
      { x: 0.15 + sway, y: -0.27 },
      { x: 0.02 + sway, y: -0.24 },
      { x: -0.15 + sway, y: -0.26 },
      { x: -0.12 + sway * 0.4, y: -0.4 },
      { x: -0.082, y: -0.55 },
      { x: -0.1, y: -0.68 },
      { x: -0.095, y: -0.79 },
    ].map(({ x, y }) => ({ x, y: y + bob })),
  )
  context.fill()
  // Belt and hem.
  context.save()
  context.clip()
  context.fillStyle = css(scaleRgb(coat, 0.6))
  context.fillRect(-0.2, -0.575 + bob, 0.4, 0.026)
  context.strokeStyle = css(scaleRgb(coat, 0.66), 0.8)
  context.lineWidth = 0.008
  context.beginPath()
  context.moveTo(0.055, -0.84 + bob)
  context.quadraticCurveTo(0.04, -0.6, 0.06 + sway, -0.26 + bob)
  context.stroke()
  context.restore()
}

function drawHead(context: SKRSContext2D, { coat, dark, skin }: PersonColours, bob: number, sway: number): void {
  context.translate(0.012, bob)
  context.fillStyle = css(skin)
  fillRibbon(context, [
    { x: -0.005, y: -0.9, r: 0.035 },
    { x: 0.0, y: -0.85, r: 0.036 },
  ])
  traceSmooth(context, [
    { x: -0.058, y: -0.95 },
    { x: -0.03, y: -1.0 },
    { x: 0.035, y: -1.0 },
    { x: 0.062, y: -0.955 },
    { x: 0.075, y: -0.925 },
    { x: 0.06, y: -0.9 },
    { x: 0.045, y: -0.868 },
    { x: 0.0, y: -0.865 },
    { x: -0.05, y: -0.895 },
  ])
  context.fill()
  context.fillStyle = css(dark)
  traceSmooth(context, [
    { x: 0.062, y: -0.975 },
    { x: 0.04, y: -1.012 },
    { x: -0.03, y: -1.02 },
    { x: -0.078, y: -0.97 },
    { x: -0.078, y: -0.91 },
    { x: -0.05, y: -0.87 },
    { x: -0.025, y: -0.91 },
    { x: -0.005, y: -0.955 },
    { x: 0.03, y: -0.968 },
  ])
  context.fill()
  context.fillStyle = css(mixRgb(coat, [255, 244, 226], 0.55))
  fillRibbon(context, [
    { x: -0.05, y: -0.85, r: 0.026 },
    { x: 0.0, y: -0.835, r: 0.03 },
    { x: 0.05, y: -0.85, r: 0.024 },
  ])
  fillRibbon(context, [
    { x: -0.04, y: -0.84, r: 0.022 },
    { x: -0.12, y: -0.8 + sway * 0.4, r: 0.024 },
    { x: -0.19, y: -0.8 - sway, r: 0.012 },
  ])
}
