import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'

export type Building = 'timbered' | 'stone' | 'white' | 'log' | 'eastern'

export interface HouseLook {
  kind: Building
  /** Applies the light of the time of day to the color of a side that faces the sun. */
  applyBrightLight: (color: Rgb) => Rgb
  /** Applies the light of the time of day to the color of a side that faces away from the sun. */
  applyDimLight: (color: Rgb) => Rgb
  /** Side that the sun is on: 1 is the right, -1 the left. */
  facing: 1 | -1
  /** Whether light shines from the windows. */
  isLit: boolean
  hasSnow: boolean
}

const wallColors: Record<Building, readonly string[]> = {
  timbered: ['#efe2c6', '#e6d2a8', '#f2e8d8', '#dcb894'],
  stone: ['#a89c8a', '#968c80', '#b4a690', '#8c8478'],
  white: ['#f4f0e8', '#f0e6d6', '#ece8e4', '#f2dcc6'],
  log: ['#7c5638', '#6c4a32', '#8a6242', '#5e4230'],
  eastern: ['#ece6da', '#e4dccc', '#d8ccb8', '#c8b49a'],
}

const roofColors: Record<Building, readonly string[]> = {
  timbered: ['#9c4a34', '#84402f', '#a85c3c', '#70463a'],
  stone: ['#5c5660', '#6e5f58', '#4e5058', '#7a5244'],
  white: ['#c0704a', '#b4603c', '#3e6c9c', '#c98258'],
  log: ['#4c443e', '#5a4a40', '#3e4440', '#66503e'],
  eastern: ['#3c4044', '#464a50', '#34383c', '#4c4c50'],
}

export const windowLight: Rgb = hex('#ffc46a')

/**
 * Shared arguments of the drawing functions. Their unit is the height of the house, whose ridge is
 * 1 above the ground.
 */
interface HouseDrawing {
  context: SKRSContext2D
  look: HouseLook
  random: Random
  wall: Rgb
  roof: Rgb
}

/** Draws a house that is 1 high up to the ridge, with its foot at 0, 0. */
export function drawCottage(context: SKRSContext2D, look: HouseLook, random: Random): void {
  const wall = pick(wallColors[look.kind], random)
  const roof = pick(roofColors[look.kind], random)
  const drawing: HouseDrawing = { context, look, random, wall, roof }
  context.save()
  context.scale(look.facing, 1)
  if (look.kind === 'eastern') drawEastern(drawing)
  else drawGabled(drawing)
  context.restore()
}

/** Draws a house seen from a corner: a gabled side toward the light, and a long side. */
function drawGabled({ context, look, random, wall, roof }: HouseDrawing): void {
  const eaves = -0.52 - 0.08 * random()
  const gable = 0.5 + 0.08 * random()
  const length = 0.72 + 0.3 * random()
  const ridge = { x: gable * 0.5, y: -1 }
  const slope = 0.05
  fill(context, look.applyDimLight(scaleRgb(wall, 0.9)), [
    [-length, eaves + slope],
    [0, eaves],
    [0, 0],
    [-length, 0.01],
  ])
  fill(context, look.applyBrightLight(wall), [
    [0, 0],
    [0, eaves],
    [ridge.x, ridge.y + 0.06],
    [gable, eaves],
    [gable, 0],
  ])
  if (look.kind === 'timbered') drawTimbers(context, look, eaves, gable)
  if (look.kind === 'log') drawLogs(context, look, wall, { eaves, gable, length })
  const cover = look.hasSnow ? mixRgb(hex('#eef2f8'), roof, 0.12) : roof
  fill(context, look.applyDimLight(scaleRgb(cover, 0.95)), [
    [-length - 0.05, eaves + slope + 0.06],
    [-length + ridge.x * 0.62, ridge.y + 0.03],
    [ridge.x, ridge.y],
    [-0.04, eaves + 0.07],
  ])
  fill(context, look.applyBrightLight(scaleRgb(cover, 1.06)), [
    [ridge.x - 0.03, ridge.y],
    [ridge.x + 0.03, ridge.y],
    [gable + 0.06, eaves + 0.07],
    [gable + 0.01, eaves + 0.09],
    [ridge.x, ridge.y + 0.09],
    [-0.01, eaves + 0.09],
    [-0.05, eaves + 0.07],
  ])
  const chimneyX = -length * (0.25 + 0.4 * random())
  fill(context, look.applyDimLight(hex('#8a6a58')), [
    [chimneyX, -0.74],
    [chimneyX, -1.1],
    [chimneyX + 0.09, -1.1],
    [chimneyX + 0.09, -0.76],
  ])
  drawWindows(context, look, { eaves, gable, length }, random)
}

function drawWindows(
  context: SKRSContext2D,
  look: HouseLook,
  { eaves, gable, length }: { eaves: number; gable: number; length: number },
  random: Random,
): void {
  const drawPane = (x: number, y: number, width: number, height: number): void => {
    const isLit = look.isLit && random() < 0.75
    fill(context, look.applyDimLight(hex('#efe8dc')), rectangleCorners(x - 0.012, y - 0.012, width + 0.024, height + 0.024))
    fill(
      context,
      isLit ? mixRgb(windowLight, [255, 240, 200], random() * 0.5) : look.applyDimLight(hex('#3c4a58')),
      rectangleCorners(x, y, width, height),
    )
    context.fillStyle = css(look.applyDimLight(hex('#5c4a3c')), 0.8)
    context.fillRect(x + width / 2 - 0.006, y, 0.012, height)
  }
  const count = Math.max(1, Math.round(length / 0.3))
  for (let index = 0; index < count; index++) drawPane(-length + ((index + 0.5) / count) * length - 0.05, eaves + 0.19, 0.1, 0.14)
  drawPane(gable * 0.5 - 0.05, eaves - 0.1, 0.1, 0.13)
  const isDoorLeft = random() < 0.5
  drawPane(isDoorLeft ? gable * 0.62 : gable * 0.16, eaves + 0.17, 0.11, 0.14)
  fill(
    context,
    look.applyBrightLight(hex(['#6a3c2a', '#3c5a4c', '#7c2e2c'][Math.floor(random() * 3)] ?? '#6a3c2a')),
    rectangleCorners(isDoorLeft ? gable * 0.16 : gable * 0.6, -0.27, 0.13, 0.27),
  )
}

function drawTimbers(context: SKRSContext2D, look: HouseLook, eaves: number, gable: number): void {
  context.strokeStyle = css(look.applyBrightLight(hex('#5a3c28')))
  context.lineWidth = 0.022
  context.beginPath()
  for (const [x1, y1, x2, y2] of [
    [0.01, 0, 0.01, eaves],
    [gable - 0.01, 0, gable - 0.01, eaves],
    [0, eaves, gable, eaves],
    [0, eaves * 0.5, gable, eaves * 0.5],
    [gable / 2, eaves, gable / 2, -0.92],
    [0.02, eaves * 0.5, gable * 0.36, eaves],
    [gable - 0.02, eaves * 0.5, gable * 0.64, eaves],
  ] as const) {
    context.moveTo(x1, y1)
    context.lineTo(x2, y2)
  }
  context.stroke()
}

function drawLogs(
  context: SKRSContext2D,
  look: HouseLook,
  wall: Rgb,
  { eaves, gable, length }: { eaves: number; gable: number; length: number },
): void {
  context.strokeStyle = css(look.applyDimLight(scaleRgb(wall, 0.6)), 0.7)
  context.lineWidth = 0.012
  context.beginPath()
  for (let y = -0.06; y > eaves; y -= 0.07) {
    context.moveTo(-length, y + 0.01)
    context.lineTo(0, y)
    context.lineTo(gable, y)
  }
  context.stroke()
}

/** Draws the front of a house with pale walls, dark timber and a tiled roof whose eaves turn up. */
function drawEastern({ context, look, random, wall, roof }: HouseDrawing): void {
  const halfWidth = 0.62 + 0.2 * random()
  const eaves = -0.5
  const cover = look.hasSnow ? mixRgb(hex('#eef2f8'), roof, 0.12) : roof
  fill(context, look.applyBrightLight(wall), rectangleCorners(-halfWidth * 0.86, eaves, halfWidth * 1.72, -eaves))
  fill(context, look.applyDimLight(hex('#5a3a2c')), rectangleCorners(-halfWidth * 0.86, eaves + 0.02, halfWidth * 1.72, 0.05))
  for (const x of [-0.86, -0.3, 0.26, 0.82])
    fill(context, look.applyDimLight(hex('#5a3a2c')), rectangleCorners(halfWidth * x, eaves, 0.035, -eaves))
  for (const x of [-0.74, 0.38]) {
    const isLit = look.isLit && random() < 0.8
    fill(
      context,
      isLit ? windowLight : look.applyDimLight(hex('#4a3c34')),
      rectangleCorners(halfWidth * x, eaves + 0.14, halfWidth * 0.36, 0.2),
    )
    context.strokeStyle = css(look.applyDimLight(hex('#4c3024')))
    context.lineWidth = 0.012
    context.beginPath()
    for (let bar = 0; bar <= 4; bar++) {
      context.moveTo(halfWidth * (x + 0.09 * bar), eaves + 0.14)
      context.lineTo(halfWidth * (x + 0.09 * bar), eaves + 0.34)
    }
    context.stroke()
  }
  fill(
    context,
    look.isLit ? mixRgb(windowLight, hex('#a0522c'), 0.4) : look.applyDimLight(hex('#6a2e22')),
    rectangleCorners(-halfWidth * 0.14, -0.32, halfWidth * 0.28, 0.32),
  )
  const drawRoof = (color: Rgb, drop: number): void => {
    context.fillStyle = css(color)
    context.beginPath()
    context.moveTo(-halfWidth * 1.24, eaves - 0.02 + drop)
    context.quadraticCurveTo(-halfWidth * 0.9, eaves + 0.03 + drop, -halfWidth * 0.62, -0.9 + drop)
    context.lineTo(-halfWidth * 0.68, -1 + drop)
    context.lineTo(halfWidth * 0.68, -1 + drop)
    context.lineTo(halfWidth * 0.62, -0.9 + drop)
    context.quadraticCurveTo(halfWidth * 0.9, eaves + 0.03 + drop, halfWidth * 1.24, eaves - 0.02 + drop)
    context.quadraticCurveTo(0, eaves + 0.12 + drop, -halfWidth * 1.24, eaves - 0.02 + drop)
    context.fill()
  }
  drawRoof(look.applyDimLight(scaleRgb(cover, 0.7)), 0.03)
  drawRoof(look.applyBrightLight(cover), 0)
  context.strokeStyle = css(look.applyDimLight(scaleRgb(cover, 0.72)), 0.6)
  context.lineWidth = 0.014
  context.beginPath()
  for (let line = -6; line <= 6; line++) {
    context.moveTo((line / 6) * halfWidth * 0.62, -0.97)
    context.quadraticCurveTo((line / 6) * halfWidth * 0.8, eaves - 0.1, (line / 6) * halfWidth * 1.12, eaves + 0.05)
  }
  context.stroke()
}

/** Draws a village church with a nave, a tower and a spire. It is about 1 high. */
export function drawChurch(context: SKRSContext2D, look: HouseLook, random: Random): void {
  const wall = hex('#e8e0d0')
  const slate = look.hasSnow ? hex('#e4eaf2') : hex('#56606c')
  context.save()
  context.scale(look.facing, 1)
  fill(context, look.applyDimLight(wall), rectangleCorners(-0.42, -0.26, 0.42, 0.26))
  fill(context, look.applyDimLight(slate), [
    [-0.46, -0.25],
    [-0.36, -0.42],
    [0.02, -0.42],
    [0.02, -0.25],
  ])
  for (let arch = 0; arch < 3; arch++) {
    context.fillStyle = css(look.isLit ? windowLight : look.applyDimLight(hex('#46525e')))
    context.beginPath()
    context.arc(-0.34 + arch * 0.125, -0.15, 0.026, Math.PI, 0)
    context.lineTo(-0.314 + arch * 0.125, -0.06)
    context.lineTo(-0.366 + arch * 0.125, -0.06)
    context.fill()
  }
  fill(context, look.applyDimLight(scaleRgb(wall, 0.92)), rectangleCorners(0, -0.56, 0.1, 0.56))
  fill(context, look.applyBrightLight(wall), rectangleCorners(0.1, -0.56, 0.1, 0.56))
  fill(context, look.applyDimLight(slate), [
    [-0.015, -0.555],
    [0.1, -0.96],
    [0.1, -0.54],
  ])
  fill(context, look.applyBrightLight(scaleRgb(slate, 1.15)), [
    [0.1, -0.96],
    [0.215, -0.555],
    [0.1, -0.54],
  ])
  context.strokeStyle = css(look.applyDimLight(hex('#c8a44c')))
  context.lineWidth = 0.01
  context.beginPath()
  context.moveTo(0.1, -0.96)
  context.lineTo(0.1, -1.03)
  context.moveTo(0.08, -1.005)
  context.lineTo(0.12, -1.005)
  context.stroke()
  fill(
    context,
    look.isLit ? windowLight : look.applyDimLight(hex('#46525e')),
    rectangleCorners(0.135, -0.48, 0.032, 0.07 + 0.01 * random()),
  )
  context.restore()
}

/** Draws a tower of stacked roofs, each smaller than the one below. It is 1 high. */
export function drawPagoda(context: SKRSContext2D, look: HouseLook): void {
  const tiers = 5
  for (let tier = 0; tier < tiers; tier++) {
    const foot = -0.86 * (tier / tiers)
    const halfWidth = 0.15 * (1 - (tier / tiers) * 0.5)
    const height = 0.86 / tiers
    fill(
      context,
      look.applyDimLight(hex('#8c3c2c')),
      rectangleCorners(-halfWidth * 0.72, foot - height * 0.66, halfWidth * 1.44, height * 0.66),
    )
    fill(
      context,
      look.isLit ? windowLight : look.applyDimLight(hex('#3c2a24')),
      rectangleCorners(-halfWidth * 0.16, foot - height * 0.5, halfWidth * 0.32, height * 0.5),
    )
    context.fillStyle = css(look.applyBrightLight(look.hasSnow ? hex('#e8edf4') : hex('#44484e')))
    context.beginPath()
    context.moveTo(-halfWidth * 1.5, foot - height * 0.62)
    context.quadraticCurveTo(-halfWidth * 0.8, foot - height * 0.66, -halfWidth * 0.62, foot - height)
    context.lineTo(halfWidth * 0.62, foot - height)
    context.quadraticCurveTo(halfWidth * 0.8, foot - height * 0.66, halfWidth * 1.5, foot - height * 0.62)
    context.quadraticCurveTo(0, foot - height * 0.5, -halfWidth * 1.5, foot - height * 0.62)
    context.fill()
  }
  fill(context, look.applyBrightLight(hex('#b8923c')), [
    [-0.012, -0.86],
    [0, -1],
    [0.012, -0.86],
  ])
}

function rectangleCorners(x: number, y: number, width: number, height: number): [number, number][] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
}

function fill(context: SKRSContext2D, color: Rgb, corners: readonly (readonly [number, number])[]): void {
  context.fillStyle = css(color)
  context.beginPath()
  for (const [index, [x, y]] of corners.entries()) {
    if (index === 0) context.moveTo(x, y)
    else context.lineTo(x, y)
  }
  context.closePath()
  context.fill()
}

function pick(tones: readonly string[], random: Random): Rgb {
  return hex(tones[Math.floor(random() * tones.length)] ?? '#c0b0a0')
}
