import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { blend, fillCorners } from '../brush.ts'
import type { Model } from '../model.ts'

/** Towers behind the walls, in drawing order. */
const farTowers = [
  [-0.12, 0.05, -0.8],
  [0.2, 0.055, -0.72],
  [0.03, 0.075, -0.9],
] as const
/** Towers in front of the walls. */
const nearTowers = [
  [-0.3, 0.06, -0.6],
  [0.36, 0.06, -0.56],
  [-0.17, 0.05, -0.5],
  [0.17, 0.05, -0.52],
] as const

type Tower = readonly [x: number, halfWidth: number, top: number]

/** A castle on a rock, with pointed roofs, banners, and windows that are lit in the dark. */
export const castle: Model = {
  height: 0.42,
  reach: { side: 0.7, up: 1.06, down: 0.09 },
  cycle: { poseCount: 6, pace: 0.8 },
  draw(figure, phase, { color, isDark }) {
    const stone = color ?? hex('#d6cbb9')
    const roof = hex('#4b5d8a')
    const rock = hex('#6a5f58')
    figure.part((context) => drawTowers(context, farTowers, mixRgb(stone, roof, 0.18), roof), { thickness: 0.1 })
    figure.part((context) => drawWall(context, -0.16, 0.24, -0.46, scaleRgb(stone, 0.92)), { volume: 0.4, rim: 0.6 })
    figure.part((context) => drawWall(context, -0.34, 0.4, -0.34, scaleRgb(stone, 0.86)), { volume: 0.4, rim: 0.6 })
    figure.part((context) => drawTowers(context, nearTowers, stone, roof), { thickness: 0.1 })
    figure.part(
      (context) => {
        context.fillStyle = css(hex('#c23a2c'))
        for (const [x, , top] of [...farTowers, ...nearTowers.slice(0, 2)]) drawBanner(context, x, top, phase + x)
      },
      { volume: 0.3, rim: 0.3 },
    )
    figure.shine(isDark, (context) => {
      for (const tower of [...farTowers, ...nearTowers])
        drawWindows(context, tower, isDark ? hex('#ffd080') : scaleRgb(stone, 0.4))
      context.fillStyle = css(isDark ? hex('#f0a850') : scaleRgb(stone, 0.28))
      context.beginPath()
      context.roundRect(-0.03, -0.24, 0.06, 0.14, [0.03, 0.03, 0, 0])
      context.fill()
    })
    figure.part(
      (context) => {
        context.fillStyle = blend(context, [0, -0.2], [0, 0.08], [mixRgb(rock, stone, 0.2), rock, scaleRgb(rock, 0.5)])
        fillCorners(context, [
          [-0.64, 0.08],
          [-0.55, -0.01],
          [-0.47, -0.05],
          [-0.41, -0.13],
          [-0.34, -0.12],
          [-0.25, -0.16],
          [-0.12, -0.11],
          [0.02, -0.1],
          [0.12, -0.12],
          [0.24, -0.17],
          [0.34, -0.13],
          [0.42, -0.14],
          [0.49, -0.05],
          [0.58, -0.01],
          [0.66, 0.08],
        ])
      },
      { volume: 0.7, thickness: 0.14 },
    )
  },
}

function drawTowers(context: SKRSContext2D, towers: readonly Tower[], stone: Rgb, roof: Rgb): void {
  for (const [x, halfWidth, top] of towers) {
    context.fillStyle = blend(context, [0, top], [0, -0.1], [stone, scaleRgb(stone, 0.82)])
    context.fillRect(x - halfWidth, top + halfWidth * 2, halfWidth * 2, -top - halfWidth * 2 - 0.1)
    context.fillRect(x - halfWidth * 1.18, top + halfWidth * 2, halfWidth * 2.36, halfWidth * 0.44)
    context.fillStyle = css(roof)
    context.beginPath()
    context.moveTo(x - halfWidth * 1.32, top + halfWidth * 2.05)
    context.quadraticCurveTo(x - halfWidth * 0.4, top + halfWidth, x, top - halfWidth * 0.75)
    context.quadraticCurveTo(x + halfWidth * 0.4, top + halfWidth, x + halfWidth * 1.32, top + halfWidth * 2.05)
    context.fill()
  }
}

function drawWall(context: SKRSContext2D, from: number, to: number, top: number, stone: Rgb): void {
  context.fillStyle = blend(context, [0, top], [0, -0.1], [stone, scaleRgb(stone, 0.72)])
  context.fillRect(from, top, to - from, -top - 0.08)
  for (let x = from; x < to - 0.01; x += 0.034) context.fillRect(x, top - 0.017, 0.018, 0.02)
}

function drawWindows(context: SKRSContext2D, [x, halfWidth, top]: Tower, color: Rgb): void {
  context.fillStyle = css(color)
  for (let row = 0; row < 3; row++) {
    const y = top + halfWidth * 3.4 + row * 0.1
    if (y > -0.28) return
    context.beginPath()
    context.roundRect(x + (row % 2 ? 0.3 : -0.2) * halfWidth - 0.007, y, 0.014, 0.03, 0.007)
    context.fill()
  }
}

function drawBanner(context: SKRSContext2D, x: number, top: number, phase: number): void {
  const wave = Math.sin(phase * Math.PI * 2) * 0.008
  context.fillRect(x - 0.002, top - 0.12, 0.004, 0.1)
  context.beginPath()
  context.moveTo(x, top - 0.118)
  context.quadraticCurveTo(x + 0.03, top - 0.118 + wave, x + 0.07, top - 0.105 - wave)
  context.quadraticCurveTo(x + 0.03, top - 0.09 + wave, x, top - 0.085)
  context.fill()
}
