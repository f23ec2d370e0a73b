import type { PixelSize } from '@framegate/contract'
import type { CellSpan } from '../../picture/warp-grid.ts'

/**
 * Size of the mask of one image in front of another. The mask holds the image's opacity, and is
 * scaled up to the frame.
 */
export const maskColumns = 64
export const maskRows = 36

/**
 * Returns for each row of grid cells the range of columns in which a share of the scaled-up mask can
 * pass.
 */
export function spansOf(
  shares: Float32Array,
  passes: (share: number) => boolean,
  cellRows: number,
  { width, height }: PixelSize,
): CellSpan[] {
  const starts: number[] = []
  const ends: number[] = []
  for (let row = 0; row < maskRows; row++) {
    const line = shares.subarray(row * maskColumns, (row + 1) * maskColumns)
    starts.push(line.findIndex(passes))
    ends.push(line.findLastIndex(passes))
  }
  return Array.from({ length: cellRows }, (_, cellRow) => {
    // The share of a sample is interpolated between texels that are at most one texel away.
    const top = Math.max(0, Math.floor((cellRow * 16 * maskRows) / height) - 1)
    const bottom = Math.ceil(((cellRow + 1) * 16 * maskRows) / height) + 1
    const rowStarts = starts.slice(top, bottom).filter((start) => start >= 0)
    if (rowStarts.length === 0) return { columnFirst: 0, columnEnd: 0 }
    const left = ((Math.min(...rowStarts) - 1) * width) / maskColumns
    const right = ((Math.max(...ends.slice(top, bottom)) + 2) * width) / maskColumns
    return {
      columnFirst: Math.max(0, Math.floor(left / 16)),
      columnEnd: Math.min(Math.ceil(width / 16), Math.ceil(right / 16)),
    }
  })
}
