import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillCurve, fillEllipse, fillGlow, fillRibbon } from '../brush.ts'
import type { SubjectKind } from '../../prompt/subject-words.ts'
import type { Walker } from '../walk.ts'
import { headgears } from './headgear.ts'
import { bobOf, drawPerson, walkingPerson, personLookFor, type Outfit } from './person.ts'

/** Clothes and tool of a trade. */
interface Trade {
  outfit: Outfit
  garment: Rgb
  legs: Rgb
  hair?: Rgb
  /** Draws decorations on the garment, clipped to its outline. `color` is that of the garment. */
  drawTrim: (context: SKRSContext2D, color: Rgb) => void
  /** Draws the tool in the near hand. The hand is at 0.13, -0.72. */
  drawTool?: (context: SKRSContext2D) => void
  /** Draws the part of the tool that emits light. */
  drawShine?: (context: SKRSContext2D) => void
}

const steel = hex('#a7b1bd')
const gold = '#e2b440'

const trades = {
  knight: {
    outfit: 'suit',
    garment: steel,
    legs: hex('#8b95a3'),
    drawTrim: (context, color) => {
      context.fillStyle = blend(context, [-0.1, -0.8], [0.1, -0.5], [scaleRgb(color, 0.75), scaleRgb(color, 1.25), color])
      context.fillRect(-0.2, -0.9, 0.4, 0.5)
      context.strokeStyle = css(scaleRgb(color, 0.5))
      context.lineWidth = 0.012
      for (const y of [-0.6, -0.55, -0.5]) {
        context.beginPath()
        context.moveTo(-0.12, y)
        context.quadraticCurveTo(0, y + 0.025, 0.12, y)
        context.stroke()
      }
      context.fillStyle = css(scaleRgb(color, 1.2))
      fillEllipse(context, -0.01, -0.79, 0.07, 0.05)
    },
    drawTool: (context) => {
      context.fillStyle = '#4a3222'
      fillRibbon(context, [
        { x: 0.12, y: -0.66, r: 0.012 },
        { x: 0.14, y: -0.77, r: 0.012 },
      ])
      context.fillStyle = gold
      fillRibbon(context, [
        { x: 0.08, y: -0.765, r: 0.012 },
        { x: 0.2, y: -0.785, r: 0.012 },
      ])
      context.fillStyle = '#e6ecf2'
      fillCorners(context, [
        [0.126, -0.78],
        [0.158, -0.785],
        [0.216, -1.17],
        [0.204, -1.2],
        [0.186, -1.17],
      ])
    },
  },
  chef: {
    outfit: 'suit',
    garment: hex('#f2f0ea'),
    legs: hex('#3a3d48'),
    drawTrim: (context, color) => {
      context.fillStyle = '#c23a2c'
      fillCorners(context, [
        [-0.05, -0.87],
        [0.08, -0.87],
        [0.05, -0.81],
        [-0.03, -0.82],
      ])
      context.fillStyle = '#2a2a30'
      for (const y of [-0.77, -0.72, -0.67]) for (const x of [0.015, 0.06]) fillEllipse(context, x, y, 0.008)
      context.strokeStyle = css(scaleRgb(color, 0.6))
      context.lineWidth = 0.014
      context.beginPath()
      context.moveTo(-0.12, -0.605)
      context.lineTo(0.12, -0.605)
      context.stroke()
    },
    drawTool: (context) => {
      context.fillStyle = '#26262c'
      fillRibbon(context, [
        { x: 0.12, y: -0.7, r: 0.011 },
        { x: 0.24, y: -0.73, r: 0.01 },
      ])
      fillCorners(context, [
        [0.23, -0.76],
        [0.44, -0.76],
        [0.41, -0.7],
        [0.26, -0.7],
      ])
      for (const [x, y, color] of [
        [0.28, -0.83, '#d8452f'],
        [0.34, -0.9, '#5aa040'],
        [0.39, -0.84, '#f0a830'],
        [0.32, -0.785, '#5aa040'],
        [0.38, -0.78, '#d8452f'],
      ] as const) {
        context.fillStyle = color
        fillEllipse(context, x, y, 0.022, 0.017, x * 9)
      }
    },
  },
  artisan: {
    outfit: 'coat',
    garment: hex('#4f7a94'),
    legs: hex('#2e2d3a'),
    drawTrim: (context) => {
      context.fillStyle = '#8a5c38'
      context.fillRect(-0.3, -0.6, 0.6, 0.4)
      fillCorners(context, [
        [0.02, -0.77],
        [0.2, -0.77],
        [0.2, -0.58],
        [-0.02, -0.58],
      ])
      context.strokeStyle = '#5e3c22'
      context.lineWidth = 0.016
      context.beginPath()
      context.moveTo(-0.05, -0.86)
      context.lineTo(0.05, -0.76)
      context.moveTo(-0.2, -0.595)
      context.lineTo(0.2, -0.595)
      context.stroke()
      context.lineWidth = 0.01
      context.strokeRect(0.0, -0.47, 0.09, 0.09)
    },
  },
  firefighter: {
    outfit: 'coat',
    garment: hex('#6e5c3c'),
    legs: hex('#4c4230'),
    drawTrim: (context) => {
      for (const y of [-0.68, -0.34]) {
        context.fillStyle = '#d8e04a'
        context.fillRect(-0.3, y, 0.6, 0.05)
        context.fillStyle = '#eef0f2'
        context.fillRect(-0.3, y + 0.016, 0.6, 0.018)
      }
      context.fillStyle = '#2a2622'
      context.fillRect(-0.3, -0.56, 0.6, 0.03)
    },
  },
  medic: {
    outfit: 'coat',
    garment: hex('#eef1f2'),
    legs: hex('#3f8a8c'),
    drawTrim: (context, color) => {
      context.fillStyle = '#4aa3a4'
      fillCorners(context, [
        [-0.01, -0.88],
        [0.09, -0.88],
        [0.06, -0.7],
      ])
      context.strokeStyle = css(scaleRgb(color, 0.66))
      context.lineWidth = 0.009
      context.beginPath()
      context.moveTo(0.06, -0.7)
      context.quadraticCurveTo(0.05, -0.5, 0.08, -0.24)
      context.moveTo(-0.06, -0.52)
      context.lineTo(0.02, -0.52)
      context.stroke()
      context.strokeStyle = '#2e3440'
      context.lineWidth = 0.011
      context.beginPath()
      context.moveTo(-0.03, -0.87)
      context.quadraticCurveTo(0.0, -0.66, 0.055, -0.68)
      context.stroke()
      context.fillStyle = '#2e3440'
      fillEllipse(context, 0.055, -0.67, 0.018)
    },
  },
  wizard: {
    outfit: 'gown',
    garment: hex('#3b3f94'),
    legs: hex('#2a2c5c'),
    hair: hex('#dedad2'),
    drawTrim: (context, color) => {
      context.fillStyle = gold
      context.fillRect(-0.3, -0.61, 0.6, 0.03)
      for (const [x, y] of [
        [0.04, -0.36],
        [-0.06, -0.24],
        [0.12, -0.16],
        [-0.18, -0.12],
        [0.0, -0.74],
      ] as const)
        fillEllipse(context, x, y, 0.014)
      context.strokeStyle = css(scaleRgb(color, 0.6))
      context.lineWidth = 0.012
      for (const x of [-0.09, 0.03, 0.1]) {
        context.beginPath()
        context.moveTo(x * 0.4, -0.56)
        context.quadraticCurveTo(x, -0.3, x * 1.9, -0.03)
        context.stroke()
      }
    },
    drawTool: (context) => {
      context.fillStyle = '#5b3d26'
      fillRibbon(context, [
        { x: 0.16, y: -0.02, r: 0.014 },
        { x: 0.14, y: -0.6, r: 0.013 },
        { x: 0.15, y: -1.06, r: 0.016 },
      ])
    },
    drawShine: (context) => {
      fillGlow(context, 0.15, -1.1, 0.2, [130, 210, 255], 0.9)
      context.fillStyle = '#e4f8ff'
      fillEllipse(context, 0.15, -1.1, 0.036)
    },
  },
  samurai: {
    outfit: 'coat',
    garment: hex('#8c2f2c'),
    legs: hex('#2c2a36'),
    drawTrim: (context, color) => {
      context.fillStyle = css(scaleRgb(color, 0.62))
      for (const y of [-0.76, -0.7, -0.64, -0.46, -0.39, -0.32]) context.fillRect(-0.2, y, 0.4, 0.02)
      context.fillStyle = '#1f1e26'
      context.fillRect(-0.2, -0.58, 0.4, 0.06)
      context.fillStyle = css(scaleRgb(color, 1.25))
      fillCorners(context, [
        [-0.1, -0.84],
        [0.02, -0.84],
        [0.0, -0.66],
        [-0.13, -0.66],
      ])
    },
    drawTool: (context) => {
      context.fillStyle = '#1d1b22'
      fillRibbon(context, [
        { x: 0.1, y: -0.66, r: 0.012 },
        { x: 0.15, y: -0.79, r: 0.012 },
      ])
      context.fillStyle = gold
      fillEllipse(context, 0.15, -0.795, 0.03, 0.012, 0.4)
      context.fillStyle = '#e6ecf2'
      fillRibbon(context, [
        { x: 0.155, y: -0.8, r: 0.011 },
        { x: 0.215, y: -1.0, r: 0.011 },
        { x: 0.245, y: -1.2, r: 0.003 },
      ])
    },
  },
  cowboy: {
    outfit: 'suit',
    garment: hex('#d6c49c'),
    legs: hex('#3a4f78'),
    drawTrim: (context) => {
      context.fillStyle = '#6a4226'
      fillCurve(context, [
        [-0.11, -0.84],
        [0.0, -0.86],
        [0.03, -0.7],
        [0.02, -0.52],
        [-0.12, -0.5],
      ])
      context.fillStyle = '#c8352e'
      fillCorners(context, [
        [-0.06, -0.87],
        [0.09, -0.87],
        [0.05, -0.79],
      ])
      context.fillStyle = '#3a2618'
      context.fillRect(-0.2, -0.5, 0.4, 0.03)
      context.fillStyle = gold
      context.fillRect(0.05, -0.503, 0.03, 0.036)
    },
  },
  king: {
    outfit: 'coat',
    garment: hex('#9c2434'),
    legs: hex('#4a2030'),
    hair: hex('#8a5a30'),
    drawTrim: drawErmine,
  },
  queen: {
    outfit: 'gown',
    garment: hex('#6a2f86'),
    legs: hex('#6a2f86'),
    drawTrim: drawErmine,
  },
} as const satisfies Partial<Record<SubjectKind, Trade>>

/** Draws a white fur collar, a golden belt and a golden seam. */
function drawErmine(context: SKRSContext2D, color: Rgb): void {
  context.fillStyle = '#f4f0e8'
  fillRibbon(context, [
    { x: -0.1, y: -0.84, r: 0.035 },
    { x: 0.0, y: -0.82, r: 0.04 },
    { x: 0.09, y: -0.84, r: 0.03 },
  ])
  context.fillStyle = '#2a2622'
  for (const x of [-0.07, -0.02, 0.03]) fillEllipse(context, x, -0.815, 0.006, 0.012)
  context.fillStyle = gold
  context.fillRect(-0.3, -0.6, 0.6, 0.028)
  context.strokeStyle = gold
  context.lineWidth = 0.018
  context.beginPath()
  context.moveTo(0.05, -0.79)
  context.quadraticCurveTo(0.03, -0.5, 0.07, -0.03)
  context.stroke()
  context.strokeStyle = css(scaleRgb(color, 0.6))
  context.lineWidth = 0.01
  context.beginPath()
  context.moveTo(-0.04, -0.56)
  context.quadraticCurveTo(-0.06, -0.3, -0.12, -0.05)
  context.stroke()
}

export type TradeKind = keyof typeof trades

/** A person in the clothes of a trade. If the trade has a tool, it is in one hand. */
export function walkingTrade(kind: TradeKind): Walker {
  const trade: Trade = trades[kind]
  const walker = walkingPerson(trade.outfit)
  return {
    ...walker,
    reach: { side: 0.5, up: 1.34, down: 0.05 },
    draw(figure, phase, look) {
      const garment = look.color ?? trade.garment
      const personLook = personLookFor(trade.outfit, { ...look, color: garment }, trade.drawTool !== undefined)
      drawPerson(figure, phase, {
        ...personLook,
        legs: trade.legs,
        hair: trade.hair ?? personLook.hair,
        trade: { ...trade, drawHeadgear: headgears[kind] },
      })
      if (!trade.drawShine) return
      const { drawShine } = trade
      figure.glow((context) => {
        context.translate(0, bobOf(phase, look.motion))
        drawShine(context)
      })
    },
  }
}
