import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import type { Random } from '../../picture/random.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { placeIn, type Place, type Room } from './room.ts'
import { fillCorners } from './shell.ts'

interface Draw {
  stage: Stage
  context: SKRSContext2D
  place: Place
  room: Room
  random: Random
}

const spines = ['#8c3c34', '#34506c', '#5c6c44', '#b8843c', '#6c4a6c', '#3c5c58', '#a89878', '#4c3c34', '#c8b090', '#7c2c3c'].map(
  hex,
)

/** What stands in the room, far things first, as one layer nearer than the walls. */
export function paintFurniture(stage: Stage, room: Room): Painter {
  const { geometry, compositor } = stage
  const { width, height } = geometry
  const [layerWidth, layerHeight] = [Math.ceil((width * overscan) / 16) * 16, height * overscan]
  const [left, top] = [(width - layerWidth) / 2, (height - layerHeight) / 2]
  const layer = compositor.layer(layerWidth, layerHeight, (context) => {
    context.translate(-left, -top)
    context.lineJoin = 'round'
    const draw: Draw = { stage, context, place: placeIn(stage), room, random: stage.random('furniture') }
    pieces[room.inside](draw)
  })
  return (moment) => stage.drawAt(layer, { x: left, y: top, depth: 0.14, rowEnd: height }, moment)
}

const pieces: Record<Room['inside'], (draw: Draw) => void> = {
  living: (draw) => {
    const { side } = draw.room
    drawRug(draw)
    drawPictures(draw, -side)
    drawShelf(draw, -side, { from: 1.5, to: 2.05, bottom: 0.23, top: -0.22 })
    drawPlant(draw, { x: -side * draw.room.half * 0.82, near: 1.12, tall: 0.36 })
    drawSofa(draw, { x: -side * 0.3, near: 1.75 })
    drawTable(draw, { x: side * draw.room.half * 0.84, near: 1.3, wide: 0.26, tall: 0.16 })
    drawLamp(draw)
  },
  library: (draw) => {
    const { side } = draw.room
    drawRug(draw)
    for (const wall of [-1, 1]) drawShelf(draw, wall, { from: 1.02, to: 3.4, bottom: 0.23, top: -0.38 })
    drawTable(draw, { x: side * draw.room.half * 0.62, near: 1.5, wide: 0.5, tall: 0.15 })
    drawBooks(draw, { x: side * draw.room.half * 0.5, y: 0.08, near: 1.5 })
    drawLamp(draw)
    drawSofa(draw, { x: -side * 0.34, near: 1.8 })
  },
  bedroom: (draw) => {
    const { side } = draw.room
    drawRug(draw)
    drawPictures(draw, side)
    drawTable(draw, { x: side * draw.room.half * 0.86, near: 1.3, wide: 0.22, tall: 0.14 })
    drawLamp(draw)
    drawBed(draw, -side)
    drawPlant(draw, { x: side * draw.room.half * 0.46, near: 1.08, tall: 0.28 })
  },
  kitchen: (draw) => {
    drawCounter(draw)
    drawShelf(draw, -draw.room.side, { from: 1.2, to: 2, bottom: -0.06, top: -0.3 })
    drawPlant(draw, { x: draw.room.half * 0.3, near: 1.03, tall: 0.14, at: 0.03 })
    drawTable(draw, { x: draw.room.side * 0.1, near: 1.9, wide: 0.62, tall: 0.13 })
    drawBowl(draw, { x: draw.room.side * 0.12, y: 0.1, near: 1.9 })
    drawPendants(draw)
  },
  cafe: (draw) => {
    drawShelf(draw, draw.room.side, { from: 1.3, to: 2.6, bottom: 0.05, top: -0.3 })
    for (const [x, near] of [
      [-0.42, 1.14],
      [0.14, 1.2],
      [0.44, 1.32],
      [-0.26, 1.62],
      [0.3, 2.05],
    ] as const) {
      drawChair(draw, { x: x - 0.1, near: near - 0.03, faces: 1 })
      drawRoundTable(draw, { x, near })
      drawChair(draw, { x: x + 0.11, near: near + 0.02, faces: -1 })
    }
    drawPlant(draw, { x: -draw.room.side * draw.room.half * 0.88, near: 1.1, tall: 0.34 })
    drawPendants(draw)
  },
}

/** A box that stands on the floor or at `at`, seen a little from above. */
function drawBox(
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

function drawShade({ stage, context, place, room }: Draw, x: number, near: number, radius: number): void {
  const at = place(x, room.floor, near)
  const size = radius * near * stage.geometry.unit
  context.save()
  context.translate(at.x, at.y)
  context.scale(1, 0.2)
  const fill = context.createRadialGradient(0, 0, 0, 0, 0, size)
  fill.addColorStop(0, 'rgba(10,6,8,0.5)')
  fill.addColorStop(1, 'rgba(10,6,8,0)')
  context.fillStyle = fill
  context.fillRect(-size, -size, size * 2, size * 2)
  context.restore()
}

function drawRug({ context, place, room, random }: Draw): void {
  const tone = mixRgb(room.cloth, hex('#c8a884'), 0.35)
  const bands = 7
  for (let band = 0; band < bands; band++) {
    const inset = band * 0.045
    context.fillStyle = css(
      room.lit(band % 2 ? mixRgb(tone, [240, 226, 200], 0.4 + 0.2 * random()) : scaleRgb(tone, 0.85 + 0.1 * random()), 0.62),
    )
    fillCorners(context, place, [
      [-0.34 + inset, room.floor, 1.22 + inset * 1.2],
      [0.34 - inset, room.floor, 1.22 + inset * 1.2],
      [0.34 - inset, room.floor, 2.05 - inset * 2],
      [-0.34 + inset, room.floor, 2.05 - inset * 2],
    ])
  }
}

function drawTable(draw: Draw, { x, near, wide, tall }: { x: number; near: number; wide: number; tall: number }): void {
  const { room } = draw
  const tone = mixRgb(room.boards, hex('#5c3a24'), 0.5)
  drawShade(draw, x, near * 1.05, wide * 0.8)
  for (const legX of [-0.44, 0.44]) {
    for (const legNear of [0.02, 0.14])
      drawBox(draw, { x: x + legX * wide, near: near + legNear, wide: 0.018, tall, deep: 0.01, tone })
  }
  drawBox(draw, { x, near, wide, tall: 0.022, deep: 0.2, tone, at: room.floor - tall + 0.022 })
}

function drawLamp({ stage, context, place, room }: Draw): void {
  const { x, y, near } = room.lamp
  const unit = stage.geometry.unit * near
  const head = place(x, y - 0.06, near)
  const glow = room.isLamplit
  context.strokeStyle = css(room.lit(hex('#6c5438'), 0.7))
  context.lineWidth = unit * 0.012
  context.beginPath()
  context.moveTo(head.x, head.y)
  context.lineTo(head.x, place(x, room.floor - 0.15, near).y)
  context.stroke()
  const foot = place(x, room.floor - 0.152, near)
  context.fillStyle = css(room.lit(hex('#8c6c48'), 0.7))
  context.beginPath()
  context.ellipse(foot.x, foot.y, unit * 0.036, unit * 0.011, 0, 0, Math.PI * 2)
  context.fill()
  const fill = context.createLinearGradient(0, head.y - unit * 0.05, 0, head.y + unit * 0.06)
  fill.addColorStop(0, css(glow ? hex('#f0a850') : room.lit(hex('#e8dcc4'), 0.8)))
  fill.addColorStop(0.6, css(glow ? hex('#ffdf9c') : room.lit(hex('#f2e8d4'), 1)))
  fill.addColorStop(1, css(glow ? hex('#ffc874') : room.lit(hex('#d8ccb4'), 0.8)))
  context.fillStyle = fill
  context.beginPath()
  context.moveTo(head.x - unit * 0.042, head.y - unit * 0.05)
  context.lineTo(head.x + unit * 0.042, head.y - unit * 0.05)
  context.lineTo(head.x + unit * 0.075, head.y + unit * 0.06)
  context.lineTo(head.x - unit * 0.075, head.y + unit * 0.06)
  context.fill()
}

function drawPendants({ stage, context, place, room }: Draw): void {
  for (const x of [-0.3, 0, 0.3]) {
    const [top, head] = [place(x, -0.6, 1.5), place(x, -0.24, 1.5)]
    const unit = stage.geometry.unit
    context.strokeStyle = css(room.lit(hex('#2c2622'), 0.5))
    context.lineWidth = unit * 0.004
    context.beginPath()
    context.moveTo(top.x, top.y)
    context.lineTo(head.x, head.y)
    context.stroke()
    context.fillStyle = css(room.lit(mixRgb(room.cloth, hex('#2c2a28'), 0.6), 0.7))
    context.beginPath()
    context.arc(head.x, head.y + unit * 0.012, unit * 0.05, Math.PI, 0)
    context.fill()
    context.fillStyle = css(room.isLamplit ? hex('#ffe0a0') : room.lit(hex('#e8e0d0'), 0.8))
    context.beginPath()
    context.ellipse(head.x, head.y + unit * 0.012, unit * 0.046, unit * 0.012, 0, 0, Math.PI * 2)
    context.fill()
  }
}

/** Shelves along a side wall, full of books and a few other things. */
function drawShelf(
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

function drawPictures({ context, place, room, random }: Draw, side: number): void {
  for (const [from, to, y] of [
    [1.16, 1.34, -0.16],
    [1.42, 1.56, -0.12],
  ] as const) {
    const wall = side * (room.half - 0.004)
    const frame = (grow: number, colour: Rgb): void => {
      context.fillStyle = css(colour)
      fillCorners(context, place, [
        [wall, y - 0.075 - grow, from - grow * 1.4],
        [wall, y + 0.075 + grow, from - grow * 1.4],
        [wall, y + 0.075 + grow, to + grow * 1.4],
        [wall, y - 0.075 - grow, to + grow * 1.4],
      ])
    }
    frame(0.014, room.lit(hex('#4c3624'), 0.5))
    frame(0, room.lit(hex('#e8e0d0'), 0.5))
    frame(-0.018, room.lit(mixRgb(spines[Math.floor(random() * spines.length)] ?? room.cloth, hex('#b8c8c8'), 0.4), 0.5))
  }
}

/** A pot with long leaves that hang out of it. */
function drawPlant(draw: Draw, { x, near, tall, at }: { x: number; near: number; tall: number; at?: number }): void {
  const { stage, context, place, room, random } = draw
  const unit = stage.geometry.unit * near
  const foot = place(x, at ?? room.floor, near)
  const pot = tall * 0.26 * unit
  if (at === undefined) drawShade(draw, x, near, tall * 0.4)
  const leaf = hex(stage.pick('leaf', ['#3c6c3c', '#4c7c34', '#2c5c44']))
  const leaves = 22
  for (let index = 0; index < leaves; index++) {
    const angle = -Math.PI / 2 + ((index / (leaves - 1)) * 2 - 1) * 1.5 + (random() - 0.5) * 0.3
    const length = tall * unit * (0.45 + 0.4 * random())
    const [dx, dy] = [Math.cos(angle) * length, Math.sin(angle) * length]
    const [fromX, fromY] = [foot.x + (random() - 0.5) * pot * 0.5, foot.y - pot]
    const [endX, endY] = [fromX + dx, fromY + dy + length * 0.28]
    context.fillStyle = css(room.lit(scaleRgb(leaf, 0.7 + 0.6 * random()), 0.5 + 0.4 * random()))
    context.beginPath()
    context.moveTo(fromX, fromY)
    context.quadraticCurveTo(fromX + dx * 0.5 - length * 0.07, fromY + dy * 0.9, endX, endY)
    context.quadraticCurveTo(fromX + dx * 0.5 + length * 0.09, fromY + dy * 0.7, fromX, fromY)
    context.fill()
  }
  const clay = context.createLinearGradient(foot.x - pot * 0.6, 0, foot.x + pot * 0.6, 0)
  const tone = hex(stage.pick('pot', ['#b0643c', '#e4dccc', '#5c6c74', '#8c7c68']))
  clay.addColorStop(0, css(room.lit(tone, x > 0 ? 0.8 : 0.3)))
  clay.addColorStop(1, css(room.lit(tone, x > 0 ? 0.3 : 0.8)))
  context.fillStyle = clay
  context.beginPath()
  context.moveTo(foot.x - pot * 0.56, foot.y - pot)
  context.lineTo(foot.x + pot * 0.56, foot.y - pot)
  context.lineTo(foot.x + pot * 0.4, foot.y)
  context.lineTo(foot.x - pot * 0.4, foot.y)
  context.fill()
}

/** A soft seat seen from behind and above, facing the window. */
function drawSofa(draw: Draw, { x, near }: { x: number; near: number }): void {
  const { stage, context, place, room } = draw
  const unit = stage.geometry.unit * near
  const { x: centre, y: foot } = place(x, room.floor, near)
  const [half, tall] = [0.2 * unit, 0.17 * unit]
  drawShade(draw, x, near * 1.04, 0.3)
  const cloth = room.cloth
  const soft = (left: number, top: number, wide: number, high: number, round: number, share: number): void => {
    const fill = context.createLinearGradient(0, top, 0, top + high)
    fill.addColorStop(0, css(room.lit(scaleRgb(cloth, 1.15), share)))
    fill.addColorStop(0.22, css(room.lit(cloth, share * 0.5)))
    fill.addColorStop(1, css(room.lit(scaleRgb(cloth, 0.8), share * 0.14)))
    context.fillStyle = fill
    context.beginPath()
    context.roundRect(left, top, wide, high, round)
    context.fill()
  }
  soft(centre - half * 0.8, foot - tall * 0.8, half * 1.6, tall * 0.5, tall * 0.16, 0.9)
  soft(centre - half, foot - tall * 0.72, half * 0.3, tall * 0.68, tall * 0.16, 0.8)
  soft(centre + half * 0.7, foot - tall * 0.72, half * 0.3, tall * 0.68, tall * 0.16, 0.8)
  soft(centre - half * 0.86, foot - tall * 1.1, half * 1.72, tall * 1.04, tall * 0.2, 0.75)
  context.fillStyle = css(room.lit(hex('#3c2618'), 0.3))
  for (const leg of [-0.8, 0.72]) context.fillRect(centre + half * leg, foot - tall * 0.06, half * 0.08, tall * 0.1)
}

function drawBed(draw: Draw, side: number): void {
  const { context, place, room, random } = draw
  const [inner, outer] = [side * 0.06, side * (room.half - 0.02)]
  const [from, to] = [1.34, 2.7]
  const linen = hex('#efe6da')
  const cover = room.cloth
  const top = room.floor - 0.1
  context.fillStyle = css(room.lit(hex('#5c3c28'), 0.35))
  fillCorners(context, place, [
    [outer, room.floor - 0.26, from - 0.04],
    [inner + side * 0.02, room.floor - 0.26, from - 0.04],
    [inner + side * 0.02, room.floor, from - 0.04],
    [outer, room.floor, from - 0.04],
  ])
  const face = (corners: readonly (readonly [number, number, number])[], colour: Rgb): void => {
    context.fillStyle = css(colour)
    fillCorners(context, place, corners)
  }
  face(
    [
      [inner, top, from],
      [outer, top, from],
      [outer, top, to],
      [inner, top, to],
    ],
    room.lit(linen, 0.8),
  )
  face(
    [
      [inner, top, from],
      [inner, room.floor - 0.015, from],
      [inner, room.floor - 0.015, to],
      [inner, top, to],
    ],
    room.lit(scaleRgb(cover, 0.8), 0.4),
  )
  face(
    [
      [inner - side * 0.006, top - 0.008, from + 0.3],
      [outer, top - 0.008, from + 0.3],
      [outer, top - 0.008, to],
      [inner - side * 0.006, top - 0.008, to],
    ],
    room.lit(cover, 0.66),
  )
  // Folds of the cover that catch the light.
  for (let fold = 0; fold < 26; fold++) {
    const [x, near] = [inner + (outer - inner) * random(), from + 0.36 + (to - from - 0.4) * random()]
    const [a, b] = [place(x, top - 0.01, near), place(x + 0.05 * (random() - 0.5), top - 0.008, near + 0.12 + 0.2 * random())]
    context.strokeStyle = css(room.lit(scaleRgb(cover, random() < 0.5 ? 1.25 : 0.62), 0.7), 0.4)
    context.lineWidth = draw.stage.geometry.unit * 0.006
    context.beginPath()
    context.moveTo(a.x, a.y)
    context.quadraticCurveTo((a.x + b.x) / 2 + 8 * (random() - 0.5), (a.y + b.y) / 2, b.x, b.y)
    context.stroke()
  }
  for (const [near, lift] of [
    [from + 0.03, 0.055],
    [from + 0.12, 0.045],
  ] as const) {
    for (const share of [0.12, 0.54]) {
      const [a, b] = [
        place(inner + (outer - inner) * share, top - lift, near),
        place(inner + (outer - inner) * (share + 0.36), top + 0.004, near + 0.07),
      ]
      const fill = context.createLinearGradient(0, Math.min(a.y, b.y), 0, Math.max(a.y, b.y))
      fill.addColorStop(0, css(room.lit([252, 248, 242], 0.95)))
      fill.addColorStop(1, css(room.lit([222, 214, 206], 0.5)))
      context.fillStyle = fill
      context.beginPath()
      context.roundRect(Math.min(a.x, b.x), a.y, Math.abs(b.x - a.x), b.y - a.y, (b.y - a.y) * 0.4)
      context.fill()
    }
  }
}

function drawBooks({ context, place, room, random, stage }: Draw, { x, y, near }: { x: number; y: number; near: number }): void {
  const at = place(x, y, near)
  const unit = stage.geometry.unit * near
  let top = at.y
  for (let book = 0; book < 5; book++) {
    const [wide, tall] = [unit * (0.08 + 0.03 * random()), unit * (0.012 + 0.008 * random())]
    context.fillStyle = css(room.lit(spines[Math.floor(random() * spines.length)] ?? room.cloth, 0.7))
    context.fillRect(at.x - wide / 2 + (random() - 0.5) * unit * 0.02, top - tall, wide, tall)
    top -= tall
  }
}

/** Cupboards under the window with a worktop, jars and pots on it. */
function drawCounter(draw: Draw): void {
  const { context, place, room, random, stage } = draw
  const tone = hex(stage.pick('cupboards', ['#5c7468', '#dcd4c4', '#3c4c5c', '#8c6c4c']))
  drawBox(draw, { x: 0, near: 1.01, wide: room.half * 1.94, tall: 0.17, deep: 0.13, tone })
  drawBox(draw, { x: 0, near: 1, wide: room.half * 1.97, tall: 0.014, deep: 0.16, tone: hex('#b89468'), at: room.floor - 0.165 })
  context.strokeStyle = css(room.lit(scaleRgb(tone, 0.6), 0.4))
  context.lineWidth = stage.geometry.unit * 0.003
  for (let door = 0; door < 7; door++) {
    const [a, b] = [
      place(-room.half * 0.92 + (door * room.half * 1.84) / 7 + 0.01, room.floor - 0.145, 1.142),
      place(-room.half * 0.92 + ((door + 1) * room.half * 1.84) / 7 - 0.01, room.floor - 0.012, 1.142),
    ]
    context.strokeRect(a.x, a.y, b.x - a.x, b.y - a.y)
  }
  const unit = stage.geometry.unit
  for (let jar = 0; jar < 9; jar++) {
    const x = (random() * 1.8 - 0.9) * room.half
    const at = place(x, room.floor - 0.178, 1.05)
    const [wide, tall] = [unit * (0.02 + 0.02 * random()), unit * (0.03 + 0.05 * random())]
    context.fillStyle = css(room.lit(spines[Math.floor(random() * spines.length)] ?? tone, 0.8))
    context.beginPath()
    context.roundRect(at.x - wide / 2, at.y - tall, wide, tall, wide * 0.25)
    context.fill()
  }
}

function drawBowl({ context, place, room, stage, random }: Draw, { x, y, near }: { x: number; y: number; near: number }): void {
  const at = place(x, y, near)
  const size = stage.geometry.unit * near * 0.05
  for (let fruit = 0; fruit < 5; fruit++) {
    context.fillStyle = css(room.lit(hex(['#d8682c', '#c83c2c', '#e8b83c', '#8cac3c'][fruit % 4] ?? '#d8682c'), 0.8))
    context.beginPath()
    context.arc(at.x + (fruit - 2) * size * 0.34, at.y - size * (0.5 + 0.16 * random()), size * 0.28, 0, Math.PI * 2)
    context.fill()
  }
  context.fillStyle = css(room.lit(hex('#e4dccc'), 0.75))
  context.beginPath()
  context.ellipse(at.x, at.y - size * 0.4, size, size * 0.5, 0, 0, Math.PI)
  context.fill()
}

function drawRoundTable(draw: Draw, { x, near }: { x: number; near: number }): void {
  const { stage, context, place, room } = draw
  const unit = stage.geometry.unit * near
  const [top, foot] = [place(x, room.floor - 0.13, near), place(x, room.floor, near)]
  drawShade(draw, x, near, 0.12)
  context.strokeStyle = css(room.lit(hex('#2c2622'), 0.5))
  context.lineWidth = unit * 0.012
  context.beginPath()
  context.moveTo(top.x, top.y)
  context.lineTo(foot.x, foot.y)
  context.stroke()
  context.fillStyle = css(room.lit(mixRgb(room.boards, hex('#e8dcc8'), 0.25), 0.8))
  context.beginPath()
  context.ellipse(top.x, top.y, unit * 0.085, unit * 0.02, 0, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = css(room.lit(hex('#f4f0e8'), 0.95))
  context.beginPath()
  context.ellipse(top.x + unit * 0.02, top.y - unit * 0.012, unit * 0.013, unit * 0.011, 0, 0, Math.PI * 2)
  context.fill()
}

function drawChair({ stage, context, place, room }: Draw, { x, near, faces }: { x: number; near: number; faces: 1 | -1 }): void {
  const unit = stage.geometry.unit * near
  const foot = place(x, room.floor, near)
  context.strokeStyle = css(room.lit(mixRgb(room.boards, hex('#2c1c14'), 0.55), 0.55))
  context.lineWidth = unit * 0.009
  const [seat, back] = [foot.y - unit * 0.075, foot.y - unit * 0.17]
  const [rear, front] = [foot.x - faces * unit * 0.03, foot.x + faces * unit * 0.03]
  context.beginPath()
  context.moveTo(rear, foot.y)
  context.lineTo(rear - faces * unit * 0.008, back)
  context.moveTo(front, foot.y)
  context.lineTo(front, seat)
  context.lineTo(rear, seat)
  context.moveTo(rear - faces * unit * 0.006, back + unit * 0.03)
  context.lineTo(rear - faces * unit * 0.002, seat - unit * 0.02)
  context.stroke()
}
