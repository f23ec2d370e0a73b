import { css, hex, mixRgb } from '../../../picture/colour.ts'
import { drawBox } from './box.ts'
import { drawShade } from './lamps.ts'
import type { Draw } from './draw.ts'
import { spines } from './spines.ts'

export function drawTable(draw: Draw, { x, near, wide, tall }: { x: number; near: number; wide: number; tall: number }): void {
  const { room } = draw
  const tone = mixRgb(room.boards, hex('#5c3a24'), 0.5)
  drawShade(draw, x, near * 1.05, wide * 0.8)
  for (const legX of [-0.44, 0.44]) {
    for (const legNear of [0.02, 0.14])
      drawBox(draw, { x: x + legX * wide, near: near + legNear, wide: 0.018, tall, deep: 0.01, tone })
  }
  drawBox(draw, { x, near, wide, tall: 0.022, deep: 0.2, tone, at: room.floor - tall + 0.022 })
}

export function drawRoundTable(draw: Draw, { x, near }: { x: number; near: number }): void {
  const { stage, context, place, room } = draw
  const unit = stage.geometry.unit * near
  const [top, foot] = [place(x, room.floor - 0.13, near), place(x, room.floor, near)]
  drawShade(draw, x, near, 0.12)
  context.strokeStyle = css(room.lit(hex('#2c2622'), 0.5))
  context.lineWidth = unit * 0.012
  context.beginPath()
  context.moveTo(top.x, top.y)
  context.lineTo(foot.x, foot.y)
  context.stroke()
  context.fillStyle = css(room.lit(mixRgb(room.boards, hex('#e8dcc8'), 0.25), 0.8))
  context.beginPath()
  context.ellipse(top.x, top.y, unit * 0.085, unit * 0.02, 0, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = css(room.lit(hex('#f4f0e8'), 0.95))
  context.beginPath()
  context.ellipse(top.x + unit * 0.02, top.y - unit * 0.012, unit * 0.013, unit * 0.011, 0, 0, Math.PI * 2)
  context.fill()
}

export function drawBowl(
  { context, place, room, stage, random }: Draw,
  { x, y, near }: { x: number; y: number; near: number },
): void {
  const at = place(x, y, near)
  const size = stage.geometry.unit * near * 0.05
  for (let fruit = 0; fruit < 5; fruit++) {
    context.fillStyle = css(room.lit(hex(['#d8682c', '#c83c2c', '#e8b83c', '#8cac3c'][fruit % 4] ?? '#d8682c'), 0.8))
    context.beginPath()
    context.arc(at.x + (fruit - 2) * size * 0.34, at.y - size * (0.5 + 0.16 * random()), size * 0.28, 0, Math.PI * 2)
    context.fill()
  }
  context.fillStyle = css(room.lit(hex('#e4dccc'), 0.75))
  context.beginPath()
  context.ellipse(at.x, at.y - size * 0.4, size, size * 0.5, 0, 0, Math.PI)
  context.fill()
}

export function drawBooks(
  { context, place, room, random, stage }: Draw,
  { x, y, near }: { x: number; y: number; near: number },
): void {
  const at = place(x, y, near)
  const unit = stage.geometry.unit * near
  let top = at.y
  for (let book = 0; book < 5; book++) {
    const [wide, tall] = [unit * (0.08 + 0.03 * random()), unit * (0.012 + 0.008 * random())]
    context.fillStyle = css(room.lit(spines[Math.floor(random() * spines.length)] ?? room.cloth, 0.7))
    context.fillRect(at.x - wide / 2 + (random() - 0.5) * unit * 0.02, top - tall, wide, tall)
    top -= tall
  }
}
