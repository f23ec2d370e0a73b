import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Stage } from '../stage.ts'
import { litWindowColors, type House } from './houses.ts'
import { fillQuad, type Project, type Slice } from './perspective.ts'
import { drawShops } from './shops.ts'
import type { StreetKind } from './street-kind.ts'

/** Draws the front of a house, with its windows and shops. */
export function drawFront(
  stage: Stage,
  context: SKRSContext2D,
  project: Project,
  { kind, house, slice, air }: { kind: StreetKind; house: House; slice: Slice; air: Rgb },
): void {
  const { palette, brief, sun, geometry } = stage
  const random = stage.random(`front ${house.side} ${house.seed}`)
  const isDark = brief.time === 'night' || brief.time === 'dusk'
  const isSunny = sun.x > geometry.width / 2 !== house.side > 0
  const x = house.side * kind.wallDistance
  const from = Math.max(house.from, slice.nearDistance * 0.8)
  const to = Math.min(house.to, slice.farDistance)
  const addHaze = (color: Rgb, z: number): Rgb => mixRgb(color, air, 0.74 * (1 - Math.exp(-Math.max(0, z - 8) / 60)))
  const sunShare = isSunny ? 1 : 0.28
  const applyLight = (color: Rgb): Rgb => [
    Math.min(250, (color[0] * (palette.sunlight[0] * sunShare + palette.skylight[0] * 0.66)) / 255),
    Math.min(250, (color[1] * (palette.sunlight[1] * sunShare + palette.skylight[1] * 0.66)) / 255),
    Math.min(250, (color[2] * (palette.sunlight[2] * sunShare + palette.skylight[2] * 0.66)) / 255),
  ]
  const wall = applyLight(house.wall)
  const middle = (from + to) / 2
  // The gable end that faces the viewer is visible above a lower house in front of it.
  context.fillStyle = css(addHaze(scaleRgb(wall, 0.62), house.from))
  const corners = [
    project(x, 0, house.from),
    project(x, house.height, house.from),
    project(x + house.side * 14, house.height, house.from),
    project(x + house.side * 14, 0, house.from),
  ]
  if (house.from >= slice.nearDistance * 0.8) {
    context.beginPath()
    for (const [index, point] of corners.entries()) {
      if (index === 0) context.moveTo(point.x, point.y)
      else context.lineTo(point.x, point.y)
    }
    context.fill()
  }
  const nearPoint = project(x, 0, from)
  const farPoint = project(x, 0, to)
  const fill = context.createLinearGradient(nearPoint.x, 0, farPoint.x, 0)
  fill.addColorStop(0, css(addHaze(wall, from)))
  fill.addColorStop(1, css(addHaze(wall, to)))
  context.fillStyle = fill
  fillQuad(context, project, x, [0, house.height], [from, to])
  // The wall is darker toward the ground, because less of the sky's light reaches it.
  const shade = context.createLinearGradient(0, project(x, house.height * 0.5, middle).y, 0, project(x, 0, middle).y)
  shade.addColorStop(0, css(palette.shade, 0))
  shade.addColorStop(1, css(palette.shade, 0.4))
  context.fillStyle = shade
  fillQuad(context, project, x, [0, house.height], [from, to])
  context.fillStyle = css(addHaze(scaleRgb(wall, 1.16), middle))
  fillQuad(context, project, x * 0.985, [house.height - 0.5, house.height + 0.1], [from, to])
  if (kind.storeyHeight < 3.5)
    fillQuad(context, project, x * 0.99, [kind.storeyHeight + 0.6, kind.storeyHeight + 0.85], [from, to])
  drawCourses(context, project, { x, house, from, to, wall, addHaze, random })
  const columns = Math.max(2, Math.round((house.to - house.from) / 2.3))
  const hasShutters = random() < 0.4 && kind.storeyHeight < 3.5
  const shutter = applyLight(hex(['#5c7c6c', '#6c5a80', '#8c5a44', '#4c6480'][Math.floor(random() * 4)] ?? '#5c7c6c'))
  const hasBalconies = random() < 0.4
  const rows = Math.floor((house.height - kind.storeyHeight - 0.8) / kind.storeyHeight)
  const litShare = { night: 0.5, dusk: 0.36, dawn: 0.1, day: 0.02 }[brief.time]
  const pane = applyLight(mixRgb(hex('#3a4450'), palette.sky[2] ?? air, 0.35))
  for (let column = 0; column < columns; column++) {
    const z0 = house.from + ((column + 0.22) / columns) * (house.to - house.from)
    const z1 = house.from + ((column + 0.78) / columns) * (house.to - house.from)
    if (z0 < from || z1 > to) continue
    for (let row = 0; row < rows; row++) {
      const y0 = kind.storeyHeight * (1 + row) + 1
      const tone = litWindowColors[Math.floor(random() * litWindowColors.length)] ?? pane
      const isLit = random() < litShare
      context.fillStyle = css(
        addHaze(isLit ? mixRgb(wall, tone, 0.6 + 0.4 * random()) : scaleRgb(pane, 0.8 + 0.4 * random()), z0),
      )
      fillQuad(context, project, x * 0.996, [y0, y0 + kind.storeyHeight * 0.56], [z0, z1])
      const [y1, width] = [y0 + kind.storeyHeight * 0.56, z1 - z0]
      if (z0 > 30) continue
      context.fillStyle = css(addHaze(scaleRgb(wall, 1.14), z0))
      fillQuad(context, project, x * 0.992, [y0 - 0.16, y0], [z0 - 0.1, z1 + 0.1])
      fillQuad(context, project, x * 0.994, [y1, y1 + 0.14], [z0 - 0.06, z1 + 0.06])
      context.fillStyle = css(addHaze(scaleRgb(wall, 0.8), z0))
      fillQuad(context, project, x * 0.994, [y0, y1], [z0 + width * 0.47, z0 + width * 0.53])
      fillQuad(context, project, x * 0.994, [y0 + kind.storeyHeight * 0.36, y0 + kind.storeyHeight * 0.39], [z0, z1])
      if (hasShutters) {
        context.fillStyle = css(addHaze(shutter, z0))
        fillQuad(context, project, x * 0.99, [y0, y1], [z0 - width * 0.4, z0 - 0.04])
        fillQuad(context, project, x * 0.99, [y0, y1], [z1 + 0.04, z1 + width * 0.4])
      }
      if (hasBalconies && row % 2 === 0) {
        context.fillStyle = css(addHaze(applyLight(hex('#2c2c30')), z0), 0.85)
        for (let bar = 0; bar <= 7; bar++)
          fillQuad(
            context,
            project,
            x * 0.97,
            [y0 - 0.1, y0 + 0.75],
            [z0 - 0.1 + (bar / 7) * (width + 0.2), z0 - 0.04 + (bar / 7) * (width + 0.2)],
          )
        fillQuad(context, project, x * 0.97, [y0 + 0.72, y0 + 0.8], [z0 - 0.1, z1 + 0.16])
      }
    }
  }
  drawShops(stage, context, project, { kind, house, from, to, addHaze, applyLight, random, isDark })
}

/** Draws courses of stone or brick, some of them darker. Only near walls show them. */
function drawCourses(
  context: SKRSContext2D,
  project: Project,
  {
    x,
    house,
    from,
    to,
    wall,
    addHaze,
    random,
  }: {
    x: number
    house: House
    from: number
    to: number
    wall: Rgb
    addHaze: (color: Rgb, z: number) => Rgb
    random: () => number
  },
): void {
  if (from > 20) return
  const end = Math.min(to, 24)
  const top = Math.min(house.height, 12)
  for (let stone = 0; stone < 150; stone++) {
    const [z, y] = [from + (end - from) * random(), Math.floor((top * random()) / 0.3) * 0.3]
    context.fillStyle = css(addHaze(scaleRgb(wall, random() < 0.5 ? 0.88 : 1.08), z), 0.5)
    fillQuad(context, project, x * 0.999, [y + 0.02, y + 0.28], [z, z + (0.2 + 0.3 * random()) * Math.min(1, z / 5)])
  }
  context.strokeStyle = css(addHaze(scaleRgb(wall, 0.7), from), 0.35)
  context.lineWidth = 1
  context.beginPath()
  for (let y = 0.3; y < top; y += 0.3) {
    const [a, b] = [project(x * 0.999, y, from), project(x * 0.999, y, end)]
    context.moveTo(a.x, a.y)
    context.lineTo(b.x, b.y)
  }
  context.stroke()
}
