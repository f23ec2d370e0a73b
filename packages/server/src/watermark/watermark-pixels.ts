import type { PixelSize } from '@framegate/contract'
import { createCanvas } from '@napi-rs/canvas'
import type { WatermarkDesign } from './watermark-design.ts'
import { paintWatermark, placeWatermark, type WatermarkPlacement } from './watermark-shape.ts'

export interface WatermarkPixels extends WatermarkPlacement {
  /** RGBA pixels, not premultiplied by alpha. */
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

/**
 * Returns the watermark for the decoded frames of a video. `size` is the size of these frames. A
 * player turns them clockwise by `rotation` degrees before it shows them.
 */
export function watermarkPixelsOfFrames(size: PixelSize, rotation: Rotation, design: WatermarkDesign): WatermarkPixels {
  const isTurned = rotation === 90 || rotation === 270
  let displayedSize = isTurned ? { width: size.height, height: size.width } : size
  let pixels = watermarkPixels(displayedSize, design)
  for (let degrees: number = rotation; degrees > 0; degrees -= 90) {
    pixels = turnedLeft(pixels, displayedSize)
    displayedSize = { width: displayedSize.height, height: displayedSize.width }
  }
  return pixels
}

/** Clockwise rotation of a video in degrees. */
type Rotation = 0 | 90 | 180 | 270

/**
 * Returns the watermark for a frame of `size` after the frame was turned 90 degrees to the left.
 */
function turnedLeft({ x, y, width, height, rgba, ...rest }: WatermarkPixels, size: PixelSize): WatermarkPixels {
  const source = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height)
  const turned = new Uint32Array(width * height)
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) turned[(width - 1 - column) * height + row] = source[row * width + column] ?? 0
  return { ...rest, x: y, y: size.width - x - width, width: height, height: width, rgba: new Uint8Array(turned.buffer) }
}
