import { ImageData, type SKRSContext2D } from '@napi-rs/canvas'
import type { Layer } from '../../picture/compositor.ts'
import type { Moment, Stage } from '../stage.ts'
import type { Plane } from './plane.ts'

/**
 * Maximum number of texels per unit of length. Slices are enlarged if the unit has more pixels.
 */
const texelsPerUnitMax = 720
/** Opacity of the ground just below the water's surface. */
const shallowAlpha = 0.8
/** Number of words of the kernel's `Ground` settings. */
const groundWords = 14

/**
 * A part of the ground between two distances, drawn as one layer. The camera's motion shifts the
 * layer according to its depth.
 */
export interface Slice {
  /** Nearest step of the plane. */
  stepFirst: number
  /** Step after the farthest one. */
  stepEnd: number
  depth: number
  /** Objects that stand on the slice, drawn over it. */
  objects?: GroundObjects | undefined
}

/**
 * Objects on the ground. The far ones are drawn first.
 */
export interface GroundObjects {
  /** Maximum height of the objects, in ground units. */
  height: number
  draw: (context: SKRSContext2D, locate: Spotter) => void
}

/**
 * Returns the position of a ground point in the layer. Undefined if the point is outside the slice,
 * or if nearer ground hides it.
 */
export type Spotter = (ray: number, step: number) => Spot | undefined

export interface Spot {
  x: number
  y: number
  /** Layer pixels per ground unit at this distance. */
  scale: number
  /** Position of the point in the frame, and layer pixels per frame pixel. */
  frame: { x: number; y: number; perPixel: number }
}

export interface Relief {
  plane: Plane
  heights: Float32Array
  colors: Uint8Array
  /** Height below which ground is not drawn, so that water painted before it is visible. */
  waterline?: number
  /** Depth of water up to which the ground shows through. */
  shallows?: number
}

/** Paints a slice, or a range of its rows in the frame. */
export type SlicePainter = (moment: Moment, rows?: { rowFirst?: number; rowEnd?: number }) => void

export function paintSlice(stage: Stage, relief: Relief, slice: Slice): SlicePainter {
  const { layer, place } = drawSlice(stage, relief, slice)
  return (moment, rows) => stage.drawAt(layer, { ...place, ...rows }, moment)
}

/**
 * Draws the slice as a layer, and returns it with its position in the frame. `coarseness`
 * multiplies the size of its texels.
 */
export function drawSlice(
  stage: Stage,
  relief: Relief,
  slice: Slice,
  coarseness = 1,
): { layer: Layer; place: Parameters<Stage['drawAt']>[1] } {
  const { geometry, compositor, horizon } = stage
  const { plane } = relief
  const { left, right } = plane
  const scale = Math.max(1, (geometry.unit / texelsPerUnitMax) * coarseness)
  const columns = Math.max(32, Math.round((right - left) / scale / 2) * 2)
  const texel = (right - left) / columns
  const gridRows = screenRows(stage, relief, slice, horizon / texel, texel)
  const top = Math.floor(Math.max(gridRows.highest, (-0.1 * geometry.height) / texel))
  // Where water lies below, the last rows stay empty, because a layer repeats its last row.
  const margin = relief.waterline === undefined ? 0 : 4
  const rows = Math.max(4, Math.ceil((Math.min(gridRows.lowest, (geometry.height * 1.08) / texel) - top + margin) / 2) * 2)
  const { objects } = slice
  const rgba = rasterize(stage, relief, slice, gridRows.rows, { columns, rows, top, isPremultiplied: !objects })
  // Rows above the ground contain only objects that stand on the ground.
  const bareRows = Math.min(rows - 1, Math.max(0, Math.floor(gridRows.highestGround) - top - 1))
  const layer = objects
    ? compositor.layer(columns, rows, (context) => {
        context.putImageData(imageOf(rgba.subarray(bareRows * columns * 4), columns, rows - bareRows), 0, bareRows)
        objects.draw(context, createSpotter(relief, gridRows.rows, slice, { columns, top, texel }))
      })
    : compositor.layerAt(columns, rows, rgba.byteOffset)
  return { layer, place: { x: left, y: top * texel, depth: slice.depth, scale: texel, rowEnd: geometry.height } }
}

/** Returns the layer row of every grid point of the slice, and the range of these rows. */
function screenRows(
  { compositor }: Stage,
  { plane, heights }: Relief,
  { stepFirst, stepEnd, objects }: Slice,
  horizonRow: number,
  texel: number,
): { rows: Float32Array; highest: number; highestGround: number; lowest: number } {
  const { rays, distances, eyeHeight, focal } = plane
  const space = compositor.workspace()
  const sliceHeights = heights.subarray(stepFirst * rays, stepEnd * rays)
  const [source, target] = [space.allocate(sliceHeights.byteLength), space.allocate(sliceHeights.byteLength)]
  const extent = new Float64Array(space.memory.buffer, space.allocate(16), 2)
  compositor.floats.set(sliceHeights, source >> 2)
  let highest = Number.POSITIVE_INFINITY
  let highestGround = Number.POSITIVE_INFINITY
  let lowest = Number.NEGATIVE_INFINITY
  for (let step = stepFirst; step < stepEnd; step++) {
    const pixelsPerLength = focal / texel / (distances[step] ?? 1)
    const objectRows = (objects?.height ?? 0) * 1.1 * pixelsPerLength
    const start = (step - stepFirst) * rays * 4
    compositor.kernels.projectHeights(
      target + start,
      source + start,
      rays,
      horizonRow,
      eyeHeight,
      pixelsPerLength,
      extent.byteOffset,
    )
    const [least = 0, greatest = 0] = extent
    highest = Math.min(highest, least - objectRows)
    highestGround = Math.min(highestGround, least)
    lowest = Math.max(lowest, greatest)
  }
  const rows = compositor.floats.slice(target >> 2, (target >> 2) + sliceHeights.length)
  return { rows, highest, highestGround, lowest }
}

/**
 * Rasterizes the slice as RGBA in the scratch memory. The pixels are valid until the next layer is
 * created.
 */
function rasterize(
  { compositor }: Stage,
  { plane, heights, colors, waterline, shallows = 0.001 }: Relief,
  { stepFirst, stepEnd }: Slice,
  screen: Float32Array,
  { columns, rows, top, isPremultiplied }: { columns: number; rows: number; top: number; isPremultiplied: boolean },
): Uint8Array {
  const { rays } = plane
  const hasWater = waterline !== undefined
  const pieces = [
    screen,
    heights.subarray(stepFirst * rays, stepEnd * rays),
    colors.subarray(stepFirst * rays * 3, stepEnd * rays * 3),
  ]
  const [settings = 0, target = 0, ...addresses] = compositor.copyAllToScratch([groundWords * 4, columns * rows * 4, ...pieces])
  const parameters = [target, ...addresses, columns, rows, rays, stepEnd - stepFirst, Number(hasWater), Number(isPremultiplied)]
  compositor.words.set(parameters, settings >> 2)
  compositor.floats.set([top, waterline ?? -1e9, shallows, shallowAlpha], (settings >> 2) + parameters.length)
  compositor.kernels.rasterizeGround(settings)
  return compositor.bytes.subarray(target, target + columns * rows * 4)
}

/** Memory that all images share, because new memory takes longer than the copy. */
let imageBytes = new Uint8ClampedArray()

/** Returns an image that is valid until the next call. */
function imageOf(rgba: Uint8Array, width: number, height: number): ImageData {
  if (imageBytes.byteLength < rgba.byteLength) imageBytes = new Uint8ClampedArray(rgba.byteLength)
  imageBytes.set(rgba)
  return new ImageData(imageBytes.subarray(0, rgba.byteLength), width, height)
}

function createSpotter(
  { plane }: Relief,
  screen: Float32Array,
  { stepFirst, stepEnd }: Slice,
  { columns, top, texel }: { columns: number; top: number; texel: number },
): Spotter {
  const { rays, distances, focal, left } = plane
  return (ray, step) => {
    if (step < stepFirst || step >= stepEnd || ray < 0 || ray >= rays) return undefined
    const row = screen[(step - stepFirst) * rays + ray] ?? 0
    for (let nearer = step - 1; nearer >= stepFirst; nearer--)
      if ((screen[(nearer - stepFirst) * rays + ray] ?? 0) < row - 1) return undefined
    const x = (ray / (rays - 1)) * (columns - 1)
    return {
      x,
      y: row - top,
      scale: focal / texel / (distances[step] ?? 1),
      frame: { x: left + x * texel, y: row * texel, perPixel: 1 / texel },
    }
  }
}
