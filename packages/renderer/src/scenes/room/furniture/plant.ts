import { css, hex, scaleRgb } from '../../../picture/color.ts'
import { drawFloorShadow } from './lamps.ts'
import type { FurnitureDrawing } from './furniture-drawing.ts'

/** Draws a pot with long leaves that hang out of it. */
export function drawPlant(
  draw: FurnitureDrawing,
  { x, nearness, height, baseY }: { x: number; nearness: number; height: number; baseY?: number },
): void {
  const { stage, context, place, room, random } = draw
  const unit = stage.geometry.unit * nearness
  const foot = place(x, baseY ?? room.floor, nearness)
  const pot = height * 0.26 * unit
  if (baseY === undefined) drawFloorShadow(draw, x, nearness, height * 0.4)
  const leaf = hex(stage.pick('leaf', ['#3c6c3c', '#4c7c34', '#2c5c44']))
  const leaves = 22
  for (let index = 0; index < leaves; index++) {
    const angle = -Math.PI / 2 + ((index / (leaves - 1)) * 2 - 1) * 1.5 + (random() - 0.5) * 0.3
    const length = height * unit * (0.45 + 0.4 * random())
    const [dx, dy] = [Math.cos(angle) * length, Math.sin(angle) * length]
    const [fromX, fromY] = [foot.x + (random() - 0.5) * pot * 0.5, foot.y - pot]
    const [endX, endY] = [fromX + dx, fromY + dy + length * 0.28]
    context.fillStyle = css(room.applyLight(scaleRgb(leaf, 0.7 + 0.6 * random()), 0.5 + 0.4 * random()))
    context.beginPath()
    context.moveTo(fromX, fromY)
    context.quadraticCurveTo(fromX + dx * 0.5 - length * 0.07, fromY + dy * 0.9, endX, endY)
    context.quadraticCurveTo(fromX + dx * 0.5 + length * 0.09, fromY + dy * 0.7, fromX, fromY)
    context.fill()
  }
  const clay = context.createLinearGradient(foot.x - pot * 0.6, 0, foot.x + pot * 0.6, 0)
  const tone = hex(stage.pick('pot', ['#b0643c', '#e4dccc', '#5c6c74', '#8c7c68']))
  clay.addColorStop(0, css(room.applyLight(tone, x > 0 ? 0.8 : 0.3)))
  clay.addColorStop(1, css(room.applyLight(tone, x > 0 ? 0.3 : 0.8)))
  context.fillStyle = clay
  context.beginPath()
  context.moveTo(foot.x - pot * 0.56, foot.y - pot)
  context.lineTo(foot.x + pot * 0.56, foot.y - pot)
  context.lineTo(foot.x + pot * 0.4, foot.y)
  context.lineTo(foot.x - pot * 0.4, foot.y)
  context.fill()
}
