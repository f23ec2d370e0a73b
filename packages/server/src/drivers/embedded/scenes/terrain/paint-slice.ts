import { ImageData, type SKRSContext2D } from '@napi-rs/canvas'
import type { Layer } from '../../picture/compositor.ts'
import type { Moment, Stage } from '../stage.ts'
import type { Plane } from './plane.ts'

/** Rows of a landscape frame that a slice is drawn for at most; above that it is scaled up. */
const rowsMax = 720
/** How much of the ground shows through the shallowest water. */
const clearest = 0.8

/** A part of the ground between two distances, drawn as one layer that the camera's move shifts by its depth. */
export interface Slice {
  /** Steps of the plane: the first is the nearest. */
  first: number
  end: number
  depth: number
  /** What stands on it, drawn over it: far things first. */
  furnish?: Furnish | undefined
}

/** Draws things of at most `tall`, in lengths of the ground. */
export interface Furnish {
  tall: number
  draw: (context: SKRSContext2D, at: Spotter) => void
}

/** Where a point of the ground lies in the layer, and how long a length there is; undefined where nearer ground hides it. */
export type Spotter = (ray: number, step: number) => Spot | undefined

export interface Spot {
  x: number
  y: number
  scale: number
  /** The same point in the frame, and layer pixels in a frame pixel. */
  frame: { x: number; y: number; perPixel: number }
}

export interface Relief {
  plane: Plane
  heights: Float32Array
  colours: Uint8Array
  /** Ground below this height is left out, so that the water painted before it shows; in the shallows it shines through. */
  waterline?: number
  shallows?: number
}

/** Draws a slice, or only some rows of it. */
export type SlicePainter = (moment: Moment, rows?: { rowFirst?: number; rowEnd?: number }) => void

export function paintSlice(stage: Stage, relief: Relief, slice: Slice): SlicePainter {
  const { layer, place } = drawSlice(stage, relief, slice)
  return (moment, rows) => stage.drawAt(layer, { ...place, ...rows }, moment)
}

/** The slice as a layer, with its place in the frame. `coarseness` is how much larger than usual its texels are. */
export function drawSlice(
  stage: Stage,
  relief: Relief,
  slice: Slice,
  coarseness = 1,
): { layer: Layer; place: Parameters<Stage['drawAt']>[1] } {
  const { geometry, compositor, horizon } = stage
  const { plane } = relief
  const { left, right } = plane
  const scale = Math.max(1, (geometry.unit / rowsMax) * coarseness)
  const columns = Math.max(32, Math.round((right - left) / scale / 2) * 2)
  const texel = (right - left) / columns
  const rowsOf = screenRows(relief, slice, horizon / texel, texel)
  const top = Math.floor(Math.max(rowsOf.highest, (-0.1 * geometry.height) / texel))
  // The last rows stay empty where water lies below: a layer repeats its last row.
  const margin = relief.waterline === undefined ? 0 : 4
  const rows = Math.max(4, Math.ceil((Math.min(rowsOf.lowest, (geometry.height * 1.08) / texel) - top + margin) / 2) * 2)
  const rgba = rasterize(relief, slice, rowsOf.rows, { columns, rows, top })
  const { furnish } = slice
  const layer = furnish
    ? compositor.layer(columns, rows, (context) => {
        context.putImageData(new ImageData(rgba, columns, rows), 0, 0)
        furnish.draw(context, spotter(relief, rowsOf.rows, slice, { columns, top, texel }))
      })
    : compositor.layerFromPixels(columns, rows, premultiplied(rgba))
  return { layer, place: { x: left, y: top * texel, depth: slice.depth, scale: texel, rowEnd: geometry.height } }
}

/** The layer row of every grid point of the slice. */
function screenRows(
  { plane, heights }: Relief,
  { first, end, furnish }: Slice,
  horizonRow: number,
  texel: number,
): { rows: Float32Array; highest: number; lowest: number } {
  const { rays, distances, eye, focal } = plane
  const rows = new Float32Array((end - first) * rays)
  let highest = Number.POSITIVE_INFINITY
  let lowest = Number.NEGATIVE_INFINITY
  for (let step = first; step < end; step++) {
    const perLength = focal / texel / (distances[step] ?? 1)
    const room = (furnish?.tall ?? 0) * 1.1 * perLength
    for (let ray = 0; ray < rays; ray++) {
      const row = horizonRow + (eye - (heights[step * rays + ray] ?? 0)) * perLength
      rows[(step - first) * rays + ray] = row
      if (row - room < highest) highest = row - room
      if (row > lowest) lowest = row
    }
  }
  return { rows, highest, lowest }
}

/**
 * Column by column from near to far: each step fills from the highest row so far up to its own, so that every texel is
 * written once. The texel that holds an edge is shared with what is seen behind it.
 */
function rasterize(
  { plane, heights, colours, waterline, shallows = 0.001 }: Relief,
  { first, end }: Slice,
  screen: Float32Array,
  { columns, rows, top }: { columns: number; rows: number; top: number },
): Uint8ClampedArray {
  const { rays } = plane
  const isWaterland = waterline !== undefined
  const line = waterline ?? Number.NEGATIVE_INFINITY
  const rgba = new Uint8ClampedArray(columns * rows * 4)
  const texels = new Uint32Array(rgba.buffer)
  const edge = { cover: 0, red: 0, green: 0, blue: 0 }
  for (let column = 0; column < columns; column++) {
    const along = (column / (columns - 1)) * (rays - 1)
    const ray = Math.min(rays - 2, Math.floor(along))
    const share = along - ray
    let red = 0
    let green = 0
    let blue = 0
    let seen = rows
    let lastRow = rows
    let lastHeight = 0
    edge.cover = 0
    for (let step = first; step < end; step++) {
      const at = (step - first) * rays + ray
      const row = (screen[at] ?? 0) * (1 - share) + (screen[at + 1] ?? 0) * share - top
      const index = (step * rays + ray) * 3
      const nextRed = (colours[index] ?? 0) * (1 - share) + (colours[index + 3] ?? 0) * share
      const nextGreen = (colours[index + 1] ?? 0) * (1 - share) + (colours[index + 4] ?? 0) * share
      const nextBlue = (colours[index + 2] ?? 0) * (1 - share) + (colours[index + 5] ?? 0) * share
      // Before the nearest step lies more of it.
      const ground = step * rays + ray
      const height = (heights[ground] ?? 0) * (1 - share) + (heights[ground + 1] ?? 0) * share
      if (step === first) {
        lastHeight = height
        if (isWaterland) seen = lastRow = Math.min(rows, row)
        red = nextRed
        green = nextGreen
        blue = nextBlue
      }
      if (row < seen) {
        const isHole = height < line
        const perRow = 1 / Math.max(0.001, lastRow - row)
        const upper = Math.max(0, Math.ceil(row))
        for (let y = Math.ceil(seen) - 1; y >= upper; y--) {
          const way = Math.min(1, Math.max(0, (lastRow - y - 0.5) * perRow))
          let r = red + (nextRed - red) * way
          let g = green + (nextGreen - green) * way
          let b = blue + (nextBlue - blue) * way
          const under = line - (lastHeight + (height - lastHeight) * way)
          let alpha = under <= 0 ? 1 : Math.max(0, 1 - under / shallows) * clearest
          if (edge.cover > 0) {
            const { cover } = edge
            const whole = cover + alpha * (1 - cover)
            r = (edge.red * cover + r * alpha * (1 - cover)) / whole
            g = (edge.green * cover + g * alpha * (1 - cover)) / whole
            b = (edge.blue * cover + b * alpha * (1 - cover)) / whole
            alpha = whole
            edge.cover = 0
          }
          if (alpha > 0) texels[y * columns + column] = packed(r, g, b, alpha * 255)
        }
        const own = isHole ? 0 : Math.ceil(row) - row
        if (own > 0 && row >= 0) {
          const rest = Math.max(0, own - edge.cover)
          const whole = edge.cover + rest
          edge.red = (edge.red * edge.cover + nextRed * rest) / whole
          edge.green = (edge.green * edge.cover + nextGreen * rest) / whole
          edge.blue = (edge.blue * edge.cover + nextBlue * rest) / whole
          edge.cover = whole
        }
        seen = row
      }
      lastRow = row
      lastHeight = height
      red = nextRed
      green = nextGreen
      blue = nextBlue
    }
    const y = Math.ceil(seen) - 1
    if (edge.cover > 0 && y >= 0 && y < rows)
      texels[y * columns + column] = packed(edge.red, edge.green, edge.blue, edge.cover * 255)
  }
  return rgba
}

function packed(red: number, green: number, blue: number, alpha: number): number {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

function spotter(
  { plane }: Relief,
  screen: Float32Array,
  { first, end }: Slice,
  { columns, top, texel }: { columns: number; top: number; texel: number },
): Spotter {
  const { rays, distances, focal, left } = plane
  return (ray, step) => {
    if (step < first || step >= end || ray < 0 || ray >= rays) return undefined
    const row = screen[(step - first) * rays + ray] ?? 0
    for (let nearer = step - 1; nearer >= first; nearer--)
      if ((screen[(nearer - first) * rays + ray] ?? 0) < row - 1) return undefined
    const x = (ray / (rays - 1)) * (columns - 1)
    return {
      x,
      y: row - top,
      scale: focal / texel / (distances[step] ?? 1),
      frame: { x: left + x * texel, y: row * texel, perPixel: 1 / texel },
    }
  }
}

function premultiplied(rgba: Uint8ClampedArray): Uint8Array {
  for (let at = 3; at < rgba.length; at += 4) {
    const cover = rgba[at] ?? 0
    if (cover === 255) continue
    for (let channel = at - 3; channel < at; channel++) rgba[channel] = ((rgba[channel] ?? 0) * cover) / 255
  }
  return new Uint8Array(rgba.buffer)
}
