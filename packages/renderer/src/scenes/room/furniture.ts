import { overscan, type Painter, type Stage } from '../stage.ts'
import { drawBed } from './furniture/bed.ts'
import { drawCounter } from './furniture/counter.ts'
import { drawLamp, drawPendants } from './furniture/lamps.ts'
import { drawPictures } from './furniture/pictures.ts'
import { drawPlant } from './furniture/plant.ts'
import { drawRug } from './furniture/rug.ts'
import { drawSofa, drawChair } from './furniture/seats.ts'
import { drawShelf } from './furniture/shelf.ts'
import { drawTable, drawRoundTable, drawBowl, drawBooks } from './furniture/tables.ts'
import type { FurnitureDrawing } from './furniture/furniture-drawing.ts'
import { placeIn, type RoomKind, type Room } from './room.ts'

/** Paints the furniture of a room, far objects first, as one layer nearer than the walls. */
export function paintFurniture(stage: Stage, room: Room): Painter {
  const { geometry, compositor } = stage
  const { width, height } = geometry
  const [layerWidth, layerHeight] = [Math.ceil((width * overscan) / 16) * 16, height * overscan]
  const [left, top] = [(width - layerWidth) / 2, (height - layerHeight) / 2]
  const layer = compositor.layer(layerWidth, layerHeight, (context) => {
    context.translate(-left, -top)
    context.lineJoin = 'round'
    const draw: FurnitureDrawing = { stage, context, place: placeIn(stage), room, random: stage.random('furniture') }
    pieces[room.kind](draw)
  })
  return (moment) => stage.drawAt(layer, { x: left, y: top, depth: 0.14, rowEnd: height }, moment)
}

const pieces: Record<RoomKind, (draw: FurnitureDrawing) => void> = {
  living: (draw) => {
    const { side } = draw.room
    drawRug(draw)
    drawPictures(draw, -side)
    drawShelf(draw, -side, { from: 1.5, to: 2.05, bottom: 0.23, top: -0.22 })
    drawPlant(draw, { x: -side * draw.room.halfWidth * 0.82, nearness: 1.12, height: 0.36 })
    drawSofa(draw, { x: -side * 0.3, nearness: 1.75 })
    drawTable(draw, { x: side * draw.room.halfWidth * 0.84, nearness: 1.3, width: 0.26, height: 0.16 })
    drawLamp(draw)
  },
  library: (draw) => {
    const { side } = draw.room
    drawRug(draw)
    for (const wall of [-1, 1]) drawShelf(draw, wall, { from: 1.02, to: 3.4, bottom: 0.23, top: -0.38 })
    drawTable(draw, { x: side * draw.room.halfWidth * 0.62, nearness: 1.5, width: 0.5, height: 0.15 })
    drawBooks(draw, { x: side * draw.room.halfWidth * 0.5, y: 0.08, nearness: 1.5 })
    drawLamp(draw)
    drawSofa(draw, { x: -side * 0.34, nearness: 1.8 })
  },
  bedroom: (draw) => {
    const { side } = draw.room
    drawRug(draw)
    drawPictures(draw, side)
    drawTable(draw, { x: side * draw.room.halfWidth * 0.86, nearness: 1.3, width: 0.22, height: 0.14 })
    drawLamp(draw)
    drawBed(draw, -side)
    drawPlant(draw, { x: side * draw.room.halfWidth * 0.46, nearness: 1.08, height: 0.28 })
  },
  kitchen: (draw) => {
    drawCounter(draw)
    drawShelf(draw, -draw.room.side, { from: 1.2, to: 2, bottom: -0.06, top: -0.3 })
    drawPlant(draw, { x: draw.room.halfWidth * 0.3, nearness: 1.03, height: 0.14, baseY: 0.03 })
    drawTable(draw, { x: draw.room.side * 0.1, nearness: 1.9, width: 0.62, height: 0.13 })
    drawBowl(draw, { x: draw.room.side * 0.12, y: 0.1, nearness: 1.9 })
    drawPendants(draw)
  },
  cafe: (draw) => {
    drawShelf(draw, draw.room.side, { from: 1.3, to: 2.6, bottom: 0.05, top: -0.3 })
    for (const [x, nearness] of [
      [-0.42, 1.14],
      [0.14, 1.2],
      [0.44, 1.32],
      [-0.26, 1.62],
      [0.3, 2.05],
    ] as const) {
      drawChair(draw, { x: x - 0.1, nearness: nearness - 0.03, facing: 1 })
      drawRoundTable(draw, { x, nearness })
      drawChair(draw, { x: x + 0.11, nearness: nearness + 0.02, facing: -1 })
    }
    drawPlant(draw, { x: -draw.room.side * draw.room.halfWidth * 0.88, nearness: 1.1, height: 0.34 })
    drawPendants(draw)
  },
}
