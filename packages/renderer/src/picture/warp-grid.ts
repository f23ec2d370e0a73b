import type { PlanImage } from '../render-plan.ts'
import type { Compositor, WorkingPlanes } from './compositor.ts'

/**
 * A picture repeats its last samples beyond its right and lower edges, so that the kernel may read
 * whole vectors.
 */
const marginColumns = 32
const marginRows = 4
/** Distance between two points of the grid, in frame pixels. A cell is twice as wide and high. */
const pointDistance = 8

/** An opaque image as 8-bit planes with repeated edges. */
export interface Picture {
  width: number
  height: number
  stride: number
  rows: number
  planes: WorkingPlanes
}

/** Converts an image with even sides. Transparent pixels are blended over black. */
export function createPicture(compositor: Compositor, { width, height, rgba }: PlanImage): Picture {
  const stride = Math.ceil(width / 32) * 32 + marginColumns
  const rows = height + marginRows
  const padded = new Uint8Array(stride * rows * 4)
  const pixels = new Uint32Array(padded.buffer)
  for (let row = 0; row < rows; row++) {
    const from = Math.min(row, height - 1) * width * 4
    padded.set(rgba.subarray(from, from + width * 4), row * stride * 4)
    const end = row * stride + width
    pixels.fill(pixels[end - 1] ?? 0, end, (row + 1) * stride)
  }
  const source = compositor.copyToScratch(padded)
  const planes = {
    y: compositor.arena.allocate(stride * rows),
    u: compositor.arena.allocate((stride * rows) / 4),
    v: compositor.arena.allocate((stride * rows) / 4),
  }
  compositor.kernels.flattenStraight(source, stride, rows, planes.y, planes.u, planes.v, stride)
  return { width, height, stride, rows, planes }
}

/**
 * Sets `source` to the position in the picture that is shown at the frame pixel `x`, `y`, where the
 * grid point `index` is.
 */
export type SetSource = (x: number, y: number, index: number, source: { x: number; y: number }) => void

/** Columns of 16x16-pixel cells, from `columnFirst` up to but not including `columnEnd`. */
export interface CellSpan {
  columnFirst: number
  columnEnd: number
}

/**
 * A grid of source positions, one for each 8x8 pixels of the frame. A picture is drawn through the
 * grid: each frame pixel shows the picture at the interpolated source position.
 */
export class WarpGrid {
  readonly columns: number
  readonly rows: number
  readonly cellColumns: number
  readonly cellRows: number
  readonly #compositor: Compositor
  readonly #floats: Float32Array
  readonly #luma: { x: number; y: number }
  readonly #chroma: { x: number; y: number; columns: number; rows: number }
  readonly #settings: number
  readonly #spans: number
  readonly #wholeRow: CellSpan

  constructor(compositor: Compositor) {
    const { paddedWidth, height } = compositor.geometry
    this.#compositor = compositor
    this.#floats = new Float32Array(compositor.arena.memory.buffer)
    this.cellColumns = paddedWidth / (2 * pointDistance)
    this.cellRows = Math.ceil(height / (2 * pointDistance))
    this.#wholeRow = { columnFirst: 0, columnEnd: this.cellColumns }
    this.columns = paddedWidth / pointDistance + 1
    this.rows = Math.ceil(height / pointDistance) + 2
    const columns = paddedWidth / (2 * pointDistance) + 1
    const rows = Math.ceil(height / (2 * pointDistance)) + 2
    const allocateFloats = (count: number): number => compositor.arena.allocate(count * 4)
    this.#luma = { x: allocateFloats(this.columns * this.rows), y: allocateFloats(this.columns * this.rows) }
    this.#chroma = { x: allocateFloats(columns * rows), y: allocateFloats(columns * rows), columns, rows }
    this.#settings = compositor.arena.allocate(12 * 4)
    this.#spans = compositor.arena.allocate(this.cellRows * 4)
  }

  /**
   * Sets all points of the grid, or only those that the cells of `spans` need. `spans` has one span
   * for each row of cells. With `spans`, `draw` draws only the cells in them.
   */
  set(setSource: SetSource, spans?: readonly CellSpan[]): void {
    const source = { x: 0, y: 0 }
    const { shorts } = this.#compositor
    const spanOf = (cellRow: number): CellSpan =>
      (spans ? spans[Math.max(0, Math.min(this.cellRows - 1, cellRow))] : undefined) ?? this.#wholeRow
    for (let cellRow = 0; cellRow < this.cellRows; cellRow++) {
      const { columnFirst, columnEnd } = spanOf(cellRow)
      shorts[(this.#spans >> 1) + cellRow * 2] = columnFirst
      shorts[(this.#spans >> 1) + cellRow * 2 + 1] = columnEnd
    }
    const { x: lumaX, y: lumaY } = this.#luma
    for (let row = 0; row < this.rows; row++) {
      // A row of points is used by the cells above and below it.
      const [spanAbove, spanBelow] = [spanOf((row - 1) >> 1), spanOf(row >> 1)]
      const lastColumn = Math.max(spanAbove.columnEnd, spanBelow.columnEnd) * 2
      for (let column = Math.min(spanAbove.columnFirst, spanBelow.columnFirst) * 2; column <= lastColumn; column++) {
        const index = row * this.columns + column
        setSource(column * pointDistance, row * pointDistance, index, source)
        this.#floats[(lumaX >> 2) + index] = source.x
        this.#floats[(lumaY >> 2) + index] = source.y
      }
    }
    const { x: chromaX, y: chromaY, columns, rows } = this.#chroma
    for (let row = 0; row < rows; row++) {
      const from = Math.min(this.rows - 1, row * 2) * this.columns
      for (let column = 0; column < columns; column++) {
        const index = from + Math.min(this.columns - 1, column * 2)
        this.#floats[(chromaX >> 2) + row * columns + column] = this.#floats[(lumaX >> 2) + index] ?? 0
        this.#floats[(chromaY >> 2) + row * columns + column] = this.#floats[(lumaY >> 2) + index] ?? 0
      }
    }
  }

  /**
   * Draws the picture through the grid to the cells of `target` that were set. `scale` converts
   * source positions to picture pixels, for a picture that does not have the frame's size.
   */
  draw(picture: Picture, target: WorkingPlanes, scale = 1): void {
    const { paddedWidth, height } = this.#compositor.geometry
    const { stride, rows, planes } = picture
    const { x, y, columns } = this.#chroma
    this.#warp(
      [target.y, paddedWidth * 2, height, planes.y, stride, rows, this.#luma.x, this.#luma.y, this.columns, this.#spans, 4],
      scale,
    )
    const chroma = [paddedWidth, height / 2] as const
    this.#warp([target.u, ...chroma, planes.u, stride / 2, rows / 2, x, y, columns, this.#spans, 3], scale / 2)
    this.#warp([target.v, ...chroma, planes.v, stride / 2, rows / 2, x, y, columns, this.#spans, 3], scale / 2)
  }

  #warp(words: readonly number[], scale: number): void {
    this.#compositor.words.set(words, this.#settings >> 2)
    this.#floats[(this.#settings >> 2) + 11] = scale
    this.#compositor.kernels.warpPicture(this.#settings)
  }
}
