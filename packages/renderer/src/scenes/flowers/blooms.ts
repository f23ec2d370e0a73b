import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../subjects/brush.ts'

export type Crop = 'sunflowers' | 'tulips' | 'poppies' | 'daisies' | 'lavender'

export interface Bloom {
  /** Height of the plant, in ground units. */
  height: number
  /** Distance between rows, in ground units. */
  rowSpacing: number
  /** Distance between the plants of a row, in ground units. */
  plantSpacing: number
  /** True if the plants grow in straight rows, false if they are scattered. */
  isInRows: boolean
  colors: readonly Rgb[]
  /** Color of the ground between distant blooms. */
  groundColor: Rgb
  /**
   * Draws a plant of height 1 with its foot at 0, 0; y grows downward. `applyLight` adapts a color
   * to the time of day.
   */
  draw(context: SKRSContext2D, color: Rgb, applyLight: ApplyLight, random: Random): void
}

type ApplyLight = (color: Rgb) => Rgb

const green = hex('#5c8a34')

export const blooms: Record<Crop, Bloom> = {
  sunflowers: {
    height: 0.44,
    rowSpacing: 0.34,
    plantSpacing: 0.26,
    isInRows: true,
    colors: ['#f2b824', '#f6c83a', '#eaa41c'].map(hex),
    groundColor: hex('#5a7a2c'),
    draw: drawSunflower,
  },
  tulips: {
    height: 0.15,
    rowSpacing: 0.2,
    plantSpacing: 0.055,
    isInRows: true,
    colors: ['#d8342e', '#f2c23a', '#e8648c', '#f4efe6', '#8a4fb0', '#ef8a3a'].map(hex),
    groundColor: hex('#5f8a3c'),
    draw: drawTulip,
  },
  poppies: {
    height: 0.13,
    rowSpacing: 0.12,
    plantSpacing: 0.12,
    isInRows: false,
    colors: ['#d8301c', '#e24a2c', '#c42418'].map(hex),
    groundColor: hex('#7a8c40'),
    draw: drawPoppy,
  },
  daisies: {
    height: 0.11,
    rowSpacing: 0.11,
    plantSpacing: 0.11,
    isInRows: false,
    colors: ['#fbfaf4', '#f4f2ea'].map(hex),
    groundColor: hex('#6d9440'),
    draw: drawDaisy,
  },
  lavender: {
    height: 0.17,
    rowSpacing: 0.3,
    plantSpacing: 0.06,
    isInRows: true,
    colors: ['#7f5cc0', '#9272cc', '#6c4cae'].map(hex),
    groundColor: hex('#7c7a4c'),
    draw: drawLavender,
  },
}

function drawSunflower(context: SKRSContext2D, color: Rgb, applyLight: ApplyLight, random: Random): void {
  const lean = (random() - 0.5) * 0.12
  const head = { x: lean, y: -0.8 }
  context.fillStyle = css(applyLight(scaleRgb(green, 0.8)))
  fillRibbon(context, [
    { x: 0, y: 0.02, r: 0.02 },
    { x: lean * 0.3, y: -0.4, r: 0.018 },
    { x: head.x, y: head.y, r: 0.015 },
  ])
  for (const [y, side, size] of [
    [-0.2, -1, 0.26],
    [-0.32, 1, 0.25],
    [-0.48, -1, 0.2],
    [-0.56, 1, 0.17],
  ] as const) {
    context.fillStyle = css(applyLight(mixRgb(green, hex('#9ab84c'), side > 0 ? 0.3 : 0.05)))
    fillCurve(context, [
      [lean * 0.3, y],
      [lean * 0.3 + side * size * 0.5, y - size * 0.42],
      [lean * 0.3 + side * size, y - size * 0.05],
      [lean * 0.3 + side * size * 0.9, y + size * 0.22],
      [lean * 0.3 + side * size * 0.4, y + size * 0.18],
    ])
  }
  context.save()
  context.translate(head.x, head.y)
  context.rotate(lean * 1.6)
  context.scale(1, 0.94)
  for (const [ring, count, reach] of [
    [0, 19, 0.215],
    [1, 17, 0.185],
  ] as const) {
    for (let petal = 0; petal < count; petal++) {
      const angle = ((petal + ring * 0.5) / count) * Math.PI * 2
      context.save()
      context.rotate(angle)
      context.fillStyle = css(applyLight(mixRgb(scaleRgb(color, ring ? 1 : 0.8), [255, 236, 150], 0.16 * random())))
      context.beginPath()
      context.moveTo(0.08, -0.026)
      context.quadraticCurveTo(reach * 0.75, -0.05, reach, 0)
      context.quadraticCurveTo(reach * 0.75, 0.05, 0.08, 0.026)
      context.fill()
      context.restore()
    }
  }
  const disc = context.createRadialGradient(-0.02, -0.03, 0.01, 0, 0, 0.105)
  disc.addColorStop(0, css(applyLight(hex('#8a5a2a'))))
  disc.addColorStop(0.55, css(applyLight(hex('#4c2c16'))))
  disc.addColorStop(1, css(applyLight(hex('#2c180e'))))
  context.fillStyle = disc
  fillEllipse(context, 0, 0, 0.102)
  context.fillStyle = css(applyLight(hex('#b8803a')), 0.8)
  for (let seed = 0; seed < 34; seed++) {
    const radius = 0.095 * Math.sqrt(seed / 34)
    fillEllipse(context, Math.cos(seed * 2.4) * radius, Math.sin(seed * 2.4) * radius, 0.006)
  }
  context.restore()
}

function drawTulip(context: SKRSContext2D, color: Rgb, applyLight: ApplyLight, random: Random): void {
  const lean = (random() - 0.5) * 0.16
  context.fillStyle = css(applyLight(scaleRgb(green, 0.92)))
  fillRibbon(context, [
    { x: 0, y: 0.02, r: 0.026 },
    { x: lean, y: -0.64, r: 0.022 },
  ])
  for (const side of [-1, 1])
    fillRibbon(context, [
      { x: side * 0.02, y: 0, r: 0.05 },
      { x: side * 0.12, y: -0.26, r: 0.052 },
      { x: side * (0.2 + 0.06 * random()), y: -0.5, r: 0.006 },
    ])
  context.save()
  context.translate(lean, -0.62)
  context.fillStyle = css(applyLight(scaleRgb(color, 0.8)))
  fillCurve(context, [
    [0, 0.04],
    [-0.13, -0.04],
    [-0.16, -0.2],
    [-0.1, -0.38],
    [0, -0.3],
    [0.1, -0.38],
    [0.16, -0.2],
    [0.13, -0.04],
  ])
  context.fillStyle = css(applyLight(color))
  fillCurve(context, [
    [0, 0.05],
    [-0.1, -0.06],
    [-0.09, -0.24],
    [0, -0.37],
    [0.09, -0.24],
    [0.1, -0.06],
  ])
  context.fillStyle = css(applyLight(mixRgb(color, [255, 250, 236], 0.3)), 0.7)
  fillEllipse(context, -0.035, -0.16, 0.022, 0.1, 0.1)
  context.restore()
}

function drawPoppy(context: SKRSContext2D, color: Rgb, applyLight: ApplyLight, random: Random): void {
  const lean = (random() - 0.5) * 0.3
  context.fillStyle = css(applyLight(scaleRgb(green, 0.86)))
  fillRibbon(context, [
    { x: 0, y: 0.02, r: 0.018 },
    { x: lean * 0.3, y: -0.45, r: 0.014 },
    { x: lean, y: -0.78, r: 0.012 },
  ])
  context.save()
  context.translate(lean, -0.82)
  context.rotate(lean * 0.8)
  context.fillStyle = css(applyLight(scaleRgb(color, 0.76)))
  fillEllipse(context, 0, -0.03, 0.22, 0.13)
  context.fillStyle = css(applyLight(color))
  for (const [x, tilt] of [
    [-0.11, 0.4],
    [0.11, -0.4],
  ] as const)
    fillEllipse(context, x, 0.01, 0.13, 0.15, tilt)
  context.fillStyle = css(applyLight(mixRgb(color, [255, 190, 150], 0.25)))
  fillEllipse(context, 0, 0.06, 0.13, 0.08)
  context.fillStyle = css(applyLight(hex('#2a1a1c')))
  fillEllipse(context, 0, -0.02, 0.045, 0.035)
  context.restore()
}

function drawDaisy(context: SKRSContext2D, color: Rgb, applyLight: ApplyLight, random: Random): void {
  const lean = (random() - 0.5) * 0.3
  context.fillStyle = css(applyLight(scaleRgb(green, 0.9)))
  fillRibbon(context, [
    { x: 0, y: 0.02, r: 0.018 },
    { x: lean, y: -0.8, r: 0.013 },
  ])
  context.save()
  context.translate(lean, -0.82)
  context.scale(1, 0.7)
  for (let petal = 0; petal < 12; petal++) {
    context.save()
    context.rotate((petal / 12) * Math.PI * 2 + lean)
    context.fillStyle = css(applyLight(petal % 3 === 0 ? scaleRgb(color, 0.9) : color))
    fillEllipse(context, 0.14, 0, 0.09, 0.032)
    context.restore()
  }
  context.fillStyle = css(applyLight(hex('#f0b820')))
  fillEllipse(context, 0, 0, 0.075)
  context.restore()
}

function drawLavender(context: SKRSContext2D, color: Rgb, applyLight: ApplyLight, random: Random): void {
  for (let stalk = 0; stalk < 5; stalk++) {
    const lean = (stalk - 2) * 0.09 + (random() - 0.5) * 0.06
    const height = 0.8 + 0.2 * random()
    context.fillStyle = css(applyLight(mixRgb(green, hex('#8a9a6a'), 0.5)))
    fillRibbon(context, [
      { x: lean * 0.3, y: 0.02, r: 0.014 },
      { x: lean, y: -height * 0.6, r: 0.01 },
    ])
    for (let whorl = 0; whorl < 8; whorl++) {
      const lengthShare = 0.52 + (whorl / 7) * 0.48
      context.fillStyle = css(applyLight(mixRgb(color, [236, 220, 255], 0.1 + 0.25 * random())))
      fillEllipse(context, lean * (0.7 + lengthShare * 0.5), -height * lengthShare, 0.042 * (1.25 - lengthShare * 0.6), 0.034)
    }
  }
}
