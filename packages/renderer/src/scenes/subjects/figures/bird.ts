import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon, type Point } from '../brush.ts'
import type { Model } from '../model.ts'

export interface Plumage {
  body: Rgb
  wing: Rgb
  /** Color of the wing tips. The tail is mixed from it and the color of the body. */
  tip: Rgb
  head: Rgb
  beak: Rgb
  /** Length and width of a wing, in the figure's units. */
  span: { length: number; width: number }
  /** Number of splayed feathers at the wing's end. */
  fingers: number
}

export const gull: Plumage = {
  body: hex('#f6f6f4'),
  wing: hex('#c3cad2'),
  tip: hex('#2a2c34'),
  head: hex('#fbfbf9'),
  beak: hex('#f0b13c'),
  span: { length: 0.62, width: 0.1 },
  fingers: 0,
}

export const eagle: Plumage = {
  body: hex('#5a3d28'),
  wing: hex('#6b4a30'),
  tip: hex('#33221a'),
  head: hex('#f2ebe0'),
  beak: hex('#f0b83c'),
  span: { length: 0.66, width: 0.17 },
  fingers: 5,
}

export const crow: Plumage = {
  body: hex('#2a2a34'),
  wing: hex('#34343f'),
  tip: hex('#1a1a22'),
  head: hex('#26262e'),
  beak: hex('#1c1b20'),
  span: { length: 0.52, width: 0.14 },
  fingers: 4,
}

export const swallow: Plumage = {
  body: hex('#3f5f86'),
  wing: hex('#4a6a92'),
  tip: hex('#26384f'),
  head: hex('#46658c'),
  beak: hex('#2a2a30'),
  span: { length: 0.52, width: 0.1 },
  fingers: 0,
}

/**
 * A bird that flies to the right. It is about 0.75 long. It glides for `glideShare` of each cycle.
 */
export function flyingBird(
  plumage: Plumage,
  { height, pace, glideShare }: { height: number; pace: number; glideShare: number },
): Model {
  return {
    height,
    reach: { side: 0.7, up: 0.96, down: 0.8 },
    cycle: { poseCount: 14, pace },
    draw(figure, phase, { color }) {
      const coloredPlumage = color
        ? { ...plumage, body: color, wing: mixRgb(color, plumage.wing, 0.35), head: mixRgb(color, plumage.head, 0.4) }
        : plumage
      // At the end of each cycle, the wings are still and slightly raised.
      const beat = phase > 1 - glideShare ? 0.22 : 0.22 + Math.sin((phase / (1 - glideShare)) * Math.PI * 2) * 0.62
      figure.part((context) => drawWing(context, coloredPlumage, beat, 'far'), { thickness: 0.14 })
      figure.part((context) => drawBody(context, coloredPlumage), { thickness: 0.12 })
      figure.part((context) => drawWing(context, coloredPlumage, beat, 'near'), { thickness: 0.14 })
    },
  }
}

function drawBody(context: SKRSContext2D, { body, tip, head, beak }: Plumage): void {
  context.fillStyle = css(mixRgb(body, tip, 0.55))
  fillCurve(context, [
    [-0.14, -0.02],
    [-0.36, -0.055],
    [-0.43, -0.03],
    [-0.38, 0.0],
    [-0.43, 0.03],
    [-0.16, 0.05],
  ])
  context.fillStyle = css(body)
  fillRibbon(context, [
    { x: -0.2, y: 0.01, r: 0.028 },
    { x: -0.04, y: 0.015, r: 0.064 },
    { x: 0.12, y: -0.005, r: 0.054 },
    { x: 0.2, y: -0.025, r: 0.036 },
  ])
  context.fillStyle = css(head)
  fillEllipse(context, 0.22, -0.032, 0.05, 0.042)
  context.fillStyle = css(beak)
  fillCurve(context, [
    [0.255, -0.05],
    [0.3, -0.036],
    [0.318, -0.012],
    [0.29, -0.018],
    [0.255, -0.012],
  ])
  context.fillStyle = '#141216'
  fillEllipse(context, 0.236, -0.042, 0.009)
}

/** Drawn extent of a level wing, per unit of its length. */
const levelWings = { near: { x: -0.2, y: 0.5 }, far: { x: 0.06, y: -0.5 } } as const

/** Draws a wing. `beat` is 1 for up and -1 for down. The outer half of the wing moves less. */
function drawWing(
  context: SKRSContext2D,
  { wing, tip, span, fingers }: Plumage,
  beat: number,
  side: keyof typeof levelWings,
): void {
  const { length, width } = span
  const pointFrom = (length: number, angle: number): Point => ({
    x: levelWings[side].x * length * Math.cos(angle),
    y: levelWings[side].y * length * Math.cos(angle) - length * Math.sin(angle),
  })
  const shade = side === 'near' ? 1 : 0.74
  const root = { x: 0.08, y: side === 'near' ? 0.0 : -0.03 }
  const liftAngle = beat * 1.05
  const arm = pointFrom(length * 0.46, liftAngle + 0.12)
  const elbow = { x: root.x + arm.x + 0.05, y: root.y + arm.y }
  const hand = pointFrom(length * 0.62, liftAngle * 0.72 - 0.1)
  const end = { x: elbow.x + hand.x - 0.12, y: elbow.y + hand.y }
  const middle = { x: (elbow.x + end.x) / 2, y: (elbow.y + end.y) / 2 }
  context.fillStyle = css(scaleRgb(wing, shade))
  fillCurve(context, [
    [root.x + 0.05, root.y],
    [elbow.x + 0.03, elbow.y],
    [middle.x + 0.05, middle.y],
    [end.x + 0.01, end.y],
    [end.x - 0.02, end.y],
    [middle.x - width * 0.95, middle.y],
    [elbow.x - width * 1.7, elbow.y],
    [root.x - width * 1.9, root.y + 0.01],
  ])
  context.fillStyle = css(scaleRgb(tip, shade))
  if (fingers === 0) {
    fillCurve(context, [
      [middle.x + (end.x - middle.x) * 0.5 + 0.03, middle.y + (end.y - middle.y) * 0.5],
      [end.x + 0.012, end.y],
      [end.x - 0.02, end.y],
      [middle.x + (end.x - middle.x) * 0.4 - width * 0.5, middle.y + (end.y - middle.y) * 0.4],
    ])
    return
  }
  for (let finger = 0; finger < fingers; finger++) {
    const share = finger / (fingers - 1)
    const from = {
      x: middle.x + (end.x - middle.x) * (0.7 - 0.2 * share) - width * 0.55 * share,
      y: middle.y + (end.y - middle.y) * (0.7 - 0.2 * share),
    }
    const direction = { x: end.x - middle.x, y: end.y - middle.y }
    fillRibbon(context, [
      { ...from, r: 0.022 },
      { x: from.x + direction.x * 0.4 - 0.02 * share, y: from.y + direction.y * 0.4, r: 0.018 },
      {
        x: from.x + direction.x * (0.95 - 0.25 * share) - 0.07 * share,
        y: from.y + direction.y * (0.95 - 0.25 * share),
        r: 0.004,
      },
    ])
  }
}
