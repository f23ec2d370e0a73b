import { css, hex, mixRgb, scaleRgb } from '../../../picture/colour.ts'
import { fillCorners } from '../shell.ts'
import type { Draw } from './draw.ts'
import { spines } from './spines.ts'

/** Draws shelves along a side wall, full of books and a few other things. */
export function drawShelf(
  { context, place, room, random }: Draw,
  side: number,
  { from, to, bottom, top }: { from: number; to: number; bottom: number; top: number },
): void {
  const wood = mixRgb(room.boards, hex('#3c2618'), 0.5)
  const [wall, front] = [side * room.half, side * (room.half - 0.07)]
  context.fillStyle = css(room.lit(scaleRgb(wood, 0.5), 0.25))
  fillCorners(context, place, [
    [wall, top, from],
    [wall, bottom, from],
    [wall, bottom, to],
    [wall, top, to],
  ])
  const rows = Math.max(2, Math.round((bottom - top) / 0.12))
  for (let row = 0; row < rows; row++) {
    const [upper, lower] = [top + ((bottom - top) * row) / rows, top + ((bottom - top) * (row + 1)) / rows]
    for (let near = from + 0.01; near < to - 0.02;) {
      const thick = (0.01 + 0.016 * random()) * near
      if (random() < 0.06) {
        near += thick * 3
        continue
      }
      const tall = (lower - upper) * (0.6 + 0.3 * random())
      const tone = spines[Math.floor(random() * spines.length)] ?? wood
      const share = (0.75 - 0.4 * ((near - 1) / 2.4)) * (0.6 + 0.3 * random())
      context.fillStyle = css(room.lit(tone, Math.max(0.1, share)))
      fillCorners(context, place, [
        [front, lower - tall, near],
        [front, lower, near],
        [front, lower, Math.min(to, near + thick)],
        [front, lower - tall, Math.min(to, near + thick)],
      ])
      near += thick * 1.06
    }
    context.fillStyle = css(room.lit(wood, 0.5))
    fillCorners(context, place, [
      [front, lower - 0.004, from],
      [front, lower + 0.01, from],
      [front, lower + 0.01, to],
      [front, lower - 0.004, to],
    ])
  }
  context.fillStyle = css(room.lit(wood, 0.55))
  for (const near of [from, to]) {
    fillCorners(context, place, [
      [wall, top - 0.012, near],
      [front, top - 0.012, near],
      [front, bottom, near],
      [wall, bottom, near],
    ])
  }
}
