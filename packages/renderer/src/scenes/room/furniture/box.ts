import { css, scaleRgb, type Rgb } from '../../../picture/colour.ts'
import { fillCorners } from '../shell.ts'
import type { Draw } from './draw.ts'

/** Draws a box that stands on the floor or at `at`, seen slightly from above. */
export function drawBox(
  { context, place, room }: Draw,
  {
    x,
    near,
    wide,
    tall,
    deep,
    tone,
    at = room.floor,
  }: { x: number; near: number; wide: number; tall: number; deep: number; tone: Rgb; at?: number },
): void {
  const front = near + deep
  const share = 0.75 / near
  const side = x > 0 ? -1 : 1
  context.fillStyle = css(room.lit(scaleRgb(tone, 0.7), share * 0.6))
  fillCorners(context, place, [
    [x + (side * wide) / 2, at - tall, near],
    [x + (side * wide) / 2, at, near],
    [x + (side * wide) / 2, at, front],
    [x + (side * wide) / 2, at - tall, front],
  ])
  context.fillStyle = css(room.lit(scaleRgb(tone, 1.15), Math.min(1, share * 1.5)))
  fillCorners(context, place, [
    [x - wide / 2, at - tall, near],
    [x + wide / 2, at - tall, near],
    [x + wide / 2, at - tall, front],
    [x - wide / 2, at - tall, front],
  ])
  context.fillStyle = css(room.lit(tone, share * 0.5))
  fillCorners(context, place, [
    [x - wide / 2, at - tall, front],
    [x + wide / 2, at - tall, front],
    [x + wide / 2, at, front],
    [x - wide / 2, at, front],
  ])
}
