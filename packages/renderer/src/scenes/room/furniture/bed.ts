import { css, hex, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCorners } from '../shell.ts'
import type { FurnitureDrawing } from './furniture-drawing.ts'

export function drawBed(draw: FurnitureDrawing, side: number): void {
  const { context, place, room, random } = draw
  const [inner, outer] = [side * 0.06, side * (room.halfWidth - 0.02)]
  const [from, to] = [1.34, 2.7]
  const linen = hex('#efe6da')
  const cover = room.cloth
  const top = room.floor - 0.1
  context.fillStyle = css(room.applyLight(hex('#5c3c28'), 0.35))
  fillCorners(context, place, [
    [outer, room.floor - 0.26, from - 0.04],
    [inner + side * 0.02, room.floor - 0.26, from - 0.04],
    [inner + side * 0.02, room.floor, from - 0.04],
    [outer, room.floor, from - 0.04],
  ])
  const fillFace = (corners: readonly (readonly [number, number, number])[], color: Rgb): void => {
    context.fillStyle = css(color)
    fillCorners(context, place, corners)
  }
  fillFace(
    [
      [inner, top, from],
      [outer, top, from],
      [outer, top, to],
      [inner, top, to],
    ],
    room.applyLight(linen, 0.8),
  )
  fillFace(
    [
      [inner, top, from],
      [inner, room.floor - 0.015, from],
      [inner, room.floor - 0.015, to],
      [inner, top, to],
    ],
    room.applyLight(scaleRgb(cover, 0.8), 0.4),
  )
  fillFace(
    [
      [inner - side * 0.006, top - 0.008, from + 0.3],
      [outer, top - 0.008, from + 0.3],
      [outer, top - 0.008, to],
      [inner - side * 0.006, top - 0.008, to],
    ],
    room.applyLight(cover, 0.66),
  )
  // Light and dark folds of the cover.
  for (let fold = 0; fold < 26; fold++) {
    const [x, nearness] = [inner + (outer - inner) * random(), from + 0.36 + (to - from - 0.4) * random()]
    const [a, b] = [
      place(x, top - 0.01, nearness),
      place(x + 0.05 * (random() - 0.5), top - 0.008, nearness + 0.12 + 0.2 * random()),
    ]
    context.strokeStyle = css(room.applyLight(scaleRgb(cover, random() < 0.5 ? 1.25 : 0.62), 0.7), 0.4)
    context.lineWidth = draw.stage.geometry.unit * 0.006
    context.beginPath()
    context.moveTo(a.x, a.y)
    context.quadraticCurveTo((a.x + b.x) / 2 + 8 * (random() - 0.5), (a.y + b.y) / 2, b.x, b.y)
    context.stroke()
  }
  for (const [nearness, lift] of [
    [from + 0.03, 0.055],
    [from + 0.12, 0.045],
  ] as const) {
    for (const share of [0.12, 0.54]) {
      const [a, b] = [
        place(inner + (outer - inner) * share, top - lift, nearness),
        place(inner + (outer - inner) * (share + 0.36), top + 0.004, nearness + 0.07),
      ]
      const fill = context.createLinearGradient(0, Math.min(a.y, b.y), 0, Math.max(a.y, b.y))
      fill.addColorStop(0, css(room.applyLight([252, 248, 242], 0.95)))
      fill.addColorStop(1, css(room.applyLight([222, 214, 206], 0.5)))
      context.fillStyle = fill
      context.beginPath()
      context.roundRect(Math.min(a.x, b.x), a.y, Math.abs(b.x - a.x), b.y - a.y, (b.y - a.y) * 0.4)
      context.fill()
    }
  }
}
