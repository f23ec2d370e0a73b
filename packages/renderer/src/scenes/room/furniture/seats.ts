import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { drawFloorShadow } from './lamps.ts'
import type { FurnitureDrawing } from './furniture-drawing.ts'

/** Draws a soft seat that faces the window, seen from behind and above. */
export function drawSofa(draw: FurnitureDrawing, { x, nearness }: { x: number; nearness: number }): void {
  const { stage, context, place, room } = draw
  const unit = stage.geometry.unit * nearness
  const { x: center, y: foot } = place(x, room.floor, nearness)
  const [halfWidth, height] = [0.2 * unit, 0.17 * unit]
  drawFloorShadow(draw, x, nearness * 1.04, 0.3)
  const cloth = room.cloth
  const drawCushion = (left: number, top: number, width: number, cushionHeight: number, round: number, share: number): void => {
    const fill = context.createLinearGradient(0, top, 0, top + cushionHeight)
    fill.addColorStop(0, css(room.applyLight(scaleRgb(cloth, 1.15), share)))
    fill.addColorStop(0.22, css(room.applyLight(cloth, share * 0.5)))
    fill.addColorStop(1, css(room.applyLight(scaleRgb(cloth, 0.8), share * 0.14)))
    context.fillStyle = fill
    context.beginPath()
    context.roundRect(left, top, width, cushionHeight, round)
    context.fill()
  }
  drawCushion(center - halfWidth * 0.8, foot - height * 0.8, halfWidth * 1.6, height * 0.5, height * 0.16, 0.9)
  drawCushion(center - halfWidth, foot - height * 0.72, halfWidth * 0.3, height * 0.68, height * 0.16, 0.8)
  drawCushion(center + halfWidth * 0.7, foot - height * 0.72, halfWidth * 0.3, height * 0.68, height * 0.16, 0.8)
  drawCushion(center - halfWidth * 0.86, foot - height * 1.1, halfWidth * 1.72, height * 1.04, height * 0.2, 0.75)
  context.fillStyle = css(room.applyLight(hex('#3c2618'), 0.3))
  for (const leg of [-0.8, 0.72]) context.fillRect(center + halfWidth * leg, foot - height * 0.06, halfWidth * 0.08, height * 0.1)
}

export function drawChair(
  { stage, context, place, room }: FurnitureDrawing,
  { x, nearness, facing }: { x: number; nearness: number; facing: 1 | -1 },
): void {
  const unit = stage.geometry.unit * nearness
  const foot = place(x, room.floor, nearness)
  context.strokeStyle = css(room.applyLight(mixRgb(room.boards, hex('#2c1c14'), 0.55), 0.55))
  context.lineWidth = unit * 0.009
  const [seat, backTop] = [foot.y - unit * 0.075, foot.y - unit * 0.17]
  const [rear, front] = [foot.x - facing * unit * 0.03, foot.x + facing * unit * 0.03]
  context.beginPath()
  context.moveTo(rear, foot.y)
  context.lineTo(rear - facing * unit * 0.008, backTop)
  context.moveTo(front, foot.y)
  context.lineTo(front, seat)
  context.lineTo(rear, seat)
  context.moveTo(rear - facing * unit * 0.006, backTop + unit * 0.03)
  context.lineTo(rear - facing * unit * 0.002, seat - unit * 0.02)
  context.stroke()
}
