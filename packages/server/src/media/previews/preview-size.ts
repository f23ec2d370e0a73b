import type { PixelSize } from '@framegate/contract'

/** Longer side of a thumbnail, and of a tile of a spritesheet. */
export const thumbnailSideMax = 512
export const tileSideMax = 256
/** A spritesheet always has this many columns and rows. */
export const sheetColumns = 5
export const sheetTiles = sheetColumns * sheetColumns

/**
 * Returns the size with the same aspect ratio whose longer side is at most `sideMax`. Never
 * enlarges.
 */
export function sizeWithin({ width, height }: PixelSize, sideMax: number): PixelSize {
  const share = Math.min(1, sideMax / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) }
}
