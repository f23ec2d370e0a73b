import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { fillCorners } from '../shell.ts'
import type { FurnitureDrawing } from './furniture-drawing.ts'
import { spines } from './spines.ts'

/** Draws shelves along a side wall, full of books, with a few gaps. */
export function drawShelf(
  { context, place, room, random }: FurnitureDrawing,
  side: number,
  { from, to, bottom, top }: { from: number; to: number; bottom: number; top: number },
): void {
  const wood = mixRgb(room.boards, hex('#3c2618'), 0.5)
  const [wall, front] = [side * room.halfWidth, side * (room.halfWidth - 0.07)]
  context.fillStyle = css(room.applyLight(scaleRgb(wood, 0.5), 0.25))
  fillCorners(context, place, [
    [wall, top, from],
    [wall, bottom, from],
    [wall, bottom, to],
    [wall, top, to],
  ])
  const rows = Math.max(2, Math.round((bottom - top) / 0.12))
  for (let row = 0; row < rows; row++) {
    const [upper, lower] = [top + ((bottom - top) * row) / rows, top + ((bottom - top) * (row + 1)) / rows]
    for (let nearness = from + 0.01; nearness < to - 0.02;) {
      const thickness = (0.01 + 0.016 * random()) * nearness
      if (random() < 0.06) {
        nearness += thickness * 3
        continue
      }
      const height = (lower - upper) * (0.6 + 0.3 * random())
      const tone = spines[Math.floor(random() * spines.length)] ?? wood
      const share = (0.75 - 0.4 * ((nearness - 1) / 2.4)) * (0.6 + 0.3 * random())
      context.fillStyle = css(room.applyLight(tone, Math.max(0.1, share)))
      fillCorners(context, place, [
        [front, lower - height, nearness],
        [front, lower, nearness],
        [front, lower, Math.min(to, nearness + thickness)],
        [front, lower - height, Math.min(to, nearness + thickness)],
      ])
      nearness += thickness * 1.06
    }
    context.fillStyle = css(room.applyLight(wood, 0.5))
    fillCorners(context, place, [
      [front, lower - 0.004, from],
      [front, lower + 0.01, from],
      [front, lower + 0.01, to],
      [front, lower - 0.004, to],
    ])
  }
  context.fillStyle = css(room.applyLight(wood, 0.55))
  for (const nearness of [from, to]) {
    fillCorners(context, place, [
      [wall, top - 0.012, nearness],
      [front, top - 0.012, nearness],
      [front, bottom, nearness],
      [wall, bottom, nearness],
    ])
  }
}
