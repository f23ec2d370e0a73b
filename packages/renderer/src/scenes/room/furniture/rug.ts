import { css, hex, mixRgb, scaleRgb } from '../../../picture/color.ts'
import { fillCorners } from '../shell.ts'
import type { FurnitureDrawing } from './furniture-drawing.ts'

export function drawRug({ context, place, room, random }: FurnitureDrawing): void {
  const tone = mixRgb(room.cloth, hex('#c8a884'), 0.35)
  const bands = 7
  for (let band = 0; band < bands; band++) {
    const inset = band * 0.045
    context.fillStyle = css(
      room.applyLight(
        band % 2 ? mixRgb(tone, [240, 226, 200], 0.4 + 0.2 * random()) : scaleRgb(tone, 0.85 + 0.1 * random()),
        0.62,
      ),
    )
    fillCorners(context, place, [
      [-0.34 + inset, room.floor, 1.22 + inset * 1.2],
      [0.34 - inset, room.floor, 1.22 + inset * 1.2],
      [0.34 - inset, room.floor, 2.05 - inset * 2],
      [-0.34 + inset, room.floor, 2.05 - inset * 2],
    ])
  }
}
