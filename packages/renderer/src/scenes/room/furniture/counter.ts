import { css, hex, scaleRgb } from '../../../picture/color.ts'
import { drawBox } from './box.ts'
import type { FurnitureDrawing } from './furniture-drawing.ts'
import { spines } from './spines.ts'

/** Draws cupboards under the window with a worktop, and jars on it. */
export function drawCounter(draw: FurnitureDrawing): void {
  const { context, place, room, random, stage } = draw
  const tone = hex(stage.pick('cupboards', ['#5c7468', '#dcd4c4', '#3c4c5c', '#8c6c4c']))
  drawBox(draw, { x: 0, nearness: 1.01, width: room.halfWidth * 1.94, height: 0.17, depth: 0.13, tone })
  drawBox(draw, {
    x: 0,
    nearness: 1,
    width: room.halfWidth * 1.97,
    height: 0.014,
    depth: 0.16,
    tone: hex('#b89468'),
    baseY: room.floor - 0.165,
  })
  context.strokeStyle = css(room.applyLight(scaleRgb(tone, 0.6), 0.4))
  context.lineWidth = stage.geometry.unit * 0.003
  for (let door = 0; door < 7; door++) {
    const [a, b] = [
      place(-room.halfWidth * 0.92 + (door * room.halfWidth * 1.84) / 7 + 0.01, room.floor - 0.145, 1.142),
      place(-room.halfWidth * 0.92 + ((door + 1) * room.halfWidth * 1.84) / 7 - 0.01, room.floor - 0.012, 1.142),
    ]
    context.strokeRect(a.x, a.y, b.x - a.x, b.y - a.y)
  }
  const unit = stage.geometry.unit
  for (let jar = 0; jar < 9; jar++) {
    const x = (random() * 1.8 - 0.9) * room.halfWidth
    const point = place(x, room.floor - 0.178, 1.05)
    const [width, height] = [unit * (0.02 + 0.02 * random()), unit * (0.03 + 0.05 * random())]
    context.fillStyle = css(room.applyLight(spines[Math.floor(random() * spines.length)] ?? tone, 0.8))
    context.beginPath()
    context.roundRect(point.x - width / 2, point.y - height, width, height, width * 0.25)
    context.fill()
  }
}
