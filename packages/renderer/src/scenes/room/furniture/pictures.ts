import { css, hex, mixRgb, type Rgb } from '../../../picture/color.ts'
import { fillCorners } from '../shell.ts'
import type { FurnitureDrawing } from './furniture-drawing.ts'
import { spines } from './spines.ts'

export function drawPictures({ context, place, room, random }: FurnitureDrawing, side: number): void {
  for (const [from, to, y] of [
    [1.16, 1.34, -0.16],
    [1.42, 1.56, -0.12],
  ] as const) {
    const wall = side * (room.halfWidth - 0.004)
    const fillGrown = (grow: number, color: Rgb): void => {
      context.fillStyle = css(color)
      fillCorners(context, place, [
        [wall, y - 0.075 - grow, from - grow * 1.4],
        [wall, y + 0.075 + grow, from - grow * 1.4],
        [wall, y + 0.075 + grow, to + grow * 1.4],
        [wall, y - 0.075 - grow, to + grow * 1.4],
      ])
    }
    fillGrown(0.014, room.applyLight(hex('#4c3624'), 0.5))
    fillGrown(0, room.applyLight(hex('#e8e0d0'), 0.5))
    fillGrown(
      -0.018,
      room.applyLight(mixRgb(spines[Math.floor(random() * spines.length)] ?? room.cloth, hex('#b8c8c8'), 0.4), 0.5),
    )
  }
}
