import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { blend, fillCurve, fillEllipse, fillRibbon, jointOf, type Point } from '../brush.ts'
import type { Figure } from '../figure.ts'
import type { Model } from '../model.ts'
import type { Walker } from '../walk.ts'
import { drawProfile } from './profile.ts'

interface Clothes {
  top: Rgb
  legs: Rgb
  cap: Rgb | undefined
  /** Factor on the thickness of limbs and body. */
  bulk: number
  hasGoggles?: boolean
}

interface Stance {
  /** Height of the board above the ground. */
  lift: number
  /** Pitch of the board's nose, in radians. */
  tilt: number
  /** Bend of the knees, 0 to 1. */
  crouch: number
  /** Swing of the arms, about -1 to 1. */
  swing: number
}

interface Board {
  /** Height of the deck, on which the rider stands, above the ground. */
  deckHeight: number
  draw: (context: SKRSContext2D) => void
  hasPole?: boolean
}

/** Half the distance between the feet. */
const halfStance = 0.17

/**
 * Draws a person with bent knees and spread arms on a board. `board.draw` draws the board with the
 * ground below its middle at 0, 0.
 */
function drawBoarder(figure: Figure, clothes: Clothes, stance: Stance, board: Board): void {
  const { lift, tilt, crouch, swing } = stance
  const foot = (side: 1 | -1): Point => ({
    x: halfStance * side * Math.cos(tilt),
    y: -board.deckHeight - lift - Math.sin(tilt) * halfStance * side - 0.03,
  })
  const hip = { x: -0.06, y: -board.deckHeight - lift * 0.92 - 0.44 + crouch * 0.16 }
  const shoulder = { x: hip.x + 0.11 + crouch * 0.03, y: hip.y - 0.29 }
  const head = { x: shoulder.x + 0.035, y: shoulder.y - 0.135 }
  const { bulk, top, legs } = clothes
  figure.part(
    (context) => {
      drawLeg(context, hip, foot(-1), scaleRgb(legs, 0.72), bulk)
      drawArm(context, shoulder, { x: shoulder.x + 0.26, y: shoulder.y + 0.1 - swing * 0.12 }, scaleRgb(top, 0.7), bulk)
    },
    { thickness: 0.06, rim: 0.4 },
  )
  figure.part(
    (context) => {
      context.translate(0, -lift)
      context.rotate(-tilt)
      board.draw(context)
    },
    { thickness: 0.05, rim: 0.8 },
  )
  figure.part(
    (context) => {
      drawLeg(context, { x: hip.x + 0.02, y: hip.y }, foot(1), legs, bulk)
      context.fillStyle = css(top)
      fillRibbon(context, [
        { x: hip.x, y: hip.y + 0.03, r: 0.082 * bulk },
        { x: (hip.x + shoulder.x) / 2 - 0.02, y: (hip.y + shoulder.y) / 2, r: 0.08 * bulk },
        { x: shoulder.x, y: shoulder.y + 0.02, r: 0.075 * bulk },
        { x: shoulder.x + 0.015, y: shoulder.y - 0.04, r: 0.045 },
      ])
    },
    { thickness: 0.16 },
  )
  figure.part(
    (context) => {
      context.translate(head.x, head.y)
      context.rotate(0.06)
      drawProfile(context, { skin: hex('#e0b294'), hair: hex('#3a2a24'), cap: clothes.cap })
      if (!clothes.hasGoggles) return
      context.fillStyle = '#1d2230'
      fillRibbon(context, [
        { x: 0.062, y: -0.014, r: 0.021 },
        { x: -0.06, y: -0.026, r: 0.012 },
      ])
      context.fillStyle = '#f09a3c'
      fillEllipse(context, 0.06, -0.016, 0.014, 0.017)
    },
    { thickness: 0.12 },
  )
  figure.part(
    (context) => {
      const hand = { x: shoulder.x - 0.27, y: shoulder.y + 0.08 + swing * 0.14 }
      drawArm(context, shoulder, hand, scaleRgb(top, 0.9), bulk)
      if (!board.hasPole) return
      context.strokeStyle = '#26282e'
      context.lineWidth = 0.012
      context.beginPath()
      context.moveTo(hand.x, hand.y)
      context.lineTo(hand.x - 0.3, hand.y + 0.36)
      context.stroke()
    },
    { thickness: 0.06, rim: 0.7 },
  )
}

function drawLeg(context: SKRSContext2D, hip: Point, foot: Point, color: Rgb, bulk: number): void {
  const knee = jointOf(hip, foot, 0.24, 0.24, 1)
  context.fillStyle = css(color)
  fillRibbon(context, [
    { ...hip, r: 0.066 * bulk },
    { ...knee, r: 0.05 * bulk },
    { ...foot, r: 0.034 * bulk },
  ])
  context.fillStyle = '#2a2428'
  fillRibbon(context, [
    { x: foot.x - 0.02, y: foot.y + 0.008, r: 0.026 },
    { x: foot.x + 0.06, y: foot.y + 0.012, r: 0.019 },
  ])
}

function drawArm(context: SKRSContext2D, shoulder: Point, hand: Point, color: Rgb, bulk: number): void {
  const elbow = jointOf(shoulder, hand, 0.16, 0.16, hand.x > shoulder.x ? 1 : -1)
  context.fillStyle = '#d9a582'
  fillEllipse(context, hand.x, hand.y, 0.026)
  context.fillStyle = css(color)
  fillRibbon(context, [
    { ...shoulder, r: 0.046 * bulk },
    { ...elbow, r: 0.036 * bulk },
    { ...hand, r: 0.024 * bulk },
  ])
}

const shirtColors = ['#e0a93a', '#c8453a', '#3f8a86'].map(hex)

/** A skateboarder who jumps with the board once in each cycle. */
export const skateboarder: Model = {
  height: 0.3,
  reach: { side: 0.66, up: 1.5, down: 0.08 },
  cycle: { poseCount: 14, pace: 0.42 },
  variantCount: 3,
  draw(figure, phase, { color, variant }) {
    const top = color ?? shirtColors[variant % shirtColors.length] ?? [224, 169, 58]
    const jump = phase > 0.42 && phase < 0.84 ? Math.sin(((phase - 0.42) / 0.42) * Math.PI) : 0
    const crouchBefore = Math.exp(-(((phase - 0.36) / 0.07) ** 2))
    const clothes = { top, legs: hex('#3a4a6c'), cap: hex('#23252e'), bulk: 1 }
    const tilt = jump > 0 ? 0.42 * Math.cos(((phase - 0.42) / 0.42) * Math.PI) : 0
    const stance = { lift: jump * 0.34, tilt, crouch: 0.35 + 0.4 * crouchBefore + 0.45 * jump, swing: jump - crouchBefore * 0.5 }
    drawBoarder(figure, clothes, stance, {
      deckHeight: 0.1,
      draw(context) {
        context.fillStyle = '#e9e2d2'
        for (const x of [-0.19, 0.19]) {
          fillEllipse(context, x, -0.036, 0.036)
          context.fillRect(x - 0.012, -0.08, 0.024, 0.04)
        }
        context.fillStyle = '#c8452a'
        fillRibbon(context, [
          { x: -0.36, y: -0.135, r: 0.014 },
          { x: -0.26, y: -0.092, r: 0.018 },
          { x: 0.26, y: -0.092, r: 0.018 },
          { x: 0.36, y: -0.135, r: 0.014 },
        ])
      },
    })
  },
}

/** A skier or snowboarder with snow flying up behind. */
export function snowGlider(equipment: 'skis' | 'board'): Walker {
  return {
    height: 0.29,
    reach: { side: 0.98, up: 1.05, down: 0.1 },
    cycle: { poseCount: 12, pace: 0.5 },
    stride: 2.4,
    pace: 0.5,
    variantCount: 3,
    draw(figure, phase, { color, variant }) {
      const turn = phase * Math.PI * 2
      const top = color ?? [hex('#d8452f'), hex('#2f7ac0'), hex('#e0a93a')][variant % 3] ?? [216, 69, 47]
      const clothes = { top, legs: hex('#2c3040'), cap: scaleRgb(top, 0.7), bulk: 1.22, hasGoggles: true }
      figure.part(
        (context) => {
          context.fillStyle = '#f2f6fc'
          for (let flake = 0; flake < 22; flake++) {
            const age = (flake / 22 + phase) % 1
            const lift = Math.sin(age * Math.PI) * (0.1 + 0.2 * ((flake * 7) % 5) * 0.25)
            fillEllipse(context, -0.3 - age * 0.58, -0.02 - lift, 0.05 * (1 - age) + 0.008)
          }
        },
        { volume: 0.3, thickness: 0.1 },
      )
      const stance = {
        lift: 0.01,
        tilt: 0.03 * Math.sin(turn),
        crouch: 0.55 + 0.22 * Math.sin(turn),
        swing: Math.sin(turn) * 0.6,
      }
      drawBoarder(figure, clothes, stance, {
        deckHeight: 0.05,
        hasPole: equipment === 'skis',
        draw(context) {
          const isBoard = equipment === 'board'
          context.fillStyle = isBoard ? '#2fa0a8' : '#e8e4da'
          const [halfWidth, r] = isBoard ? [0.42, 0.026] : [0.6, 0.015]
          fillRibbon(context, [
            { x: -halfWidth, y: isBoard ? -0.07 : -0.03, r: r * 0.7 },
            { x: -halfWidth * 0.75, y: -0.03, r },
            { x: halfWidth * 0.75, y: -0.03, r },
            { x: halfWidth, y: -0.085, r: r * 0.7 },
          ])
        },
      })
    },
  }
}

/** A surfer in front of a breaking wave. One unit is the height of the rider, not of the wave. */
export const surfer: Model = {
  height: 0.23,
  reach: { side: 2.05, up: 1.68, down: 0.3 },
  cycle: { poseCount: 10, pace: 0.55 },
  variantCount: 2,
  draw(figure, phase, { color, variant }) {
    const turn = phase * Math.PI * 2
    drawWave(figure, phase)
    const clothes = {
      top: color ?? (variant ? hex('#d8452f') : hex('#23303e')),
      legs: hex('#23303e'),
      cap: undefined,
      bulk: 0.95,
    }
    const stance = {
      lift: 0.2 + 0.03 * Math.sin(turn),
      tilt: 0.1 + 0.06 * Math.cos(turn),
      crouch: 0.6 + 0.25 * Math.sin(turn),
      swing: Math.cos(turn) * 0.7,
    }
    drawBoarder(figure, clothes, stance, {
      deckHeight: 0.06,
      draw(context) {
        context.fillStyle = '#f6eeda'
        fillRibbon(context, [
          { x: -0.5, y: -0.04, r: 0.014 },
          { x: -0.2, y: -0.035, r: 0.03 },
          { x: 0.25, y: -0.04, r: 0.028 },
          { x: 0.58, y: -0.1, r: 0.008 },
        ])
        context.fillStyle = '#d8452f'
        context.fillRect(-0.1, -0.06, 0.3, 0.016)
      },
    })
    figure.part(
      (context) => {
        context.fillStyle = 'rgba(246,252,255,0.9)'
        for (let drop = 0; drop < 26; drop++) {
          const age = (drop / 26 + phase) % 1
          const lift = Math.sin(age * Math.PI) * (0.06 + 0.05 * (drop % 4))
          fillEllipse(context, -0.35 - age * 0.95, -0.1 - lift, 0.07 * (1 - age) + 0.012)
        }
      },
      { volume: 0.3, thickness: 0.1 },
    )
  },
}

/** Draws a wave that curls to the right, with foam on its crest and at its foot. */
function drawWave(figure: Figure, phase: number): void {
  const turn = phase * Math.PI * 2
  const crest = 0.05 * Math.sin(turn)
  figure.part(
    (context) => {
      context.fillStyle = blend(context, [0, -1.5], [0, 0.05], [hex('#7fd6cc'), hex('#2f9aa6'), hex('#186a86'), hex('#0f4a68')])
      fillCurve(context, [
        [-1.8, 0.1],
        [-1.78, -0.5],
        [-1.5, -1.1],
        [-0.95, -1.45],
        [-0.3, -1.4 + crest],
        [0.06, -1.12 + crest],
        [-0.22, -1.16],
        [-0.5, -0.98],
        [-0.3, -0.42],
        [0.4, -0.2],
        [1.2, -0.14],
        [1.84, 0.02],
        [1.7, 0.11],
        [0.0, 0.12],
      ])
      context.strokeStyle = 'rgba(220,250,248,0.4)'
      context.lineWidth = 0.02
      for (let line = 0; line < 6; line++) {
        const linePhase = (line + phase) / 6
        context.beginPath()
        context.moveTo(-1.6 + linePhase * 0.9, -0.1 - linePhase * 0.1)
        context.quadraticCurveTo(-1.5 + linePhase * 0.7, -0.9 - linePhase * 0.2, -1.0 + linePhase * 0.6, -1.3)
        context.stroke()
      }
    },
    { thickness: 0.4, volume: 0.5 },
  )
  figure.part(
    (context) => {
      context.fillStyle = '#f4fbff'
      fillRibbon(context, [
        { x: -1.5, y: -1.08, r: 0.02 },
        { x: -0.95, y: -1.42, r: 0.06 },
        { x: -0.3, y: -1.37 + crest, r: 0.08 },
        { x: 0.06, y: -1.1 + crest, r: 0.06 },
        { x: 0.0, y: -0.98 + crest * 2, r: 0.02 },
      ])
      for (let puff = 0; puff < 15; puff++)
        fillEllipse(
          context,
          -1.7 + puff * 0.1,
          0.02 - 0.06 * Math.sin(turn + puff * 1.7) - (puff < 8 ? 0.12 : 0.02),
          0.09 + 0.05 * Math.sin(puff * 2.3) - puff * 0.002,
        )
    },
    { volume: 0.5, thickness: 0.12 },
  )
}
