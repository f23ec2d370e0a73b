import { css, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCorners } from '../shell.ts'
import type { FurnitureDrawing } from './furniture-drawing.ts'

/** Draws a box that stands on the floor, or at the height `baseY`, seen slightly from above. */
export function drawBox(
  { context, place, room }: FurnitureDrawing,
  {
    x,
    nearness,
    width,
    height,
    depth,
    tone,
    baseY = room.floor,
  }: { x: number; nearness: number; width: number; height: number; depth: number; tone: Rgb; baseY?: number },
): void {
  const front = nearness + depth
  const share = 0.75 / nearness
  const side = x > 0 ? -1 : 1
  context.fillStyle = css(room.applyLight(scaleRgb(tone, 0.7), share * 0.6))
  fillCorners(context, place, [
    [x + (side * width) / 2, baseY - height, nearness],
    [x + (side * width) / 2, baseY, nearness],
    [x + (side * width) / 2, baseY, front],
    [x + (side * width) / 2, baseY - height, front],
  ])
  context.fillStyle = css(room.applyLight(scaleRgb(tone, 1.15), Math.min(1, share * 1.5)))
  fillCorners(context, place, [
    [x - width / 2, baseY - height, nearness],
    [x + width / 2, baseY - height, nearness],
    [x + width / 2, baseY - height, front],
    [x - width / 2, baseY - height, front],
  ])
  context.fillStyle = css(room.applyLight(tone, share * 0.5))
  fillCorners(context, place, [
    [x - width / 2, baseY - height, front],
    [x + width / 2, baseY - height, front],
    [x + width / 2, baseY, front],
    [x - width / 2, baseY, front],
  ])
}
