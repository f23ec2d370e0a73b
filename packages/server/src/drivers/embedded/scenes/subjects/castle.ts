import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import type { DrawThing } from './things.ts'

/** x, half width, top; the farther ones first. */
const towers = [
  [-0.12, 0.05, -0.8, 1],
  [0.2, 0.055, -0.72, 1],
  [0.03, 0.075, -0.9, 1],
  [-0.3, 0.06, -0.6, 0],
  [0.36, 0.06, -0.56, 0],
  [-0.17, 0.05, -0.5, 0],
  [0.17, 0.05, -0.52, 0],
] as const

/** Towers with pointed roofs and curtain walls on a rock; lit windows in the dark. */
export const drawCastle: DrawThing = (context, { main, dim, rim, near, isDark, facing }) => {
  context.scale(facing, 1)
  const stone = mixRgb(dim(main ?? hex('#cfc4b4')), rim, 0.16)
  const roof = mixRgb(dim(hex('#4a5a80')), rim, 0.06)
  const rock = mixRgb(near, stone, 0.2)
  const fillAcross = (x: number, half: number, colour: Rgb): void => {
    const fill = context.createLinearGradient(x - half, 0, x + half, 0)
    fill.addColorStop(0, css(scaleRgb(colour, 0.58)))
    fill.addColorStop(0.65, css(colour))
    fill.addColorStop(1, css(mixRgb(colour, rim, 0.35)))
    context.fillStyle = fill
  }
  const windowsAt = (x: number, y: number): void => {
    context.fillStyle = css(isDark ? hex('#ffd080') : scaleRgb(stone, 0.38))
    context.beginPath()
    context.roundRect(x - 0.007, y, 0.014, 0.03, 0.007)
    context.fill()
  }
  const drawTower = ([x, half, top, farther]: (typeof towers)[number]): void => {
    const body = farther ? mixRgb(stone, roof, 0.2) : stone
    fillAcross(x, half, body)
    context.fillRect(x - half, top + half * 2, half * 2, -top - half * 2 - 0.12)
    context.fillRect(x - half * 1.16, top + half * 2, half * 2.32, half * 0.42)
    for (let row = 0; row < 3; row++)
      if (top + half * 3.4 + row * 0.1 < -0.3) windowsAt(x + (row % 2 ? 0.3 : -0.2) * half, top + half * 3.4 + row * 0.1)
    fillAcross(x, half * 1.25, roof)
    context.beginPath()
    context.moveTo(x - half * 1.3, top + half * 2.05)
    context.quadraticCurveTo(x - half * 0.4, top + half, x, top - half * 0.7)
    context.quadraticCurveTo(x + half * 0.4, top + half, x + half * 1.3, top + half * 2.05)
    context.fill()
  }
  const wall = (from: number, to: number, top: number, shade: number): void => {
    const colour = scaleRgb(stone, shade)
    const fill = context.createLinearGradient(0, top, 0, -0.1)
    fill.addColorStop(0, css(colour))
    fill.addColorStop(1, css(mixRgb(colour, rock, 0.6)))
    context.fillStyle = fill
    context.fillRect(from, top, to - from, -top - 0.08)
    for (let x = from; x < to - 0.01; x += 0.034) context.fillRect(x, top - 0.016, 0.018, 0.02)
  }
  for (const tower of towers.slice(0, 3)) drawTower(tower)
  wall(-0.16, 0.24, -0.46, 0.92)
  wall(-0.34, 0.4, -0.34, 0.84)
  for (const tower of towers.slice(3)) drawTower(tower)
  context.fillStyle = css(isDark ? mixRgb(hex('#ffb860'), stone, 0.2) : scaleRgb(stone, 0.3))
  context.beginPath()
  context.roundRect(-0.03, -0.24, 0.06, 0.14, [0.03, 0.03, 0, 0])
  context.fill()
  const slope = context.createLinearGradient(0, -0.2, 0, 0.06)
  slope.addColorStop(0, css(mixRgb(rock, rim, 0.12)))
  slope.addColorStop(1, css(scaleRgb(rock, 0.6)))
  context.fillStyle = slope
  context.beginPath()
  context.moveTo(-0.62, 0.08)
  for (const [x, y] of [
    [-0.54, -0.02],
    [-0.46, -0.05],
    [-0.4, -0.13],
    [-0.33, -0.12],
    [-0.24, -0.16],
    [-0.12, -0.11],
    [0.02, -0.1],
    [0.12, -0.12],
    [0.24, -0.17],
    [0.34, -0.13],
    [0.42, -0.14],
    [0.48, -0.05],
    [0.58, -0.01],
    [0.64, 0.08],
  ] as const)
    context.lineTo(x, y)
  context.fill()
}
