import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCorners, fillCurve, fillEllipse, fillGlow, fillRibbon, type Point } from '../brush.ts'
import type { Figure } from '../figure.ts'
import type { Model } from '../model.ts'

/** A winged dragon that flies to the right. It is about 2.1 long, half of which is the tail. */
export const dragon: Model = {
  height: 0.42,
  reach: { side: 1.3, up: 1.12, down: 0.86 },
  cycle: { poseCount: 12, pace: 0.55 },
  draw(figure, phase, { color }) {
    const hide = color ?? hex('#a83a2e')
    const turn = phase * Math.PI * 2
    const beat = Math.sin(turn)
    const heave = -Math.cos(turn - 0.5) * 0.03
    figure.part((context) => drawWing(context, beat * 0.92, scaleRgb(hide, 0.66), 'far', heave), { thickness: 0.2, volume: 0.7 })
    figure.part(
      (context) => {
        context.translate(0, heave)
        drawBody(context, hide, turn)
      },
      { thickness: 0.22 },
    )
    figure.part(
      (context) => {
        context.translate(0, heave)
        drawHead(context, hide, turn)
      },
      { thickness: 0.12 },
    )
    figure.part((context) => drawWing(context, beat, hide, 'near', heave), { thickness: 0.2, volume: 0.7 })
  },
}

/** A dragon with a stream of fire from its mouth. */
export const fireDragon: Model = {
  ...dragon,
  height: 0.38,
  reach: { side: 2, up: 1.12, down: 0.86 },
  draw(figure, phase, look) {
    dragon.draw(figure, phase, look)
    drawFireStream(figure, phase)
  },
}

/** Draws fire from the mouth to the right and down, wider and redder with the distance from it. */
function drawFireStream(figure: Figure, phase: number): void {
  const turn = phase * Math.PI * 2
  const heave = -Math.cos(turn - 0.5) * 0.03
  const mouth = { x: 0.92, y: -0.31 + heave }
  const pointAt = (share: number): Point => ({
    x: mouth.x + 0.9 * share,
    y: mouth.y + 0.2 * share + 0.16 * share * share + Math.sin(turn * 2 - share * 7) * 0.025 * share,
  })
  figure.glow((context) => {
    fillGlow(context, mouth.x + 0.4, mouth.y + 0.12, 0.56, [255, 120, 40], 0.5)
    for (const [width, lengthShare, tone, alpha] of [
      [0.2, 1, '#e0401a', 0.6],
      [0.145, 0.9, '#ff7a1e', 0.78],
      [0.09, 0.74, '#ffb83a', 0.9],
      [0.045, 0.5, '#fff2bc', 1],
    ] as const) {
      context.fillStyle = css(hex(tone), alpha)
      const line = Array.from({ length: 9 }, (_, index) => {
        const share = (index / 8) * lengthShare
        const flutter = 1 + 0.3 * Math.sin(turn * 3 + index * 2.3)
        return { ...pointAt(share), r: 0.012 + width * Math.min(1, share * 1.5) * flutter * (index === 8 ? 0.5 : 1) * 0.72 }
      })
      fillRibbon(context, line)
    }
    for (let tongue = 0; tongue < 7; tongue++) {
      const share = 0.45 + 0.55 * ((tongue * 0.37 + phase) % 1)
      const point = pointAt(share)
      context.fillStyle = css(hex(tongue % 2 ? '#ff9a30' : '#ff6a1c'), 0.7 * (1.1 - share))
      fillEllipse(context, point.x, point.y + Math.sin(tongue * 2.4 + turn) * 0.13 * share, 0.07, 0.035, 0.3)
    }
  })
}

/** Drawn extent of a level wing, per unit of its length. */
const levelWings = { near: { x: -0.24, y: 0.46 }, far: { x: 0.14, y: -0.4 } } as const

/** Draws a wing. `beat` is 1 for up and -1 for down. The membrane hangs between the fingers. */
function drawWing(context: SKRSContext2D, beat: number, hide: Rgb, side: keyof typeof levelWings, heave: number): void {
  const pointFrom = (length: number, angle: number, distanceBack: number): Point => ({
    x: levelWings[side].x * length * Math.cos(angle) - distanceBack,
    y: levelWings[side].y * length * Math.cos(angle) - length * Math.sin(angle),
  })
  const liftAngle = beat * 0.85 + 0.3
  const root = { x: side === 'near' ? 0.12 : 0.17, y: (side === 'near' ? -0.05 : -0.1) + heave }
  const arm = pointFrom(0.4, liftAngle + 0.2, -0.08)
  const wrist = { x: root.x + arm.x, y: root.y + arm.y }
  const tips = [0.52, 0.5, 0.42, 0.3].map((length, finger) => {
    const offset = pointFrom(length, liftAngle * 0.75 - 0.05 - finger * 0.1, 0.1 + finger * 0.17)
    return { x: wrist.x + offset.x, y: wrist.y + offset.y }
  })
  const membrane = mixRgb(hide, hex('#f0a868'), 0.35)
  context.fillStyle = css(scaleRgb(membrane, 0.82))
  context.beginPath()
  context.moveTo(root.x + 0.06, root.y)
  context.lineTo(wrist.x, wrist.y)
  let previousTip = tips[0] ?? wrist
  context.lineTo(previousTip.x, previousTip.y)
  for (const tip of [...tips.slice(1), { x: root.x - 0.36, y: root.y + 0.05 }]) {
    const middle = { x: (previousTip.x + tip.x) / 2, y: (previousTip.y + tip.y) / 2 }
    context.quadraticCurveTo(middle.x + (wrist.x - middle.x) * 0.3, middle.y + (wrist.y - middle.y) * 0.3, tip.x, tip.y)
    previousTip = tip
  }
  context.closePath()
  context.fill()
  context.fillStyle = css(hide)
  for (const tip of tips)
    fillRibbon(context, [
      { ...wrist, r: 0.02 },
      { x: (wrist.x + tip.x) / 2, y: (wrist.y + tip.y) / 2 - 0.02, r: 0.012 },
      { ...tip, r: 0.004 },
    ])
  fillRibbon(context, [
    { ...root, r: 0.055 },
    { x: (root.x + wrist.x) / 2 + 0.05, y: (root.y + wrist.y) / 2, r: 0.036 },
    { ...wrist, r: 0.026 },
  ])
}

function drawBody(context: SKRSContext2D, hide: Rgb, turn: number): void {
  const wave = (lengthShare: number): number => Math.sin(turn - lengthShare * 3.2) * 0.06 * lengthShare
  const tail = Array.from({ length: 9 }, (_, index) => {
    const lengthShare = index / 8
    return {
      x: -0.2 - lengthShare * 0.86,
      y: 0.02 + lengthShare * 0.1 + wave(lengthShare),
      r: 0.13 * (1 - lengthShare) ** 1.1 + 0.006,
    }
  })
  context.fillStyle = css(hide)
  fillRibbon(context, tail)
  const tip = tail.at(-1) ?? { x: -1, y: 0 }
  fillCorners(context, [
    [tip.x + 0.06, tip.y],
    [tip.x - 0.01, tip.y - 0.07],
    [tip.x - 0.1, tip.y + 0.01],
    [tip.x, tip.y + 0.07],
  ])
  fillCurve(context, [
    [-0.3, -0.02],
    [-0.2, -0.13],
    [0.02, -0.16],
    [0.22, -0.13],
    [0.34, -0.04],
    [0.3, 0.1],
    [0.1, 0.17],
    [-0.14, 0.14],
  ])
  // Folded legs.
  for (const [x, color] of [
    [-0.16, scaleRgb(hide, 0.85)],
    [0.2, hide],
  ] as const) {
    context.fillStyle = css(color)
    fillRibbon(context, [
      { x, y: 0.08, r: 0.085 },
      { x: x + 0.05, y: 0.2, r: 0.05 },
      { x: x - 0.06, y: 0.27, r: 0.026 },
      { x: x - 0.14, y: 0.26, r: 0.012 },
    ])
  }
  context.fillStyle = css(hide)
  fillRibbon(context, [
    { x: 0.24, y: -0.02, r: 0.115 },
    { x: 0.42, y: -0.12, r: 0.075 },
    { x: 0.56, y: -0.27, r: 0.055 },
    { x: 0.68, y: -0.34 + Math.sin(turn - 0.4) * 0.012, r: 0.05 },
  ])
  context.save()
  context.globalCompositeOperation = 'source-atop'
  context.fillStyle = css(mixRgb(hide, hex('#f2d49a'), 0.6))
  fillCurve(context, [
    [0.66, -0.28],
    [0.54, -0.18],
    [0.44, -0.02],
    [0.3, 0.1],
    [0.1, 0.18],
    [-0.2, 0.17],
    [0.04, 0.1],
    [0.26, 0.03],
    [0.44, -0.12],
  ])
  context.restore()
  // The crest along the back.
  context.fillStyle = css(scaleRgb(hide, 0.55))
  for (let spike = 0; spike < 15; spike++) {
    const lengthShare = spike / 14
    const x = 0.62 - lengthShare * 1.1
    const y = lengthShare < 0.3 ? -0.35 + lengthShare * 0.72 : lengthShare < 0.62 ? -0.145 : -0.14 + (lengthShare - 0.62) * 0.34
    fillCorners(context, [
      [x - 0.035, y + 0.02],
      [x - 0.045, y - 0.055 * (1.1 - lengthShare * 0.6)],
      [x + 0.025, y + 0.012],
    ])
  }
}

function drawHead(context: SKRSContext2D, hide: Rgb, turn: number): void {
  context.translate(0.68, -0.35 + Math.sin(turn - 0.4) * 0.012)
  context.fillStyle = css(mixRgb(hide, [255, 240, 210], 0.6))
  for (const [bend, width] of [
    [-0.03, 0.8],
    [0.02, 1],
  ] as const)
    fillRibbon(context, [
      { x: -0.01, y: -0.03 + bend, r: 0.022 * width },
      { x: -0.09, y: -0.09 + bend, r: 0.015 * width },
      { x: -0.19, y: -0.1 + bend, r: 0.003 },
    ])
  context.save()
  context.rotate(0.16 + 0.06 * Math.max(0, Math.sin(turn)))
  context.fillStyle = css(scaleRgb(hide, 0.8))
  fillCurve(context, [
    [0.0, 0.02],
    [0.12, 0.045],
    [0.22, 0.04],
    [0.2, 0.065],
    [0.08, 0.08],
    [-0.02, 0.06],
  ])
  context.restore()
  context.fillStyle = css(hide)
  fillCurve(context, [
    [-0.07, 0.04],
    [-0.06, -0.05],
    [0.02, -0.075],
    [0.09, -0.055],
    [0.16, -0.03],
    [0.24, -0.035],
    [0.265, 0.005],
    [0.22, 0.032],
    [0.1, 0.03],
    [0.0, 0.055],
  ])
  context.fillStyle = '#ffd84a'
  fillEllipse(context, 0.055, -0.025, 0.017, 0.012, 0.3)
  context.fillStyle = '#160d08'
  fillEllipse(context, 0.058, -0.025, 0.005, 0.011)
  fillEllipse(context, 0.24, -0.015, 0.008, 0.005)
}
