import { css, hex, mixRgb } from '../../../picture/color.ts'
import type { FurnitureDrawing } from './furniture-drawing.ts'

export function drawLamp({ stage, context, place, room }: FurnitureDrawing): void {
  const { x, y, nearness } = room.lamp
  const unit = stage.geometry.unit * nearness
  const head = place(x, y - 0.06, nearness)
  const isLit = room.isLamplit
  context.strokeStyle = css(room.applyLight(hex('#6c5438'), 0.7))
  context.lineWidth = unit * 0.012
  context.beginPath()
  context.moveTo(head.x, head.y)
  context.lineTo(head.x, place(x, room.floor - 0.15, nearness).y)
  context.stroke()
  const foot = place(x, room.floor - 0.152, nearness)
  context.fillStyle = css(room.applyLight(hex('#8c6c48'), 0.7))
  context.beginPath()
  context.ellipse(foot.x, foot.y, unit * 0.036, unit * 0.011, 0, 0, Math.PI * 2)
  context.fill()
  const fill = context.createLinearGradient(0, head.y - unit * 0.05, 0, head.y + unit * 0.06)
  fill.addColorStop(0, css(isLit ? hex('#f0a850') : room.applyLight(hex('#e8dcc4'), 0.8)))
  fill.addColorStop(0.6, css(isLit ? hex('#ffdf9c') : room.applyLight(hex('#f2e8d4'), 1)))
  fill.addColorStop(1, css(isLit ? hex('#ffc874') : room.applyLight(hex('#d8ccb4'), 0.8)))
  context.fillStyle = fill
  context.beginPath()
  context.moveTo(head.x - unit * 0.042, head.y - unit * 0.05)
  context.lineTo(head.x + unit * 0.042, head.y - unit * 0.05)
  context.lineTo(head.x + unit * 0.075, head.y + unit * 0.06)
  context.lineTo(head.x - unit * 0.075, head.y + unit * 0.06)
  context.fill()
}

export function drawPendants({ stage, context, place, room }: FurnitureDrawing): void {
  for (const x of [-0.3, 0, 0.3]) {
    const [top, head] = [place(x, -0.6, 1.5), place(x, -0.24, 1.5)]
    const unit = stage.geometry.unit
    context.strokeStyle = css(room.applyLight(hex('#2c2622'), 0.5))
    context.lineWidth = unit * 0.004
    context.beginPath()
    context.moveTo(top.x, top.y)
    context.lineTo(head.x, head.y)
    context.stroke()
    context.fillStyle = css(room.applyLight(mixRgb(room.cloth, hex('#2c2a28'), 0.6), 0.7))
    context.beginPath()
    context.arc(head.x, head.y + unit * 0.012, unit * 0.05, Math.PI, 0)
    context.fill()
    context.fillStyle = css(room.isLamplit ? hex('#ffe0a0') : room.applyLight(hex('#e8e0d0'), 0.8))
    context.beginPath()
    context.ellipse(head.x, head.y + unit * 0.012, unit * 0.046, unit * 0.012, 0, 0, Math.PI * 2)
    context.fill()
  }
}

export function drawFloorShadow(
  { stage, context, place, room }: FurnitureDrawing,
  x: number,
  nearness: number,
  radius: number,
): void {
  const point = place(x, room.floor, nearness)
  const size = radius * nearness * stage.geometry.unit
  context.save()
  context.translate(point.x, point.y)
  context.scale(1, 0.2)
  const fill = context.createRadialGradient(0, 0, 0, 0, 0, size)
  fill.addColorStop(0, 'rgba(10,6,8,0.5)')
  fill.addColorStop(1, 'rgba(10,6,8,0)')
  context.fillStyle = fill
  context.fillRect(-size, -size, size * 2, size * 2)
  context.restore()
}
