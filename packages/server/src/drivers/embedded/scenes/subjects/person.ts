import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import { fillTaper, jointOf, traceSmooth } from './brush.ts'

export interface PersonColours {
  coat: Rgb
  dark: Rgb
  skin: Rgb
  rim: Rgb
}

/** A walker in a long coat with a scarf, to the right; height 1, feet at 0, y grows down. */
export function drawPerson(context: SKRSContext2D, size: number, phase: number, { coat, dark, skin, rim }: PersonColours): void {
  const turn = phase * Math.PI * 2
  const bob = Math.abs(Math.sin(turn)) * 0.012
  context.save()
  context.scale(size, size)
  context.translate(0, -bob)
  const hip = { x: 0, y: -0.48 }
  for (const side of [1, 0]) {
    const step = turn + side * Math.PI
    const foot = { x: Math.cos(step) * 0.13, y: -Math.max(0, Math.sin(step)) * 0.06 + bob }
    const knee = jointOf(hip, foot, 0.25, 0.25, 1)
    context.fillStyle = css(side ? scaleRgb(dark, 0.7) : dark)
    fillTaper(context, hip, 0.06, knee, 0.042)
    fillTaper(context, knee, 0.042, { x: foot.x, y: foot.y - 0.03 }, 0.03)
    fillTaper(context, { x: foot.x - 0.005, y: foot.y - 0.024 }, 0.026, { x: foot.x + 0.055, y: foot.y - 0.016 }, 0.018)
  }
  const swing = Math.sin(turn) * 0.03
  const arm = (angle: number, colour: Rgb): void => {
    context.fillStyle = css(colour)
    const shoulder = { x: 0.005, y: -0.79 }
    const hand = { x: Math.sin(angle) * 0.26, y: -0.79 + Math.cos(angle) * 0.29 }
    const elbow = jointOf(shoulder, hand, 0.16, 0.16, -1)
    fillTaper(context, shoulder, 0.05, elbow, 0.04)
    fillTaper(context, elbow, 0.04, hand, 0.032)
    context.fillStyle = css(skin)
    fillTaper(context, hand, 0.026, { x: hand.x, y: hand.y + 0.015 }, 0.024)
  }
  arm(Math.cos(turn) * 0.45, scaleRgb(coat, 0.66))
  const fill = context.createLinearGradient(-0.12, 0, 0.14, 0)
  fill.addColorStop(0, css(scaleRgb(coat, 0.72)))
  fill.addColorStop(1, css(mixRgb(coat, rim, 0.18)))
  context.fillStyle = fill
  traceSmooth(context, [
    { x: -0.07, y: -0.84 },
    { x: 0.075, y: -0.84 },
    { x: 0.1, y: -0.66 },
    { x: 0.1, y: -0.48 },
    { x: 0.15 + swing, y: -0.28 },
    { x: 0, y: -0.27 },
    { x: -0.16 + swing, y: -0.27 },
    { x: -0.1, y: -0.5 },
    { x: -0.1, y: -0.7 },
  ])
  context.fill()
  arm(-Math.cos(turn) * 0.45, scaleRgb(coat, 0.9))
  context.fillStyle = css(skin)
  context.beginPath()
  context.ellipse(0.012, -0.905, 0.062, 0.072, 0, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = css(dark)
  traceSmooth(context, [
    { x: -0.07, y: -0.88 },
    { x: -0.065, y: -0.98 },
    { x: 0.02, y: -1.0 },
    { x: 0.075, y: -0.95 },
    { x: 0.02, y: -0.94 },
    { x: -0.01, y: -0.89 },
  ])
  context.fill()
  context.fillStyle = css(mixRgb(coat, rim, 0.45))
  fillTaper(context, { x: -0.03, y: -0.835 }, 0.03, { x: 0.05, y: -0.83 }, 0.03)
  fillTaper(context, { x: -0.05, y: -0.83 }, 0.024, { x: -0.17, y: -0.77 + swing }, 0.016)
  context.strokeStyle = css(rim, 0.7)
  context.lineWidth = 0.01
  context.beginPath()
  context.moveTo(0.075, -0.8)
  context.quadraticCurveTo(0.11, -0.6, 0.13 + swing, -0.32)
  context.stroke()
  context.restore()
}
