import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import type { Game } from './game.ts'

const grounds: Record<Game, { nearColor: Rgb; farColor: Rgb; stripeOpacity: number }> = {
  soccer: { nearColor: hex('#3f8a3a'), farColor: hex('#5aa04c'), stripeOpacity: 0.1 },
  basketball: { nearColor: hex('#c08a50'), farColor: hex('#d8a468'), stripeOpacity: 0.05 },
  tennis: { nearColor: hex('#b5603a'), farColor: hex('#c8764c'), stripeOpacity: 0 },
  baseball: { nearColor: hex('#4a8a40'), farColor: hex('#62a052'), stripeOpacity: 0.08 },
}

/**
 * Converts a point of the field to pixels relative to the middle of the horizon. `x` is the
 * distance from the middle; 1 is 0.3 units at the far edge and 1.55 units at the lower edge of the
 * frame. `nearness` is 0 at the far edge and 1 at the lower edge.
 */
type FieldProjection = (x: number, nearness: number) => readonly [number, number]

/** Paints the field in perspective with its lines and its goal, hoop, net or diamond. */
export function paintField(stage: Stage, game: Game): Painter {
  const { compositor, geometry, horizon, brief } = stage
  const { width, height, unit } = geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  // Posts reach up in front of the stands.
  const postHeight = unit * 0.38
  const fieldHeight = height - horizon
  const light = game === 'basketball' ? 0.92 : { day: 1, dawn: 0.86, dusk: 0.74, night: 0.72 }[brief.time]
  const layer = compositor.layer(layerWidth, postHeight + fieldHeight * 1.1, (context) => {
    context.translate(layerWidth / 2, postHeight)
    const toPixels: FieldProjection = (x, nearness) => [x * unit * (0.3 + 1.25 * nearness), fieldHeight * nearness ** 1.25]
    drawGround(context, toPixels, { game, light, fieldHeight, width: layerWidth })
    context.strokeStyle = css(scaleRgb([244, 244, 238], light), 0.86)
    context.fillStyle = context.strokeStyle
    context.lineJoin = 'round'
    drawings[game]({ context, toPixels, unit, light })
  })
  return (moment) =>
    stage.drawAt(layer, { x: (width - layerWidth) / 2, y: horizon - postHeight, depth: 0.14, rowEnd: height }, moment)
}

/** Returns the position that the ball flies to, in pixels of the frame with the camera at rest. */
export function ballTargetOf({ geometry, horizon }: Stage, game: 'soccer' | 'basketball'): { x: number; y: number } {
  const { width, unit } = geometry
  if (game === 'soccer') return { x: width / 2 + unit * 0.36, y: horizon - unit * 0.125 }
  return { x: width / 2 + unit * 0.31, y: horizon - unit * 0.13 }
}

interface DrawContext {
  context: SKRSContext2D
  toPixels: FieldProjection
  unit: number
  light: number
}

function drawGround(
  context: SKRSContext2D,
  toPixels: FieldProjection,
  { game, light, fieldHeight, width }: { game: Game; light: number; fieldHeight: number; width: number },
): void {
  const { nearColor, farColor, stripeOpacity } = grounds[game]
  const fill = context.createLinearGradient(0, 0, 0, fieldHeight)
  fill.addColorStop(0, css(scaleRgb(mixRgb(farColor, [255, 255, 240], 0.1), light)))
  fill.addColorStop(0.5, css(scaleRgb(nearColor, light)))
  fill.addColorStop(1, css(scaleRgb(nearColor, light * 0.6)))
  context.fillStyle = fill
  context.fillRect(-width / 2, 0, width, fieldHeight * 1.1)
  if (stripeOpacity === 0) return
  const bands = 16
  for (let band = -bands; band < bands; band += 2) {
    context.fillStyle = `rgba(255,255,230,${stripeOpacity})`
    context.beginPath()
    for (const [x, nearness] of [
      [band, 0],
      [band + 1, 0],
      [band + 1, 1.1],
      [band, 1.1],
    ] as const)
      context.lineTo(...toPixels(x * (game === 'basketball' ? 0.12 : 0.26), nearness))
    context.fill()
  }
}

/** Draws a line over the field through these points. */
function drawLine({ context, toPixels, unit }: DrawContext, points: readonly (readonly [number, number])[], width = 0.006): void {
  for (let index = 1; index < points.length; index++) {
    const [from, to] = [points[index - 1], points[index]]
    if (!from || !to) continue
    context.lineWidth = unit * width * (0.5 + (from[1] + to[1]) * 0.9)
    context.beginPath()
    context.moveTo(...toPixels(...from))
    context.lineTo(...toPixels(...to))
    context.stroke()
  }
}

/**
 * Draws a circle or an arc on the field, in perspective. `from` and `to` are angles in radians; π/2
 * points to the viewer. Points beyond the far edge are moved to it.
 */
function drawArc(draw: DrawContext, [x, nearness]: readonly [number, number], radius: number, from = 0, to = Math.PI * 2): void {
  const points = Array.from({ length: 41 }, (_, index) => {
    const angle = from + ((to - from) * index) / 40
    return [x + Math.cos(angle) * radius, Math.max(0, nearness + Math.sin(angle) * radius * 0.42)] as const
  })
  drawLine(draw, points)
}

function drawNet(
  context: SKRSContext2D,
  { left, top, right, bottom, step }: { left: number; top: number; right: number; bottom: number; step: number },
): void {
  context.beginPath()
  for (let x = left; x <= right + 0.1; x += step) {
    context.moveTo(x, top)
    context.lineTo(x, bottom)
  }
  for (let y = top; y <= bottom + 0.1; y += step) {
    context.moveTo(left, y)
    context.lineTo(right, y)
  }
  context.stroke()
}

const drawings: Record<Game, (draw: DrawContext) => void> = {
  soccer: (draw) => {
    const { context, unit, light } = draw
    drawLine(draw, [
      [-4, 0.015],
      [4, 0.015],
    ])
    drawLine(draw, [
      [-1.5, 0.015],
      [-1.6, 0.34],
      [1.6, 0.34],
      [1.5, 0.015],
    ])
    drawArc(draw, [0, 0.34], 0.5, 0, Math.PI)
    const [left, right, top, bottom] = [-unit * 0.42, unit * 0.42, -unit * 0.17, unit * 0.01]
    const depth = unit * 0.045
    context.strokeStyle = css(scaleRgb([236, 238, 240], light), 0.5)
    context.lineWidth = Math.max(0.6, unit * 0.0016)
    drawNet(context, { left: left + depth, top: top + depth * 0.5, right: right - depth, bottom, step: unit * 0.021 })
    context.beginPath()
    for (const [fromX, toX] of [
      [left, left + depth],
      [right, right - depth],
    ] as const)
      for (let share = 0; share <= 1; share += 0.14) {
        const y = top + (bottom - top) * share
        context.moveTo(fromX, y)
        context.lineTo(toX, top + depth * 0.5 + (bottom - top - depth * 0.5) * share)
      }
    context.stroke()
    context.strokeStyle = css(scaleRgb([250, 250, 248], Math.min(1, light + 0.2)))
    context.lineWidth = unit * 0.0105
    context.beginPath()
    context.moveTo(left, bottom)
    context.lineTo(left, top)
    context.lineTo(right, top)
    context.lineTo(right, bottom)
    context.stroke()
  },
  basketball: (draw) => {
    const { context, toPixels, unit, light } = draw
    context.fillStyle = css(scaleRgb(hex('#2f4f86'), light), 0.86)
    context.beginPath()
    for (const [x, nearness] of [
      [0.62, 0.03],
      [1.42, 0.03],
      [1.28, 0.4],
      [0.44, 0.4],
    ] as const)
      context.lineTo(...toPixels(x, nearness))
    context.fill()
    drawLine(draw, [
      [-4, 0.03],
      [4, 0.03],
    ])
    drawLine(draw, [
      [0.62, 0.03],
      [0.44, 0.4],
      [1.28, 0.4],
      [1.42, 0.03],
    ])
    drawArc(draw, [0.86, 0.4], 0.36, 0, Math.PI)
    drawArc(draw, [0.9, 0.1], 1.5, 0, Math.PI)
    const x = unit * 0.36
    const [boardTop, boardBottom] = [-unit * 0.3, -unit * 0.11]
    context.strokeStyle = css(scaleRgb(hex('#3a3e48'), light))
    context.lineWidth = unit * 0.02
    context.beginPath()
    context.moveTo(x + unit * 0.13, unit * 0.03)
    context.lineTo(x + unit * 0.11, boardTop * 0.6)
    context.lineTo(x, boardTop * 0.7)
    context.stroke()
    context.fillStyle = 'rgba(232,240,248,0.78)'
    context.fillRect(x - unit * 0.16, boardTop, unit * 0.3, boardBottom - boardTop)
    context.strokeStyle = '#f6f6f4'
    context.lineWidth = unit * 0.008
    context.strokeRect(x - unit * 0.16, boardTop, unit * 0.3, boardBottom - boardTop)
    context.strokeStyle = '#d8452e'
    context.strokeRect(x - unit * 0.06, boardBottom - unit * 0.1, unit * 0.11, unit * 0.075)
    const hoop = { x: x - unit * 0.05, y: boardBottom - unit * 0.005 }
    context.strokeStyle = 'rgba(246,246,244,0.9)'
    context.lineWidth = unit * 0.004
    context.beginPath()
    for (let cord = 0; cord <= 8; cord++) {
      const position = (cord / 8) * 2 - 1
      context.moveTo(hoop.x + position * unit * 0.055, hoop.y)
      context.lineTo(hoop.x + position * unit * 0.03, hoop.y + unit * 0.085)
      if (cord === 8) continue
      context.moveTo(hoop.x + position * unit * 0.055, hoop.y)
      context.lineTo(hoop.x + (position + 0.25) * unit * 0.04, hoop.y + unit * 0.05)
    }
    context.stroke()
    context.strokeStyle = '#e2562c'
    context.lineWidth = unit * 0.011
    context.beginPath()
    context.ellipse(hoop.x, hoop.y, unit * 0.056, unit * 0.014, 0, 0, Math.PI * 2)
    context.stroke()
  },
  tennis: (draw) => {
    const { context, toPixels, unit, light } = draw
    drawLine(draw, [
      [-0.95, 0.1],
      [0.95, 0.1],
      [1.15, 1],
    ])
    drawLine(draw, [
      [-0.95, 0.1],
      [-1.15, 1],
    ])
    drawLine(draw, [
      [-0.74, 0.1],
      [-0.88, 1],
    ])
    drawLine(draw, [
      [0.74, 0.1],
      [0.88, 1],
    ])
    drawLine(draw, [
      [-0.77, 0.24],
      [0.77, 0.24],
    ])
    drawLine(draw, [
      [0, 0.24],
      [0, 0.74],
    ])
    drawLine(draw, [
      [-0.84, 0.74],
      [0.84, 0.74],
    ])
    const [left, y] = toPixels(-1.12, 0.42)
    const [right] = toPixels(1.12, 0.42)
    const height = unit * 0.15
    context.strokeStyle = css(scaleRgb(hex('#20242c'), light), 0.6)
    context.lineWidth = Math.max(0.6, unit * 0.0018)
    drawNet(context, { left, top: y - height * 0.92, right, bottom: y, step: unit * 0.014 })
    context.fillStyle = css(scaleRgb([250, 250, 246], light))
    context.fillRect(left, y - height, right - left, unit * 0.014)
    context.fillStyle = css(scaleRgb(hex('#2c3038'), light))
    for (const x of [left, right]) context.fillRect(x - unit * 0.008, y - height * 1.06, unit * 0.016, height * 1.08)
  },
  baseball: (draw) => {
    const { context, toPixels, light } = draw
    context.fillStyle = css(scaleRgb(hex('#b07a48'), light))
    context.beginPath()
    for (const [x, nearness] of [
      [0, 0.08],
      [1.5, 0.42],
      [0.5, 1.05],
      [-0.5, 1.05],
      [-1.5, 0.42],
    ] as const)
      context.lineTo(...toPixels(x, nearness))
    context.fill()
    context.fillStyle = css(scaleRgb(grounds.baseball.nearColor, light))
    context.beginPath()
    for (const [x, nearness] of [
      [0, 0.18],
      [0.95, 0.43],
      [0, 0.86],
      [-0.95, 0.43],
    ] as const)
      context.lineTo(...toPixels(x, nearness))
    context.fill()
    context.fillStyle = css(scaleRgb(hex('#bd8856'), light))
    const [x, y] = toPixels(0, 0.45)
    context.beginPath()
    context.ellipse(x, y, draw.unit * 0.15, draw.unit * 0.034, 0, 0, Math.PI * 2)
    context.fill()
    context.fillStyle = css(scaleRgb([248, 248, 244], light))
    for (const [baseX, nearness] of [
      [0, 0.14],
      [1.06, 0.43],
      [-1.06, 0.43],
      [0, 0.45],
    ] as const) {
      const [left, top] = toPixels(baseX, nearness)
      context.fillRect(left - draw.unit * 0.016, top - draw.unit * 0.005, draw.unit * 0.032, draw.unit * 0.01)
    }
    drawLine(draw, [
      [0.05, 0.98],
      [2.2, 0.2],
    ])
    drawLine(draw, [
      [-0.05, 0.98],
      [-2.2, 0.2],
    ])
  },
}
