import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { fillEllipse, fillRibbon, traceSmooth } from './brush.ts'
import { pollOf, type Pose } from './pose.ts'
import type { Species } from './species.ts'

/** Draws the head in side view. Its origin is the poll, the joint of the head and the neck. */
export function drawHead(context: SKRSContext2D, animal: Species, pose: Pose): void {
  const { build, coat, dark, light, pattern } = animal
  const poll = pollOf(build, pose)
  const flick = Math.sin(pose.phase * Math.PI * 2 * 3) > 0.9 ? 0.16 : 0
  const face = pattern === 'panda' ? light : coat
  context.save()
  context.translate(poll.x, poll.y)
  context.rotate(build.faceAngle)
  context.scale(animal.headScale ?? 1, animal.headScale ?? 1)
  drawEar(context, animal, -0.03, scaleRgb(pattern === 'panda' ? dark : coat, 0.62), 0)
  if (animal.crown === 'antlers') drawAntlers(context, animal)
  const outline = build.head.map(([x, y]) => ({ x, y }))
  const fill = context.createLinearGradient(0, -0.12, 0, 0.18)
  fill.addColorStop(0, css(mixRgb(face, dark, pattern === 'panda' ? 0 : 0.1)))
  fill.addColorStop(1, css(mixRgb(face, light, 0.15)))
  context.fillStyle = fill
  traceSmooth(context, outline)
  context.fill()
  context.save()
  traceSmooth(context, outline)
  context.clip()
  if (animal.isPaleBelow) drawPaleJaw(context, animal)
  if (pattern) drawFaceMarks(context, animal)
  if (animal.foot === 'hoof' && animal.mane) drawMuzzle(context, animal)
  context.restore()
  drawEar(context, animal, 0.02, pattern === 'panda' ? dark : coat, flick)
  drawFeatures(context, animal)
  if (animal.crown === 'horn') drawHorn(context, build.ear.x + 0.11, build.ear.y - 0.01)
  context.restore()
}

/** Draws the light color of the jaw and the throat. */
function drawPaleJaw(context: SKRSContext2D, { build, light }: Species): void {
  const nose = build.nose
  context.fillStyle = css(light)
  traceSmooth(context, [
    { x: nose.x + 0.06, y: nose.y + 0.03 },
    { x: nose.x * 0.62, y: nose.y + 0.045 },
    { x: nose.x * 0.36, y: build.eye.y + 0.07 },
    { x: 0.02, y: 0.09 },
    { x: -0.12, y: 0.1 },
    { x: -0.06, y: 0.28 },
    { x: nose.x * 0.6, y: 0.24 },
  ])
  context.fill()
}

function drawFaceMarks(context: SKRSContext2D, { pattern, dark, build }: Species): void {
  context.fillStyle = css(dark, pattern === 'bars' ? 0.5 : 1)
  if (pattern === 'panda') {
    context.beginPath()
    context.ellipse(build.eye.x - 0.005, build.eye.y + 0.012, 0.05, 0.062, 0.6, 0, Math.PI * 2)
    context.fill()
    return
  }
  if (pattern === 'patches') {
    fillEllipse(context, 0.06, 0.0, 0.1, 0.13)
    return
  }
  if (pattern === 'rosettes') {
    for (let spot = 0; spot < 16; spot++) {
      context.beginPath()
      context.ellipse(-0.04 + ((spot * 7) % 16) * 0.014, -0.12 + ((spot * 5) % 11) * 0.024, 0.008, 0.007, 0, 0, Math.PI * 2)
      context.fill()
    }
    return
  }
  for (let stripe = 0; stripe < 4; stripe++) {
    const x = -0.05 + stripe * 0.045
    fillRibbon(context, [
      { x: x - 0.01, y: -0.17, r: 0.011 },
      { x, y: -0.1, r: 0.011 },
      { x: x + 0.015, y: -0.055, r: 0.002 },
    ])
    fillRibbon(context, [
      { x: x - 0.04, y: 0.2, r: 0.012 },
      { x: x - 0.005, y: 0.12, r: 0.012 },
      { x: x + 0.04, y: 0.07, r: 0.002 },
    ])
  }
}

/** Darkens the muzzle toward the lips. */
function drawMuzzle(context: SKRSContext2D, { dark, coat, build }: Species): void {
  const fill = context.createRadialGradient(build.nose.x, 0.05, 0.02, build.nose.x, 0.05, 0.16)
  fill.addColorStop(0, css(mixRgb(coat, dark, 0.6), 0.85))
  fill.addColorStop(1, css(mixRgb(coat, dark, 0.5), 0))
  context.fillStyle = fill
  context.fillRect(0.1, -0.2, 0.5, 0.5)
}

function drawFeatures(context: SKRSContext2D, { build, foot, dark, coat, pattern }: Species): void {
  const { eye, nose, mouth } = build
  context.fillStyle = css(foot === 'hoof' ? scaleRgb(dark, 0.5) : [20, 15, 16])
  context.beginPath()
  context.ellipse(nose.x, nose.y, nose.r, nose.r * 0.82, 0.3, 0, Math.PI * 2)
  context.fill()
  context.strokeStyle = css(scaleRgb(mixRgb(coat, dark, 0.6), 0.6), 0.8)
  context.lineWidth = 0.009
  context.lineCap = 'round'
  context.beginPath()
  for (const [x, y] of mouth) context.lineTo(x, y)
  context.stroke()
  if (pattern !== 'panda') {
    // The shade of the lid shows where the animal looks.
    context.strokeStyle = css(scaleRgb(mixRgb(coat, dark, 0.7), 0.6), 0.8)
    context.lineWidth = eye.r * 0.7
    context.beginPath()
    context.moveTo(eye.x - eye.r * 1.9, eye.y + eye.r * 0.1)
    context.quadraticCurveTo(eye.x, eye.y - eye.r * 1.9, eye.x + eye.r * 1.9, eye.y + eye.r * 0.2)
    context.stroke()
  }
  context.fillStyle = '#120d0e'
  context.beginPath()
  context.ellipse(eye.x, eye.y, eye.r * 1.15, eye.r, 0.2, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = 'rgba(255,255,255,0.9)'
  context.beginPath()
  context.arc(eye.x + eye.r * 0.35, eye.y - eye.r * 0.35, eye.r * 0.34, 0, Math.PI * 2)
  context.fill()
}

function drawEar(context: SKRSContext2D, animal: Species, shift: number, color: Rgb, flick: number): void {
  const { ear } = animal.build
  const size = animal.earScale ?? 1
  context.save()
  context.translate(ear.x + shift, ear.y)
  // The ears tilt less than the face, and hanging ears do not tilt.
  context.rotate(-animal.build.faceAngle * (animal.ears === 'hanging' ? 1 : 0.6) - flick)
  context.scale(size, size)
  context.fillStyle = css(color)
  switch (animal.ears) {
    case 'pointed':
      traceEar(context, 0.075, 0.19)
      context.fill()
      context.fillStyle = css(mixRgb(color, animal.dark, 0.55))
      context.save()
      context.translate(0.012, 0)
      context.scale(0.5, 0.72)
      traceEar(context, 0.07, 0.19)
      context.fill()
      context.restore()
      if (animal.socks && animal.tail === 'brush') {
        context.save()
        traceEar(context, 0.075, 0.19)
        context.clip()
        context.fillStyle = css(animal.dark)
        context.fillRect(-0.2, -0.25, 0.4, 0.13)
        context.restore()
      }
      break
    case 'round':
      context.beginPath()
      context.ellipse(0, -0.045, 0.058, 0.066, -0.1, 0, Math.PI * 2)
      context.fill()
      context.fillStyle = css(mixRgb(color, animal.dark, 0.6))
      context.beginPath()
      context.ellipse(0.01, -0.04, 0.032, 0.04, -0.1, 0, Math.PI * 2)
      context.fill()
      break
    case 'leaf':
      context.rotate(animal.crown === 'antlers' ? -0.7 : -0.1)
      traceLeaf(context, 0.04, 0.17)
      context.fill()
      context.fillStyle = css(mixRgb(color, animal.dark, 0.5))
      context.save()
      context.scale(0.5, 0.8)
      traceLeaf(context, 0.04, 0.17)
      context.fill()
      context.restore()
      break
    case 'hanging':
      context.fillStyle = css(mixRgb(color, animal.dark, 0.5))
      traceSmooth(context, [
        { x: -0.06, y: -0.04 },
        { x: 0.03, y: -0.05 },
        { x: 0.07, y: 0.05 },
        { x: 0.06, y: 0.16 },
        { x: 0.0, y: 0.2 },
        { x: -0.06, y: 0.12 },
      ])
      context.fill()
  }
  context.restore()
}

function traceEar(context: SKRSContext2D, halfWidth: number, height: number): void {
  context.beginPath()
  context.moveTo(-halfWidth, 0.05)
  context.bezierCurveTo(-halfWidth * 1.1, -height * 0.5, -halfWidth * 0.5, -height * 0.9, -halfWidth * 0.1, -height)
  context.bezierCurveTo(halfWidth * 0.5, -height * 0.75, halfWidth, -height * 0.35, halfWidth, 0.05)
  context.closePath()
}

function traceLeaf(context: SKRSContext2D, halfWidth: number, height: number): void {
  context.beginPath()
  context.moveTo(-halfWidth * 0.5, 0.02)
  context.bezierCurveTo(-halfWidth * 1.5, -height * 0.35, -halfWidth * 0.9, -height * 0.8, halfWidth * 0.2, -height)
  context.bezierCurveTo(halfWidth * 1.3, -height * 0.7, halfWidth * 1.3, -height * 0.3, halfWidth * 0.6, 0.02)
  context.closePath()
}

/** Draws two antlers. Each main stem bends back and then forward, and has four branches. */
function drawAntlers(context: SKRSContext2D, { dark, light, build }: Species): void {
  for (const [shift, width, color] of [
    [-0.035, 0.8, mixRgb(dark, light, 0.12)],
    [0.02, 1, mixRgb(dark, light, 0.35)],
  ] as const) {
    context.save()
    context.translate(build.ear.x + shift + 0.02, build.ear.y)
    context.rotate(-build.faceAngle)
    context.fillStyle = css(color)
    fillRibbon(context, [
      { x: 0, y: 0.02, r: 0.022 * width },
      { x: -0.09, y: -0.14, r: 0.019 * width },
      { x: -0.13, y: -0.32, r: 0.016 * width },
      { x: -0.05, y: -0.48, r: 0.012 * width },
      { x: 0.06, y: -0.57, r: 0.003 },
    ])
    for (const [fromX, fromY, midX, midY, toX, toY] of [
      [-0.03, -0.07, 0.06, -0.08, 0.12, -0.17],
      [-0.105, -0.22, 0.0, -0.25, 0.06, -0.35],
      [-0.13, -0.33, -0.17, -0.42, -0.16, -0.52],
      [-0.08, -0.45, -0.09, -0.52, -0.05, -0.6],
    ] as const) {
      fillRibbon(context, [
        { x: fromX, y: fromY, r: 0.013 * width },
        { x: midX, y: midY, r: 0.011 * width },
        { x: toX, y: toY, r: 0.003 },
      ])
    }
    context.restore()
  }
}

/** Draws a long twisted horn that catches the light. */
function drawHorn(context: SKRSContext2D, x: number, y: number): void {
  context.save()
  context.translate(x, y)
  context.rotate(-0.1)
  const fill = context.createLinearGradient(0, 0, 0.05, -0.36)
  fill.addColorStop(0, '#d8b260')
  fill.addColorStop(1, '#fff6d8')
  context.fillStyle = fill
  context.beginPath()
  context.moveTo(-0.025, 0.01)
  context.lineTo(0.06, -0.38)
  context.lineTo(0.03, 0.015)
  context.fill()
  context.strokeStyle = 'rgba(150,110,50,0.6)'
  context.lineWidth = 0.006
  for (let turn = 0; turn < 6; turn++) {
    context.beginPath()
    context.moveTo(-0.02 + turn * 0.012, -0.02 - turn * 0.055)
    context.lineTo(0.03 + turn * 0.005, -0.05 - turn * 0.05)
    context.stroke()
  }
  context.restore()
}
