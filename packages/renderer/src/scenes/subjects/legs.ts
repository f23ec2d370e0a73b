import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { fillRibbon, jointOf, traceRibbon, type Point, type Station } from './brush.ts'
import type { Build, Limb } from './builds.ts'
import { stepAt, type Gait, type Step } from './gait.ts'
import type { Pose } from './pose.ts'
import type { Species } from './species.ts'

export interface Leg {
  stations: readonly Station[]
  ankle: Point
  toe: Point
  /** Lift of the heel from the ground, in radians. */
  roll: number
  /** Half the foot's width. */
  foot: number
}

/**
 * Returns a fore leg. The elbow is at the chest, and the wrist bends forward while the foot swings.
 */
export function foreLeg({ fore }: Build, gait: Gait, phase: number, sideShift: number, { bob, pitch }: Pose): Leg {
  const step = stepAt(gait, phase)
  const root = { x: fore.x + sideShift * 0.4 + step.ahead * 0.035, y: fore.y + bob + pitch * fore.x }
  const { toe, ankle, roll } = footOf(fore, step, sideShift)
  const length = legLength(fore, gait)
  const wrist = jointOf(root, ankle, length * fore.upper, length * (1 - fore.upper), 1)
  const [inBody, elbow, aboveJoint, joint, belowJoint, aboveFoot, foot] = fore.widths
  return {
    stations: [
      { x: root.x - 0.03, y: root.y - 0.12, r: inBody },
      { ...pointBetween(root, wrist, 0.24), r: elbow },
      { ...pointBetween(root, wrist, 0.68), r: aboveJoint },
      { ...wrist, r: joint },
      { ...pointBetween(wrist, ankle, 0.5), r: belowJoint },
      { ...ankle, r: aboveFoot },
    ],
    ankle,
    toe,
    roll,
    foot,
  }
}

/**
 * Returns a hind leg. The knee bends forward and the hock backward. The heel rises before the foot
 * leaves the ground.
 */
export function hindLeg({ hind }: Build, gait: Gait, phase: number, sideShift: number, { bob, pitch }: Pose): Leg {
  const step = stepAt(gait, phase)
  const root = { x: hind.x + sideShift * 0.4, y: hind.y + bob + pitch * hind.x }
  // The foot stands under the buttock, behind the hip.
  const { toe, ankle, roll } = footOf({ ...hind, x: hind.x - 0.09 }, step, sideShift)
  const cannon = -hind.y * 0.36
  const lean = -0.08 - 0.4 * step.ahead + 0.5 * step.swing
  const hock = { x: ankle.x + Math.sin(lean) * cannon, y: ankle.y - Math.cos(lean) * cannon }
  const length = Math.hypot(-hind.y - cannon - hind.ankle, gait.standDistance * 0.3)
  const knee = jointOf(root, hock, length * 0.54, length * 0.56, 1)
  const [inBody, thigh, aboveJoint, joint, belowJoint, aboveFoot, foot] = hind.widths
  return {
    stations: [
      { x: root.x - 0.04, y: root.y - 0.04, r: inBody },
      { ...pointBetween(root, knee, 0.6), r: thigh },
      { ...pointBetween(knee, hock, 0.22), r: aboveJoint },
      { ...pointBetween(knee, hock, 0.72), r: (aboveJoint + joint) * 0.42 },
      { ...hock, r: joint },
      { ...pointBetween(hock, ankle, 0.5), r: belowJoint },
      { ...ankle, r: aboveFoot },
    ],
    ankle,
    toe,
    roll,
    foot,
  }
}

/** Returns the length of a leg that can reach almost every position of its foot. */
function legLength({ y, ankle }: Limb, { standDistance }: Gait): number {
  return Math.hypot(-y - ankle, standDistance * 0.4)
}

function footOf({ x, ankle }: Limb, step: Step, sideShift: number): Pick<Leg, 'toe' | 'ankle' | 'roll'> {
  const toe = { x: x + sideShift + step.x + 0.03, y: -step.lift - sideShift * 0.3 - 0.012 }
  // The heel leaves the ground when the foot is behind. A swinging foot hangs.
  const rollShare = step.swing > 0 ? 0.3 + 0.7 * step.swing : Math.max(0, -step.ahead - 0.35) * 0.9
  const tilt = 0.42 - 1.1 * rollShare
  return { toe, roll: rollShare * 1.1, ankle: { x: toe.x - Math.sin(tilt) * ankle, y: toe.y - Math.cos(tilt) * ankle } }
}

function pointBetween(a: Point, b: Point, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }
}

/**
 * Draws a leg. If `isOverBody` is set, the body is already drawn, and the edge between leg and body
 * is soft.
 */
export function drawLeg(context: SKRSContext2D, animal: Species, leg: Leg, shade: (color: Rgb) => Rgb, isOverBody = false): void {
  const { coat, dark } = animal
  const socks = animal.socks ?? 0
  if (isOverBody) {
    context.save()
    context.globalCompositeOperation = 'source-atop'
    const crease = context.createLinearGradient(0, -0.72, 0, -0.46)
    crease.addColorStop(0, css(scaleRgb(dark, 0.5), 0))
    crease.addColorStop(1, css(scaleRgb(dark, 0.5), 0.12))
    context.strokeStyle = crease
    traceRibbon(context, leg.stations.slice(2))
    for (const width of [0.075, 0.05, 0.025]) {
      context.lineWidth = width
      context.stroke()
    }
    context.restore()
  }
  const fill = context.createLinearGradient(0, -0.95, 0, 0)
  // Over the body, the upper end of the leg has no edge.
  fill.addColorStop(isOverBody ? 0.14 : 0, css(shade(coat), isOverBody ? 0 : 1))
  fill.addColorStop(0.3, css(shade(coat)))
  if (socks > 0) {
    fill.addColorStop(Math.max(0.31, 1 - socks / 0.95 - 0.12), css(shade(coat)))
    fill.addColorStop(1 - socks / 0.95 + 0.1, css(shade(dark)))
  }
  fill.addColorStop(1, css(shade(socks > 0 ? dark : mixRgb(coat, dark, 0.12))))
  context.fillStyle = fill
  fillRibbon(context, leg.stations)
  if (animal.foot === 'hoof') drawHoof(context, leg, shade(scaleRgb(dark, 0.7)))
  else drawPaw(context, leg)
}

function drawPaw(context: SKRSContext2D, { ankle, toe, foot }: Leg): void {
  traceRibbon(context, [
    { ...ankle, r: foot * 0.78 },
    { x: toe.x + foot * 0.15, y: toe.y - foot * 0.62, r: foot * 0.82 },
    { x: toe.x + foot * 0.85, y: toe.y - foot * 0.42, r: foot * 0.6 },
  ])
  context.fill()
}

function drawHoof(context: SKRSContext2D, { ankle, toe, foot, roll }: Leg, color: Rgb): void {
  traceRibbon(context, [
    { ...ankle, r: foot * 0.72 },
    { x: toe.x, y: toe.y - foot * 0.9, r: foot * 0.72 },
  ])
  context.fill()
  context.save()
  context.translate(toe.x, toe.y + 0.008)
  context.rotate(roll)
  context.fillStyle = css(color)
  context.beginPath()
  context.moveTo(-foot * 0.72, -foot * 1.15)
  context.lineTo(foot * 0.72, -foot * 1.15)
  context.lineTo(foot * 1.15, 0)
  context.lineTo(-foot * 0.95, 0)
  context.fill()
  context.restore()
}
