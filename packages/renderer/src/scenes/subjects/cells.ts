import type { Arena } from '../../picture/arena.ts'
import type { Kernels } from '../../picture/kernels.ts'

/** A coarse map of a drawing's coverage, from 0 to 1, as 32-bit floats. */
export interface Cells {
  address: number
  columns: number
  rows: number
  /** Number of cells from the start of one row to the start of the next. */
  stride: number
}

/** Packed RGBA in the kernels' memory. */
export interface PixelArea {
  address: number
  /** Number of bytes from the start of one row to the start of the next. */
  stride: number
  width: number
  rows: number
}

/**
 * Maps the coverage of an area in cells whose side is `cellPixels`. `pad` empty cells are added on
 * all sides.
 */
export function coverCells(
  kernels: Kernels,
  space: Arena,
  area: PixelArea,
  { cellPixels, pad }: { cellPixels: number; pad: number },
): Cells {
  const columns = Math.ceil(area.width / cellPixels) + pad * 2
  const rows = Math.ceil(area.rows / cellPixels) + pad * 2
  const stride = Math.max(8, Math.ceil(columns / 4) * 4)
  const address = space.allocate(stride * rows * 4)
  const sums = space.remaining().allocate(area.width * 2 + 16)
  kernels.coverCells(address, stride, area.address, area.stride, area.width, area.rows, cellPixels, pad, sums)
  return { address, columns, rows, stride }
}

export function copyCells(bytes: Uint8Array, space: Arena, cells: Cells): Cells {
  const address = space.allocate(cells.stride * cells.rows * 4)
  bytes.copyWithin(address, cells.address, cells.address + cells.stride * cells.rows * 4)
  return { ...cells, address }
}

/** Blurs cells in place. `radius` is in cells. */
export function blurCells(kernels: Kernels, space: Arena, { address, columns, rows, stride }: Cells, radius: number): void {
  const spareAddress = space.remaining().allocate(stride * (rows + 1) * 4)
  kernels.blurCells(address, spareAddress, columns, rows, stride, Math.max(1, Math.round(radius)))
}
