import type { PixelSize } from '@framegate/contract'

/** Maximum length of the longer side of a thumbnail, in pixels. */
export const thumbnailSideMax = 512
/** Maximum length of the longer side of a spritesheet's tile, in pixels. */
export const tileSideMax = 256
/** A spritesheet always has this many columns and rows. */
export const sheetColumns = 5
export const sheetTiles = sheetColumns * sheetColumns

/**
 * Returns the size with the same aspect ratio whose longer side is at most `sideMax`. Never
 * enlarges.
 */
export function sizeWithin({ width, height }: PixelSize, sideMax: number): PixelSize {
  const scale = Math.min(1, sideMax / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
