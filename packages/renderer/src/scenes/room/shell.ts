import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { placeIn, type Opening, type Place, type Room } from './room.ts'

/** Nearness at which the walls end outside the frame. */
const nearnessMax = 4

export function paintShell(stage: Stage, room: Room): Painter {
  const { geometry, compositor } = stage
  const { width, height } = geometry
  const place = placeIn(stage)
  const [layerWidth, layerHeight] = [Math.ceil((width * overscan) / 16) * 16, height * overscan]
  const [left, top] = [(width - layerWidth) / 2, (height - layerHeight) / 2]
  const layer = compositor.layer(layerWidth, layerHeight, (context) => {
    context.translate(-left, -top)
    drawWalls(stage, context, place, room)
    drawBoards(stage, context, place, room)
    for (const opening of room.windows) cutWindow(context, place, room, opening)
    for (const opening of room.windows) drawFrame(stage, context, place, room, opening)
    drawCurtains(stage, context, place, room)
  })
  return (moment) => stage.drawAt(layer, { x: left, y: top, depth: 0.09, rowEnd: height }, moment)
}

type Corner = readonly [x: number, y: number, nearness: number]

export function fillCorners(context: SKRSContext2D, place: Place, corners: readonly Corner[]): void {
  context.beginPath()
  for (const [index, [x, y, nearness]] of corners.entries()) {
    const point = place(x, y, nearness)
    if (index === 0) context.moveTo(point.x, point.y)
    else context.lineTo(point.x, point.y)
  }
  context.closePath()
  context.fill()
}

function drawWalls(
  stage: Stage,
  context: SKRSContext2D,
  place: Place,
  { halfWidth, ceiling, floor, wall, trim, applyLight, side }: Room,
): void {
  const [inner, outer] = [place(halfWidth, 0), place(halfWidth, 0, nearnessMax / 2)]
  for (const wallSide of [-1, 1]) {
    const frameWidth = stage.geometry.width
    const fill = context.createLinearGradient(
      wallSide < 0 ? frameWidth - inner.x : inner.x,
      0,
      wallSide < 0 ? frameWidth - outer.x : outer.x,
      0,
    )
    const share = wallSide === side ? 0.62 : 0.46
    fill.addColorStop(0, css(applyLight(wall, share)))
    fill.addColorStop(0.5, css(applyLight(wall, share * 0.55)))
    fill.addColorStop(1, css(applyLight(wall, share * 0.2)))
    context.fillStyle = fill
    fillCorners(context, place, [
      [wallSide * halfWidth, ceiling, 1],
      [wallSide * halfWidth, floor, 1],
      [wallSide * halfWidth, floor, nearnessMax],
      [wallSide * halfWidth, ceiling, nearnessMax],
    ])
    context.fillStyle = css(applyLight(trim, share * 0.7))
    fillCorners(context, place, [
      [wallSide * halfWidth, floor - 0.028, 1],
      [wallSide * halfWidth, floor, 1],
      [wallSide * halfWidth, floor, nearnessMax],
      [wallSide * halfWidth, floor - 0.028, nearnessMax],
    ])
  }
  const ceilingLight = context.createLinearGradient(0, place(0, ceiling).y, 0, place(0, ceiling, 2).y)
  ceilingLight.addColorStop(0, css(applyLight(mixRgb(wall, [255, 255, 255], 0.4), 0.42)))
  ceilingLight.addColorStop(1, css(applyLight(wall, 0.08)))
  context.fillStyle = ceilingLight
  fillCorners(context, place, [
    [-halfWidth, ceiling, 1],
    [halfWidth, ceiling, 1],
    [halfWidth, ceiling, nearnessMax],
    [-halfWidth, ceiling, nearnessMax],
  ])
  // The back wall is darker toward its corners.
  const [from, to] = [place(-halfWidth, ceiling), place(halfWidth, floor)]
  const gradient = context.createRadialGradient(
    (from.x + to.x) / 2,
    place(0, -0.1).y,
    0,
    (from.x + to.x) / 2,
    place(0, -0.1).y,
    to.x - from.x,
  )
  gradient.addColorStop(0, css(applyLight(wall, 0.5)))
  gradient.addColorStop(1, css(applyLight(wall, 0.26)))
  context.fillStyle = gradient
  context.fillRect(from.x - 1, from.y - 1, to.x - from.x + 2, to.y - from.y + 2)
  context.fillStyle = css(applyLight(trim, 0.4))
  context.fillRect(from.x, place(0, floor - 0.028).y, to.x - from.x, place(0, floor).y - place(0, floor - 0.028).y)
  context.fillRect(from.x, from.y, to.x - from.x, place(0, ceiling + 0.02).y - from.y)
}

/**
 * Draws floorboards that run to the vanishing point, in pieces of different tones. They are
 * brightest near the window.
 */
function drawBoards(stage: Stage, context: SKRSContext2D, place: Place, { halfWidth, floor, boards, applyLight }: Room): void {
  const random = stage.random('boards')
  const count = 18
  for (let board = 0; board < count; board++) {
    const [x0, x1] = [-halfWidth + (board / count) * 2 * halfWidth, -halfWidth + ((board + 1) / count) * 2 * halfWidth]
    let nearness = 1
    while (nearness < nearnessMax) {
      const next = nearness * (1.12 + 0.5 * random())
      const tone = scaleRgb(boards, 0.84 + 0.3 * random())
      const fill = context.createLinearGradient(0, place(0, floor, 1).y, 0, place(0, floor, 2.4).y)
      fill.addColorStop(0, css(applyLight(tone, 0.92)))
      fill.addColorStop(0.4, css(applyLight(tone, 0.5)))
      fill.addColorStop(1, css(applyLight(tone, 0.16)))
      context.fillStyle = fill
      fillCorners(context, place, [
        [x0, floor, nearness],
        [x1, floor, nearness],
        [x1, floor, next],
        [x0, floor, next],
      ])
      nearness = next
    }
    context.strokeStyle = css(applyLight(scaleRgb(boards, 0.4), 0.4), 0.5)
    context.lineWidth = Math.max(0.7, stage.toPixels(1.2))
    const [from, to] = [place(x0, floor, 1), place(x0, floor, nearnessMax)]
    context.beginPath()
    context.moveTo(from.x, from.y)
    context.lineTo(to.x, to.y)
    context.stroke()
  }
}

function traceOpening(
  context: SKRSContext2D,
  place: Place,
  { isArched }: Room,
  { x, y, width, height }: Opening,
  grow = 0,
): void {
  const [from, to] = [place(x - width / 2 - grow, y - height / 2 - grow), place(x + width / 2 + grow, y + height / 2 + grow)]
  context.beginPath()
  if (!isArched) {
    context.rect(from.x, from.y, to.x - from.x, to.y - from.y)
    return
  }
  const radius = (to.x - from.x) / 2
  const spring = from.y + Math.min(radius, (to.y - from.y) * 0.45)
  context.moveTo(from.x, to.y)
  context.lineTo(from.x, spring)
  context.ellipse((from.x + to.x) / 2, spring, radius, spring - from.y, 0, Math.PI, 0)
  context.lineTo(to.x, to.y)
  context.closePath()
}

function cutWindow(context: SKRSContext2D, place: Place, room: Room, opening: Opening): void {
  context.save()
  context.globalCompositeOperation = 'destination-out'
  context.fillStyle = '#000'
  traceOpening(context, place, room, opening)
  context.fill()
  context.restore()
}

/** Draws the frame, glazing bars and sill of a window. */
function drawFrame(stage: Stage, context: SKRSContext2D, place: Place, room: Room, opening: Opening): void {
  const { trim, applyLight, isLamplit } = room
  const { x, y, width, height } = opening
  const setStroke = (thickness: number, share: number): void => {
    context.lineWidth = thickness * stage.geometry.unit
    context.strokeStyle = css(applyLight(trim, share))
  }
  setStroke(0.026, isLamplit ? 0.62 : 0.36)
  traceOpening(context, place, room, opening, 0.006)
  context.stroke()
  setStroke(0.011, isLamplit ? 0.5 : 0.3)
  const columns = Math.max(2, Math.round(width / 0.24))
  const rows = stage.pick('panes', [2, 3])
  context.save()
  traceOpening(context, place, room, opening)
  context.clip()
  context.beginPath()
  for (let column = 1; column < columns; column++) {
    const [from, to] = [
      place(x - width / 2 + (column / columns) * width, y - height / 2),
      place(x - width / 2 + (column / columns) * width, y + height / 2),
    ]
    context.moveTo(from.x, from.y)
    context.lineTo(to.x, to.y)
  }
  for (let row = 1; row < rows; row++) {
    const [from, to] = [
      place(x - width / 2, y - height / 2 + (row / rows) * height),
      place(x + width / 2, y - height / 2 + (row / rows) * height),
    ]
    context.moveTo(from.x, from.y)
    context.lineTo(to.x, to.y)
  }
  context.stroke()
  context.restore()
  const sill = applyLight(mixRgb(trim, [255, 255, 255], 0.25), isLamplit ? 0.7 : 1)
  context.fillStyle = css(sill)
  fillCorners(context, place, [
    [x - width / 2 - 0.03, y + height / 2 + 0.006, 1],
    [x + width / 2 + 0.03, y + height / 2 + 0.006, 1],
    [x + width / 2 + 0.034, y + height / 2 + 0.022, 1.04],
    [x - width / 2 - 0.034, y + height / 2 + 0.022, 1.04],
  ])
}

/** Draws curtains on both sides of the windows, with lit folds. */
function drawCurtains(
  stage: Stage,
  context: SKRSContext2D,
  place: Place,
  { windows, cloth, applyLight, floor, kind }: Room,
): void {
  if (kind === 'kitchen' || kind === 'cafe' || !stage.pick('curtains', [true, true, false])) return
  const random = stage.random('curtains')
  const [leftWindow, rightWindow] = [windows[0], windows.at(-1)]
  if (!leftWindow || !rightWindow) return
  const top = leftWindow.y - leftWindow.height / 2 - 0.04
  const windowsLeft = leftWindow.x - leftWindow.width / 2
  const windowsRight = rightWindow.x + rightWindow.width / 2
  const edges = [
    { from: windowsLeft - 0.11, to: windowsLeft + 0.02 },
    { from: windowsRight + 0.11, to: windowsRight - 0.02 },
  ]
  for (const { from, to } of edges) {
    const folds = 7
    for (let fold = 0; fold < folds; fold++) {
      const [x0, x1] = [from + ((to - from) * fold) / folds, from + ((to - from) * (fold + 1)) / folds]
      const share = 0.25 + 0.5 * (fold / folds) + 0.14 * random()
      const [a, b] = [place(x0, top), place(x1, top)]
      const fill = context.createLinearGradient(a.x, 0, b.x, 0)
      fill.addColorStop(0, css(applyLight(scaleRgb(cloth, 0.8), share * 0.6)))
      fill.addColorStop(0.5, css(applyLight(cloth, share)))
      fill.addColorStop(1, css(applyLight(scaleRgb(cloth, 0.8), share * 0.6)))
      context.fillStyle = fill
      const sway = 0.006 * Math.sin(fold * 2.1)
      fillCorners(context, place, [
        [x0, top, 1],
        [x1, top, 1],
        [x1 + sway, floor - 0.02, 1],
        [x0 + sway, floor - 0.02, 1],
      ])
    }
  }
  const rod = [place(windowsLeft - 0.14, top), place(windowsRight + 0.14, top)] as const
  context.strokeStyle = css(applyLight([90, 66, 44] satisfies Rgb, 0.5))
  context.lineWidth = stage.geometry.unit * 0.012
  context.beginPath()
  context.moveTo(rod[0].x, rod[0].y)
  context.lineTo(rod[1].x, rod[1].y)
  context.stroke()
}
