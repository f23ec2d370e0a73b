import { css, hex, mixRgb } from '../../../picture/color.ts'
import { drawBox } from './box.ts'
import { drawFloorShadow } from './lamps.ts'
import type { FurnitureDrawing } from './furniture-drawing.ts'
import { spines } from './spines.ts'

export function drawTable(
  draw: FurnitureDrawing,
  { x, nearness, width, height }: { x: number; nearness: number; width: number; height: number },
): void {
  const { room } = draw
  const tone = mixRgb(room.boards, hex('#5c3a24'), 0.5)
  drawFloorShadow(draw, x, nearness * 1.05, width * 0.8)
  for (const legX of [-0.44, 0.44]) {
    for (const legNear of [0.02, 0.14])
      drawBox(draw, { x: x + legX * width, nearness: nearness + legNear, width: 0.018, height, depth: 0.01, tone })
  }
  drawBox(draw, { x, nearness, width, height: 0.022, depth: 0.2, tone, baseY: room.floor - height + 0.022 })
}

export function drawRoundTable(draw: FurnitureDrawing, { x, nearness }: { x: number; nearness: number }): void {
  const { stage, context, place, room } = draw
  const unit = stage.geometry.unit * nearness
  const [top, foot] = [place(x, room.floor - 0.13, nearness), place(x, room.floor, nearness)]
  drawFloorShadow(draw, x, nearness, 0.12)
  context.strokeStyle = css(room.applyLight(hex('#2c2622'), 0.5))
  context.lineWidth = unit * 0.012
  context.beginPath()
  context.moveTo(top.x, top.y)
  context.lineTo(foot.x, foot.y)
  context.stroke()
  context.fillStyle = css(room.applyLight(mixRgb(room.boards, hex('#e8dcc8'), 0.25), 0.8))
  context.beginPath()
  context.ellipse(top.x, top.y, unit * 0.085, unit * 0.02, 0, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = css(room.applyLight(hex('#f4f0e8'), 0.95))
  context.beginPath()
  context.ellipse(top.x + unit * 0.02, top.y - unit * 0.012, unit * 0.013, unit * 0.011, 0, 0, Math.PI * 2)
  context.fill()
}

export function drawBowl(
  { context, place, room, stage, random }: FurnitureDrawing,
  { x, y, nearness }: { x: number; y: number; nearness: number },
): void {
  const point = place(x, y, nearness)
  const size = stage.geometry.unit * nearness * 0.05
  for (let fruit = 0; fruit < 5; fruit++) {
    context.fillStyle = css(room.applyLight(hex(['#d8682c', '#c83c2c', '#e8b83c', '#8cac3c'][fruit % 4] ?? '#d8682c'), 0.8))
    context.beginPath()
    context.arc(point.x + (fruit - 2) * size * 0.34, point.y - size * (0.5 + 0.16 * random()), size * 0.28, 0, Math.PI * 2)
    context.fill()
  }
  context.fillStyle = css(room.applyLight(hex('#e4dccc'), 0.75))
  context.beginPath()
  context.ellipse(point.x, point.y - size * 0.4, size, size * 0.5, 0, 0, Math.PI)
  context.fill()
}

export function drawBooks(
  { context, place, room, random, stage }: FurnitureDrawing,
  { x, y, nearness }: { x: number; y: number; nearness: number },
): void {
  const point = place(x, y, nearness)
  const unit = stage.geometry.unit * nearness
  let top = point.y
  for (let book = 0; book < 5; book++) {
    const [width, height] = [unit * (0.08 + 0.03 * random()), unit * (0.012 + 0.008 * random())]
    context.fillStyle = css(room.applyLight(spines[Math.floor(random() * spines.length)] ?? room.cloth, 0.7))
    context.fillRect(point.x - width / 2 + (random() - 0.5) * unit * 0.02, top - height, width, height)
    top -= height
  }
}
