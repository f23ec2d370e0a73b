import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import type { Random } from '../../picture/random.ts'
import { fillTaper, traceSmooth } from './brush.ts'

export interface ThingColours {
  /** Named in the prompt, or chosen by the thing. */
  main: Rgb | undefined
  /** Applies the hour's light to a colour. */
  dim: (colour: Rgb) => Rgb
  rim: Rgb
  near: Rgb
  /** Windows are lit and lamps burn. */
  isDark: boolean
  facing: 1 | -1
}

/** All things are drawn with height 1 on the ground point 0, 0, y growing down. */
export type DrawThing = (context: SKRSContext2D, colours: ThingColours, random: Random) => void

export const drawBoat: DrawThing = (context, { main, dim, rim, facing }) => {
  context.scale(facing, 1)
  const hull = dim(main ?? hex('#8a4a34'))
  const sail = dim(hex('#f6ecdc'))
  const cloth = (from: Rgb, to: Rgb): void => {
    const fill = context.createLinearGradient(-0.3, 0, 0.35, 0)
    fill.addColorStop(0, css(from))
    fill.addColorStop(1, css(to))
    context.fillStyle = fill
  }
  context.fillStyle = css(scaleRgb(hull, 0.5))
  context.fillRect(-0.012, -1, 0.022, 0.92)
  cloth(scaleRgb(sail, 0.8), mixRgb(sail, rim, 0.3))
  context.beginPath()
  context.moveTo(0.02, -0.97)
  context.quadraticCurveTo(0.34, -0.5, 0.38, -0.18)
  context.quadraticCurveTo(0.18, -0.15, 0.02, -0.17)
  context.fill()
  cloth(scaleRgb(sail, 0.66), scaleRgb(sail, 0.86))
  context.beginPath()
  context.moveTo(-0.03, -0.86)
  context.quadraticCurveTo(-0.1, -0.45, -0.33, -0.17)
  context.quadraticCurveTo(-0.15, -0.15, -0.03, -0.19)
  context.fill()
  const planks = context.createLinearGradient(0, -0.12, 0, 0.02)
  planks.addColorStop(0, css(mixRgb(hull, rim, 0.2)))
  planks.addColorStop(1, css(scaleRgb(hull, 0.45)))
  context.fillStyle = planks
  context.beginPath()
  context.moveTo(-0.42, -0.12)
  context.quadraticCurveTo(0, -0.075, 0.5, -0.14)
  context.quadraticCurveTo(0.38, 0, 0.26, 0.01)
  context.lineTo(-0.3, 0.01)
  context.quadraticCurveTo(-0.4, -0.03, -0.42, -0.12)
  context.fill()
}

export const drawBalloon: DrawThing = (context, { main, dim, rim, isDark }) => {
  const colours = [main ?? hex('#d8553c'), hex('#f3e4c8'), mixRgb(main ?? hex('#e0903c'), hex('#e0903c'), 0.5)].map(dim)
  const outline = (): void => {
    context.beginPath()
    context.moveTo(-0.06, -0.27)
    context.bezierCurveTo(-0.16, -0.42, -0.36, -0.5, -0.36, -0.68)
    context.bezierCurveTo(-0.36, -0.88, -0.18, -1, 0, -1)
    context.bezierCurveTo(0.18, -1, 0.36, -0.88, 0.36, -0.68)
    context.bezierCurveTo(0.36, -0.5, 0.16, -0.42, 0.06, -0.27)
    context.closePath()
  }
  context.save()
  outline()
  context.clip()
  const gores = 9
  for (let gore = 0; gore < gores; gore++) {
    const from = goreEdge(gore / gores)
    const to = goreEdge((gore + 1) / gores)
    context.fillStyle = css(colours[gore % 2 === 0 ? 0 : gore % 4 === 1 ? 1 : 2] ?? rim)
    context.beginPath()
    context.moveTo(from * 0.17, -0.25)
    context.bezierCurveTo(from * 0.6, -0.44, from * 1.02, -0.5, from, -0.68)
    context.bezierCurveTo(from * 0.98, -0.88, from * 0.5, -1, 0, -1.01)
    context.bezierCurveTo(to * 0.5, -1, to * 0.98, -0.88, to, -0.68)
    context.bezierCurveTo(to * 1.02, -0.5, to * 0.6, -0.44, to * 0.17, -0.25)
    context.fill()
  }
  const volume = context.createRadialGradient(0.12, -0.82, 0.04, 0, -0.68, 0.5)
  volume.addColorStop(0, css(rim, 0.4))
  volume.addColorStop(0.45, css(rim, 0))
  volume.addColorStop(1, 'rgba(20,12,36,0.55)')
  context.fillStyle = volume
  context.fillRect(-0.5, -1.1, 1, 1)
  if (isDark) {
    const flame = context.createRadialGradient(0, -0.36, 0.02, 0, -0.42, 0.4)
    flame.addColorStop(0, 'rgba(255,214,140,0.85)')
    flame.addColorStop(1, 'rgba(255,170,90,0)')
    context.fillStyle = flame
    context.fillRect(-0.5, -1, 1, 0.9)
  }
  context.restore()
  context.strokeStyle = css(dim(hex('#4a3426')))
  context.lineWidth = 0.006
  for (const x of [-0.05, 0.05]) {
    context.beginPath()
    context.moveTo(x, -0.27)
    context.lineTo(x * 0.85, -0.1)
    context.stroke()
  }
  context.fillStyle = css(dim(hex('#7a5434')))
  context.beginPath()
  context.roundRect(-0.05, -0.11, 0.1, 0.1, 0.016)
  context.fill()
}

export const drawHouse: DrawThing = (context, { main, dim, rim, isDark, facing }) => {
  context.scale(facing, 1)
  const wall = dim(main ?? hex('#c9b79a'))
  const roof = dim(hex('#5c3a34'))
  context.fillStyle = css(scaleRgb(roof, 0.8))
  context.fillRect(-0.3, -0.98, 0.09, 0.4)
  const side = context.createLinearGradient(0.2, 0, 0.62, 0)
  side.addColorStop(0, css(mixRgb(wall, rim, 0.15)))
  side.addColorStop(1, css(scaleRgb(wall, 0.85)))
  context.fillStyle = side
  context.fillRect(0.14, -0.5, 0.52, 0.52)
  context.fillStyle = css(scaleRgb(wall, 0.72))
  context.beginPath()
  context.moveTo(-0.5, 0.02)
  context.lineTo(-0.5, -0.5)
  context.lineTo(-0.18, -0.88)
  context.lineTo(0.14, -0.5)
  context.lineTo(0.14, 0.02)
  context.fill()
  context.fillStyle = css(roof)
  context.beginPath()
  context.moveTo(-0.19, -0.93)
  context.lineTo(0.36, -0.93)
  context.lineTo(0.72, -0.47)
  context.lineTo(0.15, -0.47)
  context.fill()
  context.strokeStyle = css(scaleRgb(roof, 0.75))
  context.lineWidth = 0.05
  context.beginPath()
  context.moveTo(-0.54, -0.46)
  context.lineTo(-0.18, -0.9)
  context.lineTo(0.16, -0.47)
  context.stroke()
  const glass = isDark ? hex('#ffd080') : dim(hex('#5b7690'))
  const pane = (x: number, y: number, width: number, height: number): void => {
    context.fillStyle = css(glass)
    context.fillRect(x, y, width, height)
    context.strokeStyle = css(scaleRgb(wall, 0.5))
    context.lineWidth = 0.014
    context.strokeRect(x, y, width, height)
    context.beginPath()
    context.moveTo(x + width / 2, y)
    context.lineTo(x + width / 2, y + height)
    context.stroke()
  }
  pane(-0.27, -0.56, 0.16, 0.16)
  pane(0.24, -0.36, 0.13, 0.16)
  pane(0.46, -0.36, 0.13, 0.16)
  context.fillStyle = css(scaleRgb(roof, 0.7))
  context.fillRect(-0.27, -0.26, 0.17, 0.28)
  if (!isDark) return
  const glow = context.createRadialGradient(0.1, -0.3, 0.05, 0.1, -0.3, 0.75)
  glow.addColorStop(0, 'rgba(255,190,100,0.28)')
  glow.addColorStop(1, 'rgba(255,190,100,0)')
  context.fillStyle = glow
  context.fillRect(-0.9, -1.1, 2, 1.4)
}

export const drawTree: DrawThing = (context, { main, dim, rim, near }, random) => {
  const leaf = dim(main ?? hex('#4f7d3a'))
  const bark = dim(hex('#4a3628'))
  context.fillStyle = css(bark)
  fillTaper(context, { x: 0, y: 0.01 }, 0.055, { x: 0.015, y: -0.45 }, 0.03)
  for (const [x, y, width] of [
    [-0.2, -0.62, 0.014],
    [0.22, -0.66, 0.014],
    [-0.08, -0.76, 0.012],
    [0.1, -0.8, 0.012],
  ] as const) {
    fillTaper(context, { x: 0.01, y: -0.36 }, 0.026, { x, y }, width)
  }
  const clusters = Array.from({ length: 150 }, () => {
    const angle = random() * 6.28
    const out = Math.sqrt(random())
    return { x: Math.cos(angle) * 0.36 * out, y: -0.66 + Math.sin(angle) * 0.3 * out, size: 0.045 + random() * 0.05 }
  }).toSorted((a, b) => b.y - a.y + (a.x - b.x) * 0.3)
  for (const { x, y, size } of clusters) {
    const light = Math.max(0, Math.min(1, 0.5 - (y + 0.66) * 1.3 + x * 0.35))
    context.fillStyle = css(mixRgb(mixRgb(leaf, near, 0.55 * (1 - light)), rim, 0.24 * light * light), 0.92)
    context.beginPath()
    context.ellipse(x, y, size, size * 0.72, random() * 3, 0, Math.PI * 2)
    context.fill()
  }
}

export const drawLighthouse: DrawThing = (context, { main, dim, rim, near, isDark }) => {
  const white = dim(hex('#f2ede4'))
  const stripe = dim(main ?? hex('#c2402e'))
  context.fillStyle = css(mixRgb(near, white, 0.12))
  traceSmooth(context, [
    { x: -0.42, y: 0.06 },
    { x: -0.3, y: -0.09 },
    { x: -0.08, y: -0.16 },
    { x: 0.16, y: -0.14 },
    { x: 0.36, y: -0.06 },
    { x: 0.5, y: 0.06 },
  ])
  context.fill()
  for (let band = 0; band < 5; band++) {
    const top = -0.78 + band * 0.134
    const bottom = top + 0.135
    const colour = band % 2 ? stripe : white
    const fill = context.createLinearGradient(-0.1, 0, 0.1, 0)
    fill.addColorStop(0, css(scaleRgb(colour, 0.62)))
    fill.addColorStop(0.7, css(mixRgb(colour, rim, 0.16)))
    fill.addColorStop(1, css(scaleRgb(colour, 0.86)))
    context.fillStyle = fill
    context.beginPath()
    context.moveTo(-towerHalf(top), top)
    context.lineTo(towerHalf(top), top)
    context.lineTo(towerHalf(bottom), bottom)
    context.lineTo(-towerHalf(bottom), bottom)
    context.fill()
  }
  context.fillStyle = css(scaleRgb(stripe, 0.5))
  context.fillRect(-0.08, -0.8, 0.16, 0.025)
  context.fillStyle = isDark ? '#fff1c0' : css(dim(hex('#9fb4c4')))
  context.fillRect(-0.042, -0.89, 0.084, 0.09)
  context.fillStyle = css(scaleRgb(stripe, 0.8))
  context.beginPath()
  context.moveTo(-0.062, -0.885)
  context.quadraticCurveTo(-0.03, -0.96, 0, -0.985)
  context.quadraticCurveTo(0.03, -0.96, 0.062, -0.885)
  context.fill()
  if (!isDark) return
  const lamp = context.createRadialGradient(0, -0.845, 0.01, 0, -0.845, 0.4)
  lamp.addColorStop(0, 'rgba(255,236,180,0.9)')
  lamp.addColorStop(0.25, 'rgba(255,224,150,0.3)')
  lamp.addColorStop(1, 'rgba(255,220,140,0)')
  context.fillStyle = lamp
  context.fillRect(-0.45, -1.25, 0.9, 0.85)
}

/** Across a balloon's width; gores look narrower towards its sides. */
function goreEdge(share: number): number {
  return -0.37 * Math.cos(share * Math.PI)
}

/** Half the width of the lighthouse at a height. */
function towerHalf(y: number): number {
  return 0.055 + 0.045 * (1 + (y + 0.12) / 0.66)
}
