import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb } from '../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from './brush.ts'
import type { Figure } from './figure.ts'
import { drawHead } from './heads.ts'
import { drawLionMane } from './manes.ts'
import { drawSittingStripes } from './patterns.ts'
import type { Pose } from './pose.ts'
import type { Species } from './species.ts'

/**
 * Draws an animal such as a cat or a dog that sits upright, with its tail on the ground behind it.
 * The unit is the shoulder height of the walking animal.
 */
export function drawSitting(figure: Figure, animal: Species, phase: number): void {
  const turn = phase * Math.PI * 2
  const breath = Math.sin(turn) * 0.008
  const isBushy = animal.tail === 'brush' || animal.tail === 'drooping'
  figure.part(
    (context) => {
      context.fillStyle = css(scaleRgb(animal.coat, 0.72))
      drawForeLeg(context, animal, 0.3, 0.7)
    },
    { thickness: 0.1, rim: 0.4 },
  )
  figure.part((context) => drawTail(context, animal, Math.sin(turn) * 0.03, isBushy), { thickness: isBushy ? 0.16 : 0.08 })
  figure.part(
    (context) => {
      drawBody(context, animal, breath)
      if (animal.pattern === 'bars' || animal.pattern === 'stripes') drawSittingStripes(context, animal)
      drawForeLeg(context, animal, 0.24, 1)
      drawHaunch(context, animal)
    },
    { thickness: 0.32 },
  )
  figure.part(
    (context) => {
      const pose: Pose = { phase, bob: breath, pitch: 0, nod: { x: 0, y: Math.sin(turn + 1) * 0.006 } }
      const upright: Species = { ...animal, build: { ...animal.build, poll: { x: 0.17, y: -1.13 }, faceAngle: 0.06 } }
      if (animal.mane === 'lion') drawLionMane(context, upright, pose)
      drawHead(context, upright, pose)
    },
    { thickness: 0.2 },
  )
}

function drawBody(context: SKRSContext2D, { coat, dark, light, isPaleBelow }: Species, breath: number): void {
  const fill = context.createLinearGradient(-0.4, 0, 0.4, 0)
  fill.addColorStop(0, css(mixRgb(coat, dark, 0.12)))
  fill.addColorStop(1, css(coat))
  context.fillStyle = fill
  fillCurve(context, [
    [0.31, -1.08],
    [0.32, -0.92],
    [0.35 + breath, -0.68],
    [0.32, -0.42],
    [0.26, -0.12],
    [0.0, 0.0],
    [-0.3, 0.0],
    [-0.42, -0.1],
    [-0.42, -0.28],
    [-0.3, -0.48],
    [-0.13, -0.68],
    [-0.03, -0.88],
    [0.04, -1.1],
    [0.16, -1.2],
  ])
  if (!isPaleBelow) return
  context.save()
  context.globalCompositeOperation = 'source-atop'
  const chest = context.createRadialGradient(0.38, -0.7, 0, 0.38, -0.7, 0.26)
  chest.addColorStop(0, css(light, 0.95))
  chest.addColorStop(0.6, css(light, 0.7))
  chest.addColorStop(1, css(light, 0))
  context.fillStyle = chest
  context.fillRect(0, -1.1, 0.6, 0.8)
  context.restore()
}

function drawForeLeg(context: SKRSContext2D, { coat, dark, socks }: Species, x: number, shade: number): void {
  const fill = context.createLinearGradient(0, -0.6, 0, 0)
  // The upper end at the shoulder has no edge.
  fill.addColorStop(0.04, css(scaleRgb(coat, shade), shade < 1 ? 1 : 0))
  fill.addColorStop(0.4, css(scaleRgb(coat, shade)))
  fill.addColorStop(1, css(scaleRgb(socks ? dark : coat, shade)))
  context.fillStyle = fill
  fillRibbon(context, [
    { x: x - 0.02, y: -0.62, r: 0.1 },
    { x: x + 0.01, y: -0.34, r: 0.066 },
    { x: x + 0.02, y: -0.1, r: 0.052 },
    { x: x + 0.03, y: -0.05, r: 0.054 },
    { x: x + 0.1, y: -0.035, r: 0.036 },
  ])
}

function drawHaunch(context: SKRSContext2D, { coat, dark, socks }: Species): void {
  // A soft crease before the thigh.
  context.save()
  context.globalCompositeOperation = 'source-atop'
  context.strokeStyle = css(scaleRgb(dark, 0.5), 0.09)
  for (const width of [0.06, 0.035]) {
    context.lineWidth = width
    context.beginPath()
    context.arc(-0.17, -0.22, 0.21, -1.5, 1.1)
    context.stroke()
  }
  context.restore()
  context.fillStyle = css(coat)
  fillEllipse(context, -0.18, -0.21, 0.21, 0.2)
  context.fillStyle = css(socks ? mixRgb(coat, dark, 0.75) : mixRgb(coat, dark, 0.06))
  fillRibbon(context, [
    { x: -0.18, y: -0.05, r: 0.055 },
    { x: 0.02, y: -0.045, r: 0.05 },
    { x: 0.12, y: -0.036, r: 0.036 },
  ])
}

function drawTail(context: SKRSContext2D, { coat, dark, light, tail }: Species, sway: number, isBushy: boolean): void {
  const thickness = isBushy ? 0.11 : 0.042
  context.fillStyle = css(mixRgb(coat, dark, 0.1))
  fillRibbon(context, [
    { x: -0.36, y: -0.1, r: thickness * 0.7 },
    { x: -0.56, y: -0.07 + sway * 0.5, r: thickness },
    { x: -0.7, y: -0.12 + sway, r: thickness },
    { x: -0.78 + sway, y: -0.24 + sway, r: thickness * (isBushy ? 0.3 : 0.7) },
  ])
  if (tail !== 'brush') return
  context.save()
  context.globalCompositeOperation = 'source-atop'
  context.fillStyle = css(light)
  fillEllipse(context, -0.79, -0.22 + sway, 0.12, 0.13)
  context.restore()
}
