import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon, jointOf, traceCurve, type Pairs, type Point } from '../brush.ts'
import type { Figure } from '../figure.ts'
import { stepAt, strideLength, type FootPath, type Step } from '../gait.ts'
import type { Motion } from '../../prompt/scene-brief.ts'
import type { Look } from '../model.ts'
import type { Walker } from '../walk.ts'
import { drawProfile } from './profile.ts'

const stroll: FootPath = { duty: 0.6, standDistance: 0.36, lift: 0.05 }
const jog: FootPath = { duty: 0.4, standDistance: 0.5, lift: 0.13 }

export type Outfit = 'coat' | 'dress' | 'child' | 'gown' | 'suit' | 'kit'

interface PersonLook {
  motion: Motion | undefined
  outfit: Outfit
  garment: Rgb
  legs: Rgb
  skin: Rgb
  hair: Rgb
  /** Whether one hand holds an object in front of the shoulder. */
  holdsUp: boolean
  trade?: TradeLook
}

/** Marks of a trade, drawn in place of the seams, the scarf or the veil of other people. */
interface TradeLook {
  drawTrim: (context: SKRSContext2D, color: Rgb) => void
  drawTool?: (context: SKRSContext2D) => void
  drawHeadgear: ((context: SKRSContext2D, color: Rgb) => void) | undefined
}

const garmentColors: Record<Outfit, readonly Rgb[]> = {
  coat: ['#b23e30', '#2f4a63', '#6b6a4a', '#4a3b52'].map(hex),
  dress: ['#c9485b', '#e3b23c', '#3f8a86', '#8c5aa8'].map(hex),
  child: ['#f0b429', '#d8452f', '#3f8fc8', '#5aa05a'].map(hex),
  gown: ['#f6f2ec'].map(hex),
  suit: ['#23252e'].map(hex),
  kit: ['#d23c34', '#2f62b8', '#f0ece2', '#2f8a5a'].map(hex),
}
const skinColors = ['#e6b896', '#c98f66', '#8d5a3c', '#f0cdb0'].map(hex)
const hairColors = ['#2c201c', '#5b3a24', '#1c1a1e', '#8a5a30'].map(hex)

export function walkingPerson(outfit: Outfit): Walker {
  return {
    height: outfit === 'child' ? 0.2 : 0.28,
    reach: { side: 0.46, up: 1.2, down: 0.05 },
    cycle: { poseCount: 12, pace: 0.95 },
    stride: strideLength(stroll),
    pace: outfit === 'child' ? 1.15 : 0.95,
    run: { stride: strideLength(jog), pace: 1.4 },
    isBreathing: true,
    variantCount: 3,
    draw: (figure, phase, look) => drawPerson(figure, phase, personLookFor(outfit, look)),
  }
}

export function personLookFor(outfit: Outfit, { color, variant, motion }: Look, holdsUp = false): PersonLook {
  return {
    outfit,
    garment: color ?? pick(garmentColors[outfit], variant),
    legs: isBareLegged(outfit) ? pick(skinColors, variant) : outfit === 'gown' ? pick(garmentColors.gown, 0) : hex('#2e2d3a'),
    skin: pick(skinColors, variant),
    hair: pick(hairColors, variant + (isWomans(outfit) ? 1 : 0)),
    holdsUp,
    motion,
  }
}

function isWomans(outfit: Outfit): boolean {
  return outfit === 'dress' || outfit === 'gown'
}

function isBareLegged(outfit: Outfit): boolean {
  return outfit === 'dress' || outfit === 'kit'
}

function pick(from: readonly Rgb[], index: number): Rgb {
  return from[index % from.length] ?? [120, 90, 80]
}

function isResting(motion: Motion | undefined): boolean {
  return motion === 'rests' || motion === 'sits'
}

/** Returns the drop of the body at a phase of the stride. */
export function bobOf(phase: number, motion: Motion | undefined): number {
  const turn = phase * Math.PI * 2
  return isResting(motion) ? Math.sin(turn) * 0.003 : Math.cos(turn * 2) * (motion === 'runs' ? 0.02 : 0.008)
}

export function drawPerson(figure: Figure, phase: number, look: PersonLook): void {
  const { outfit, garment, skin, legs, motion, trade } = look
  const turn = phase * Math.PI * 2
  const isAtRest = isResting(motion)
  const isRunning = motion === 'runs'
  const bob = bobOf(phase, motion)
  const sway = Math.sin(turn) * (isAtRest ? 0.012 : isRunning ? 0.05 : 0.022)
  const swing = isAtRest ? 0.1 : Math.cos(turn) * (isRunning ? 0.95 : 0.44)
  const footPath = isRunning ? jog : stroll
  // The feet of a standing person are a little apart.
  const [nearPhase, farPhase] = isAtRest ? ([0.22, 0.4] as const) : ([phase, phase + 0.5] as const)
  figure.part(
    (context) => {
      drawLeg(context, stepAt(footPath, farPhase), bob, scaleRgb(legs, 0.75), outfit)
      drawArm(context, handAt(-swing, bob), bob, scaleRgb(garment, 0.66), scaleRgb(skin, 0.75))
    },
    { thickness: 0.06, rim: 0.4 },
  )
  figure.part(
    (context) => {
      drawLeg(context, stepAt(footPath, nearPhase), bob, legs, outfit)
      if (outfit === 'kit') drawShorts(context, bob)
      drawGarment(context, look, bob, sway)
    },
    { thickness: 0.18 },
  )
  const nearHand = look.holdsUp ? { x: 0.13, y: -0.72 + bob } : handAt(swing, bob)
  figure.part(
    (context) => {
      if (trade?.drawTool) {
        context.save()
        context.translate(0, bob)
        trade.drawTool(context)
        context.restore()
      }
      drawArm(context, nearHand, bob, scaleRgb(garment, 0.92), skin)
    },
    { thickness: 0.06, rim: 0.7 },
  )
  figure.part((context) => drawHeadAndScarf(context, look, bob, sway), { thickness: 0.12 })
}

/** Returns the position of a hand. `angle` is that of the arm ahead of the vertical, in radians. */
function handAt(angle: number, bob: number): Point {
  return { x: Math.sin(angle) * 0.29, y: -0.785 + bob + Math.cos(angle) * 0.31 }
}

function drawLeg(context: SKRSContext2D, step: Step, bob: number, color: Rgb, outfit: Outfit): void {
  const hip = { x: 0, y: -0.5 + bob }
  const lifted = step.swing > 0 ? 0.5 * step.swing : Math.max(0, -step.ahead - 0.4) * 0.5
  const ankle = { x: step.x - 0.02 + lifted * 0.03, y: -step.lift - 0.045 - lifted * 0.05 }
  const knee = jointOf(hip, ankle, 0.25, 0.235, 1)
  const slim = isWomans(outfit) ? 0.82 : 1
  context.fillStyle = css(color)
  fillRibbon(context, [
    { ...hip, r: 0.07 * slim },
    { x: (hip.x + knee.x) / 2, y: (hip.y + knee.y) / 2, r: 0.058 * slim },
    { ...knee, r: 0.042 * slim },
    { x: (knee.x + ankle.x) / 2 - 0.006, y: (knee.y + ankle.y) / 2, r: 0.038 * slim },
    { ...ankle, r: 0.024 * slim },
  ])
  context.fillStyle = css(outfit === 'child' ? hex('#b5412f') : outfit === 'gown' ? hex('#e8e2da') : hex('#2a2024'))
  const tip = { x: ankle.x + 0.075 - lifted * 0.03, y: ankle.y + 0.03 + lifted * 0.06 }
  fillRibbon(context, [
    { x: ankle.x - 0.008, y: ankle.y + 0.012, r: 0.03 },
    { x: tip.x - 0.035, y: tip.y - 0.004, r: 0.022 },
    { ...tip, r: 0.014 },
  ])
}

function drawArm(context: SKRSContext2D, hand: Point, bob: number, color: Rgb, skin: Rgb): void {
  const shoulder = { x: 0.0, y: -0.785 + bob }
  const elbow = jointOf(shoulder, hand, 0.165, 0.165, -1)
  context.fillStyle = css(skin)
  fillEllipse(context, hand.x + 0.004, hand.y + 0.014, 0.024, 0.028)
  context.fillStyle = css(color)
  fillRibbon(context, [
    { ...shoulder, r: 0.05 },
    { ...elbow, r: 0.038 },
    { x: hand.x, y: hand.y - 0.005, r: 0.028 },
  ])
}

function drawShorts(context: SKRSContext2D, bob: number): void {
  context.fillStyle = '#f2f0ea'
  fillCurve(context, [
    [-0.1, -0.56 + bob],
    [0.1, -0.56 + bob],
    [0.13, -0.4 + bob],
    [0.1, -0.32 + bob],
    [0, -0.36 + bob],
    [-0.1, -0.32 + bob],
    [-0.13, -0.4 + bob],
  ])
}

/** Outline of each garment, and the y below which it sways. */
const garmentShapes: Record<Outfit, { outline: Pairs; swayTop: number }> = {
  coat: {
    swayTop: -0.5,
    outline: [
      [-0.05, -0.86],
      [0.05, -0.86],
      [0.095, -0.78],
      [0.088, -0.64],
      [0.084, -0.54],
      [0.12, -0.4],
      [0.15, -0.26],
      [0.02, -0.235],
      [-0.15, -0.25],
      [-0.12, -0.4],
      [-0.082, -0.55],
      [-0.1, -0.68],
      [-0.095, -0.79],
    ],
  },
  dress: {
    swayTop: -0.56,
    outline: [
      [-0.045, -0.86],
      [0.045, -0.86],
      [0.082, -0.78],
      [0.078, -0.68],
      [0.056, -0.58],
      [0.11, -0.42],
      [0.2, -0.22],
      [0.02, -0.19],
      [-0.2, -0.21],
      [-0.12, -0.42],
      [-0.06, -0.58],
      [-0.085, -0.68],
      [-0.08, -0.79],
    ],
  },
  gown: {
    swayTop: -0.56,
    outline: [
      [-0.045, -0.86],
      [0.045, -0.86],
      [0.082, -0.78],
      [0.076, -0.68],
      [0.054, -0.59],
      [0.13, -0.36],
      [0.25, -0.04],
      [0.02, -0.02],
      [-0.34, -0.03],
      [-0.16, -0.36],
      [-0.06, -0.59],
      [-0.085, -0.68],
      [-0.08, -0.79],
    ],
  },
  suit: {
    swayTop: -0.4,
    outline: [
      [-0.06, -0.86],
      [0.06, -0.86],
      [0.1, -0.78],
      [0.092, -0.62],
      [0.1, -0.44],
      [0.0, -0.42],
      [-0.1, -0.44],
      [-0.092, -0.62],
      [-0.105, -0.78],
    ],
  },
  kit: {
    swayTop: -0.4,
    outline: [
      [-0.06, -0.86],
      [0.06, -0.86],
      [0.105, -0.77],
      [0.095, -0.6],
      [0.1, -0.5],
      [0.0, -0.48],
      [-0.1, -0.5],
      [-0.1, -0.6],
      [-0.11, -0.77],
    ],
  },
  child: {
    swayTop: -0.4,
    outline: [
      [-0.06, -0.84],
      [0.06, -0.84],
      [0.115, -0.76],
      [0.12, -0.6],
      [0.13, -0.42],
      [0.0, -0.39],
      [-0.13, -0.41],
      [-0.12, -0.6],
      [-0.12, -0.76],
    ],
  },
}

function drawGarment(context: SKRSContext2D, { outfit, garment: color, trade }: PersonLook, bob: number, sway: number): void {
  const { outline, swayTop } = garmentShapes[outfit]
  const swungOutline = outline.map(([x, y]) => [x + sway * Math.max(0, (y - swayTop) * 4), y + bob] as const)
  context.fillStyle = css(color)
  traceCurve(context, swungOutline)
  context.fill()
  context.clip()
  if (trade) {
    context.translate(0, bob)
    trade.drawTrim(context, color)
    return
  }
  context.strokeStyle = css(scaleRgb(color, 0.62), 0.75)
  context.lineWidth = 0.009
  if (outfit === 'suit') {
    context.fillStyle = '#f4f1ea'
    fillCurve(context, [
      [0.02, -0.86 + bob],
      [0.075, -0.86 + bob],
      [0.085, -0.74 + bob],
      [0.07, -0.66 + bob],
    ])
    return
  }
  if (outfit === 'kit') return
  if (isWomans(outfit)) {
    context.fillStyle = css(scaleRgb(color, 0.62))
    context.fillRect(-0.2, -0.6 + bob, 0.4, 0.024)
    for (const x of [-0.08, -0.02, 0.05]) {
      context.beginPath()
      context.moveTo(x * 0.4, -0.56 + bob)
      context.quadraticCurveTo(x * 0.8, -0.4, x * 1.9 + sway, -0.19 + bob)
      context.stroke()
    }
    return
  }
  if (outfit === 'coat') {
    context.fillStyle = css(scaleRgb(color, 0.58))
    context.fillRect(-0.2, -0.58 + bob, 0.4, 0.026)
  }
  context.beginPath()
  context.moveTo(0.055, -0.85 + bob)
  context.quadraticCurveTo(0.035, -0.6, 0.055 + sway, -0.24 + bob)
  context.stroke()
}

function drawHeadAndScarf(
  context: SKRSContext2D,
  { outfit, garment, skin, hair, trade }: PersonLook,
  bob: number,
  sway: number,
): void {
  context.save()
  const scale = outfit === 'child' ? 1.32 : 1
  context.translate(0.012, -0.93 + bob + (outfit === 'child' ? 0.01 : 0))
  context.scale(scale, scale)
  const isLong = isWomans(outfit)
  drawProfile(context, {
    skin,
    hair,
    isLong,
    stream: isLong ? 0.03 + Math.abs(sway) : 0,
    cap: outfit === 'child' ? scaleRgb(garment, 0.8) : undefined,
  })
  trade?.drawHeadgear?.(context, garment)
  context.restore()
  if (trade) return
  if (outfit === 'gown') {
    // The veil.
    context.fillStyle = 'rgba(250,248,244,0.82)'
    fillCurve(context, [
      [0.0, -1.03 + bob],
      [-0.07, -1.01 + bob],
      [-0.1, -0.9 + bob],
      [-0.16, -0.66 + bob],
      [-0.24 - sway, -0.42 + bob],
      [-0.1, -0.5 + bob],
      [-0.06, -0.76 + bob],
      [-0.04, -0.94 + bob],
    ])
  }
  if (outfit !== 'coat') return
  context.fillStyle = css(mixRgb(garment, [255, 244, 226], 0.55))
  fillCurve(context, [
    [-0.075, -0.87 + bob],
    [0.0, -0.85 + bob],
    [0.075, -0.875 + bob],
    [0.07, -0.825 + bob],
    [0.0, -0.8 + bob],
    [-0.07, -0.825 + bob],
  ])
  fillRibbon(context, [
    { x: -0.04, y: -0.84 + bob, r: 0.022 },
    { x: -0.12, y: -0.8 + sway * 0.4, r: 0.024 },
    { x: -0.19, y: -0.8 - sway, r: 0.012 },
  ])
}
