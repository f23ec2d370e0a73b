import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon, jointOf, type Point } from '../brush.ts'
import type { Figure } from '../figure.ts'
import type { Model } from '../model.ts'
import { drawProfile } from './profile.ts'

/** A dancer on the toes of one foot. The arms, the other leg and the skirt swing. */
export const dancer: Model = {
  height: 0.3,
  reach: { side: 0.66, up: 1.2, down: 0.05 },
  cycle: { poseCount: 12, pace: 0.4 },
  variantCount: 2,
  draw(figure, phase, { color, variant }) {
    const dress = color ?? [hex('#d8506a'), hex('#e6e0ee')][variant % 2] ?? [216, 80, 106]
    const skin = hex('#e6b896')
    const turn = phase * Math.PI * 2
    const rise = Math.sin(turn) * 0.5 + 0.5
    const raisedFoot: Point = { x: -0.2 - 0.24 * rise, y: -0.28 - 0.26 * rise }
    const lean = 0.04 + 0.05 * rise
    figure.part(
      (context) => {
        drawLimb(context, { x: 0, y: -0.55 }, raisedFoot, 0.27, 1, 0.052, scaleRgb(skin, 0.86))
        drawLimb(context, { x: lean, y: -0.83 }, { x: lean - 0.26, y: -0.94 - 0.1 * rise }, 0.15, 1, 0.03, scaleRgb(skin, 0.86))
      },
      { thickness: 0.06, rim: 0.6 },
    )
    figure.part(
      (context) => {
        drawLimb(context, { x: 0.01, y: -0.55 }, { x: 0.02, y: -0.05 }, 0.262, 1, 0.052, skin)
        context.fillStyle = css(scaleRgb(dress, 0.8))
        fillRibbon(context, [
          { x: 0.015, y: -0.06, r: 0.022 },
          { x: 0.035, y: -0.008, r: 0.012 },
        ])
      },
      { thickness: 0.06 },
    )
    figure.part((context) => drawDress(context, dress, lean, Math.sin(turn + 1)), { thickness: 0.2 })
    figure.part(
      (context) => {
        drawLimb(
          context,
          { x: lean + 0.01, y: -0.83 },
          { x: lean + 0.16 - 0.08 * rise, y: -1.08 - 0.06 * rise },
          0.15,
          1,
          0.03,
          skin,
        )
        context.translate(lean + 0.03, -0.96)
        context.rotate(-0.25)
        drawProfile(context, { skin, hair: hex('#33221c') })
        context.fillStyle = css(hex('#33221c'))
        fillEllipse(context, -0.062, -0.07, 0.034)
      },
      { thickness: 0.1 },
    )
  },
}

/** A couple that dances a waltz. */
export const couple: Model = {
  height: 0.3,
  reach: { side: 0.62, up: 1.1, down: 0.05 },
  cycle: { poseCount: 12, pace: 0.45 },
  draw(figure, phase, { color }) {
    const dress = color ?? hex('#c93f52')
    const turn = phase * Math.PI * 2
    const sway = Math.sin(turn)
    drawPartner(figure, sway)
    figure.part((context) => drawDress(context, dress, 0.09 + sway * 0.012, sway, 0.09), { thickness: 0.2 })
    figure.part(
      (context) => {
        const skin = hex('#e6b896')
        // The woman's hand is on the man's shoulder, and the man's arm is around the woman's waist.
        drawLimb(context, { x: 0.1, y: -0.81 }, { x: -0.09, y: -0.84 + sway * 0.008 }, 0.11, -1, 0.028, skin)
        drawLimb(context, { x: -0.1, y: -0.8 }, { x: 0.13, y: -0.65 + sway * 0.012 }, 0.16, 1, 0.036, hex('#353a4a'))
        context.fillStyle = css(skin)
        fillEllipse(context, 0.14, -0.645 + sway * 0.012, 0.026)
        context.translate(0.09 + sway * 0.015, -0.93)
        context.scale(-1, 1)
        context.rotate(-0.1)
        drawProfile(context, { skin, hair: hex('#54301c'), isLong: true, stream: 0.04 + 0.04 * Math.abs(sway) })
      },
      { thickness: 0.1 },
    )
  },
}

/** A bride and a groom who dance. She wears a white gown with a veil, he wears a dark suit. */
export const wedding: Model = {
  ...couple,
  reach: { side: 0.7, up: 1.12, down: 0.06 },
  draw(figure, phase, look) {
    const gown = look.color ?? hex('#f7f3ee')
    couple.draw(figure, phase, { ...look, color: gown })
    const sway = Math.sin(phase * Math.PI * 2)
    figure.part(
      (context) => {
        // The veil falls from her hair over her back.
        context.fillStyle = css(mixRgb(gown, [255, 255, 255], 0.4), 0.85)
        fillCurve(context, [
          [0.08 + sway * 0.015, -1.035],
          [0.15 + sway * 0.015, -1.02],
          [0.19, -0.92],
          [0.24, -0.68],
          [0.36 + sway * 0.05, -0.36],
          [0.4 + sway * 0.07, -0.2],
          [0.24 + sway * 0.04, -0.3],
          [0.17, -0.62],
          [0.14, -0.88],
          [0.09, -0.98],
        ])
        // His white collar and a flower.
        context.fillStyle = '#f6f3ec'
        fillCurve(context, [
          [-0.08, -0.88],
          [-0.03, -0.87],
          [-0.02, -0.76],
          [-0.045, -0.74],
        ])
        context.fillStyle = '#d8566a'
        fillEllipse(context, -0.075, -0.76, 0.014)
      },
      { volume: 0.5, thickness: 0.06 },
    )
  },
}

/** Draws the dancer in the suit, without the arms. */
function drawPartner(figure: Figure, sway: number): void {
  const suit = hex('#2b2e3c')
  const skin = hex('#d9a582')
  figure.part(
    (context) => {
      for (const [x, lift] of [
        [-0.15, Math.max(0, sway)],
        [-0.03, Math.max(0, -sway)],
      ] as const) {
        drawLimb(context, { x: -0.09, y: -0.53 }, { x: x + lift * 0.05, y: -0.05 - lift * 0.05 }, 0.25, 1, 0.058, suit)
        context.fillStyle = '#17161c'
        fillRibbon(context, [
          { x: x - 0.01 + lift * 0.05, y: -0.03 - lift * 0.05, r: 0.026 },
          { x: x + 0.06 + lift * 0.05, y: -0.02 - lift * 0.03, r: 0.016 },
        ])
      }
      context.fillStyle = css(suit)
      fillCurve(context, [
        [-0.19, -0.86],
        [-0.04, -0.88],
        [0.0, -0.76],
        [-0.02, -0.56],
        [-0.03, -0.46],
        [-0.17, -0.45],
        [-0.19, -0.6],
        [-0.21, -0.76],
      ])
    },
    { thickness: 0.14 },
  )
  figure.part(
    (context) => {
      context.translate(-0.09 + sway * 0.01, -0.97)
      drawProfile(context, { skin, hair: hex('#231c1a') })
    },
    { thickness: 0.1 },
  )
}

function drawLimb(context: SKRSContext2D, from: Point, to: Point, bone: number, bend: 1 | -1, radius: number, color: Rgb): void {
  const joint = jointOf(from, to, bone, bone, bend)
  context.fillStyle = css(color)
  fillRibbon(context, [
    { ...from, r: radius },
    { x: (from.x + joint.x) / 2, y: (from.y + joint.y) / 2, r: radius * 0.88 },
    { ...joint, r: radius * 0.72 },
    { ...to, r: radius * 0.46 },
  ])
}

/** Draws a bodice and a wide skirt. `swing`, from -1 to 1, moves the skirt. */
function drawDress(context: SKRSContext2D, color: Rgb, lean: number, swing: number, shift = 0): void {
  const hem = swing * 0.07
  context.fillStyle = css(color)
  fillCurve(context, [
    [lean - 0.06, -0.86],
    [lean + 0.05, -0.87],
    [lean + 0.075, -0.76],
    [shift + 0.06, -0.62],
    [shift + 0.14 + hem * 0.4, -0.46],
    [shift + 0.3 + hem, -0.28],
    [shift + 0.16 + hem, -0.21],
    [shift + hem, -0.24],
    [shift - 0.18 + hem, -0.2],
    [shift - 0.28 + hem, -0.29],
    [shift - 0.12 + hem * 0.4, -0.47],
    [shift - 0.05, -0.62],
    [lean - 0.075, -0.76],
  ])
  context.strokeStyle = css(scaleRgb(color, 0.64), 0.7)
  context.lineWidth = 0.008
  for (const x of [-0.6, -0.2, 0.2, 0.6]) {
    context.beginPath()
    context.moveTo(shift + x * 0.06, -0.58)
    context.quadraticCurveTo(shift + x * 0.14 + hem * 0.4, -0.44, shift + x * 0.34 + hem, -0.26)
    context.stroke()
  }
}
