import { css, hex, mixRgb, scaleRgb } from '../../../picture/colour.ts'
import { drawShade } from './lamps.ts'
import type { Draw } from './draw.ts'

/** Draws a soft seat that faces the window, seen from behind and above. */
export function drawSofa(draw: Draw, { x, near }: { x: number; near: number }): void {
  const { stage, context, place, room } = draw
  const unit = stage.geometry.unit * near
  const { x: centre, y: foot } = place(x, room.floor, near)
  const [half, tall] = [0.2 * unit, 0.17 * unit]
  drawShade(draw, x, near * 1.04, 0.3)
  const cloth = room.cloth
  const soft = (left: number, top: number, wide: number, high: number, round: number, share: number): void => {
    const fill = context.createLinearGradient(0, top, 0, top + high)
    fill.addColorStop(0, css(room.lit(scaleRgb(cloth, 1.15), share)))
    fill.addColorStop(0.22, css(room.lit(cloth, share * 0.5)))
    fill.addColorStop(1, css(room.lit(scaleRgb(cloth, 0.8), share * 0.14)))
    context.fillStyle = fill
    context.beginPath()
    context.roundRect(left, top, wide, high, round)
    context.fill()
  }
  soft(centre - half * 0.8, foot - tall * 0.8, half * 1.6, tall * 0.5, tall * 0.16, 0.9)
  soft(centre - half, foot - tall * 0.72, half * 0.3, tall * 0.68, tall * 0.16, 0.8)
  soft(centre + half * 0.7, foot - tall * 0.72, half * 0.3, tall * 0.68, tall * 0.16, 0.8)
  soft(centre - half * 0.86, foot - tall * 1.1, half * 1.72, tall * 1.04, tall * 0.2, 0.75)
  context.fillStyle = css(room.lit(hex('#3c2618'), 0.3))
  for (const leg of [-0.8, 0.72]) context.fillRect(centre + half * leg, foot - tall * 0.06, half * 0.08, tall * 0.1)
}

export function drawChair(
  { stage, context, place, room }: Draw,
  { x, near, faces }: { x: number; near: number; faces: 1 | -1 },
): void {
  const unit = stage.geometry.unit * near
  const foot = place(x, room.floor, near)
  context.strokeStyle = css(room.lit(mixRgb(room.boards, hex('#2c1c14'), 0.55), 0.55))
  context.lineWidth = unit * 0.009
  const [seat, back] = [foot.y - unit * 0.075, foot.y - unit * 0.17]
  const [rear, front] = [foot.x - faces * unit * 0.03, foot.x + faces * unit * 0.03]
  context.beginPath()
  context.moveTo(rear, foot.y)
  context.lineTo(rear - faces * unit * 0.008, back)
  context.moveTo(front, foot.y)
  context.lineTo(front, seat)
  context.lineTo(rear, seat)
  context.moveTo(rear - faces * unit * 0.006, back + unit * 0.03)
  context.lineTo(rear - faces * unit * 0.002, seat - unit * 0.02)
  context.stroke()
}
