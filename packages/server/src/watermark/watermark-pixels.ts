import type { PixelSize } from '@framegate/contract'
import { createCanvas } from '@napi-rs/canvas'
import type { WatermarkDesign } from './watermark-design.ts'
import { paintWatermark, placeWatermark, type WatermarkPlacement } from './watermark-shape.ts'

export interface WatermarkPixels extends WatermarkPlacement {
  /** Pixels that are not premultiplied. */
  rgba: Uint8Array
}

/**
 * Draws the watermark for an image or frame of this size. On a tiny image, it is cropped at the
 * edge.
 */
export function watermarkPixels(size: PixelSize, design: WatermarkDesign): WatermarkPixels {
  const placement = placeWatermark(size, design)
  const width = Math.min(placement.width, size.width - placement.x)
  const height = Math.min(placement.height, size.height - placement.y)
  const context = createCanvas(width, height).getContext('2d')
  paintWatermark(context, placement, design)
  return { ...placement, width, height, rgba: Uint8Array.from(context.getImageData(0, 0, width, height).data) }
}
