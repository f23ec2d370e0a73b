import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, scaleRgb, type Rgb } from '../../../picture/color.ts'
import type { SubjectKind } from '../../prompt/subject-words.ts'
import { blend, fillEllipse, fillGlow, fillRibbon, jointOf } from '../brush.ts'
import type { Figure } from '../figure.ts'
import type { Rider } from '../../prompt/scene-brief.ts'
import { headgears } from './headgear.ts'
import { drawProfile } from './profile.ts'

/** Position of a rider in the mount's units, and the rider's scale. */
export interface Seat {
  x: number
  y: number
  size: number
}

interface RiderClothes {
  body: Rgb
  legs: Rgb
  hands: Rgb
  /** Factor on the thickness of limbs and body. */
  bulk: number
}

const clothesByKind: Partial<Record<SubjectKind, RiderClothes>> = {
  astronaut: { body: hex('#eceef2'), legs: hex('#e2e4ea'), hands: hex('#8b95a3'), bulk: 1.4 },
  robot: { body: hex('#d5dae0'), legs: hex('#5a6472'), hands: hex('#5a6472'), bulk: 1.2 },
  woman: { body: hex('#c9485b'), legs: hex('#4a3a40'), hands: hex('#e6b896'), bulk: 0.9 },
  knight: { body: hex('#a7b1bd'), legs: hex('#8b95a3'), hands: hex('#8b95a3'), bulk: 1.1 },
  samurai: { body: hex('#8c2f2c'), legs: hex('#2c2a36'), hands: hex('#d9a582'), bulk: 1.1 },
  queen: { body: hex('#6a2f86'), legs: hex('#4a2060'), hands: hex('#e6b896'), bulk: 0.95 },
  child: { body: hex('#f0b429'), legs: hex('#2e4a6a'), hands: hex('#e6b896'), bulk: 0.95 },
}
const plainClothes: RiderClothes = { body: hex('#7a4a34'), legs: hex('#2e2d3a'), hands: hex('#d9a582'), bulk: 1 }

/** Draws a rider who sits astride and holds the reins. `sway` is the offset of the moving mount. */
export function drawRider(figure: Figure, { kind, color }: Rider, seat: Seat, sway: { x: number; y: number }): void {
  const clothes = clothesByKind[kind] ?? plainClothes
  const body = color ?? clothes.body
  const { bulk } = clothes
  const onSeat = (draw: (context: SKRSContext2D) => void) => (context: SKRSContext2D) => {
    context.translate(seat.x + sway.x, seat.y + sway.y)
    context.scale(seat.size, seat.size)
    draw(context)
  }
  figure.part(
    onSeat((context) => {
      context.fillStyle = css(body)
      fillRibbon(context, [
        { x: -0.02, y: 0.02, r: 0.1 * bulk },
        { x: -0.01, y: -0.18, r: 0.082 * bulk },
        { x: 0.03, y: -0.36, r: 0.09 * bulk },
        { x: 0.04, y: -0.42, r: 0.05 * bulk },
      ])
    }),
    { thickness: 0.2 * seat.size },
  )
  figure.part(
    onSeat((context) => {
      const knee = { x: 0.22, y: 0.14 }
      context.fillStyle = css(clothes.legs)
      fillRibbon(context, [
        { x: -0.02, y: 0.03, r: 0.085 * bulk },
        { x: 0.12, y: 0.08, r: 0.076 * bulk },
        { ...knee, r: 0.058 * bulk },
        { x: 0.17, y: 0.28, r: 0.05 * bulk },
        { x: 0.13, y: 0.42, r: 0.038 * bulk },
      ])
      context.fillStyle = css(hex('#2a2024'))
      fillRibbon(context, [
        { x: 0.125, y: 0.43, r: 0.044 },
        { x: 0.22, y: 0.47, r: 0.026 },
      ])
    }),
    { thickness: 0.12 * seat.size, rim: 0.7 },
  )
  figure.part(
    onSeat((context) => {
      const shoulder = { x: 0.03, y: -0.36 }
      const hand = { x: 0.28, y: -0.14 }
      const elbow = jointOf(shoulder, hand, 0.17, 0.17, 1)
      context.fillStyle = css(clothes.hands)
      fillEllipse(context, hand.x + 0.01, hand.y, 0.034 * bulk)
      context.fillStyle = css(scaleRgb(body, 0.9))
      fillRibbon(context, [
        { ...shoulder, r: 0.058 * bulk },
        { ...elbow, r: 0.044 * bulk },
        { ...hand, r: 0.032 * bulk },
      ])
      context.strokeStyle = css(hex('#2e211a'))
      context.lineWidth = 0.012
      context.beginPath()
      context.moveTo(hand.x, hand.y)
      context.quadraticCurveTo(0.42, -0.06, 0.62, -0.24)
      context.stroke()
    }),
    { thickness: 0.1 * seat.size, rim: 0.7 },
  )
  figure.part(
    onSeat((context) => drawRidersHead(context, kind, body)),
    { thickness: 0.16 * seat.size },
  )
  if (kind === 'astronaut') figure.glow(onSeat(drawVisor))
  if (kind === 'robot') figure.glow(onSeat(drawEyes))
}

function drawRidersHead(context: SKRSContext2D, kind: SubjectKind, garmentColor: Rgb): void {
  if (kind === 'astronaut') {
    context.fillStyle = css(hex('#eceef2'))
    fillEllipse(context, 0.06, -0.55, 0.155, 0.15)
    return
  }
  if (kind === 'robot') {
    context.fillStyle = css(hex('#d5dae0'))
    context.beginPath()
    context.roundRect(-0.08, -0.66, 0.28, 0.23, 0.08)
    context.fill()
    context.fillStyle = css(hex('#1b2430'))
    context.beginPath()
    context.roundRect(0.04, -0.61, 0.15, 0.12, 0.05)
    context.fill()
    return
  }
  context.translate(0.06, -0.53)
  context.scale(1.1, 1.1)
  drawProfile(context, {
    skin: hex('#e0b294'),
    hair: hex('#33241c'),
    isLong: kind === 'woman' || kind === 'queen',
    stream: 0.06,
    cap: kind === 'man' ? hex('#5a3c28') : undefined,
  })
  headgears[kind]?.(context, garmentColor)
}

function drawVisor(context: SKRSContext2D): void {
  context.fillStyle = blend(
    context,
    [0.06, -0.65],
    [0.16, -0.46],
    [hex('#ffe9a8'), hex('#d08a2c'), hex('#5a3216'), hex('#2b1a18')],
  )
  fillEllipse(context, 0.115, -0.545, 0.098, 0.095)
  context.fillStyle = 'rgba(255,255,255,0.75)'
  fillEllipse(context, 0.14, -0.59, 0.026, 0.016, 0.5)
}

function drawEyes(context: SKRSContext2D): void {
  for (const x of [0.09, 0.15]) {
    fillGlow(context, x, -0.55, 0.07, [90, 240, 255], 0.8)
    context.fillStyle = '#d8fdff'
    fillEllipse(context, x, -0.55, 0.017, 0.024)
  }
}
