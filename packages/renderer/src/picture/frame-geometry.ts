import type { PixelSize } from '@framegate/contract'

/**
 * Padded widths are multiples of this, so that rows of a quarter of the width fill whole vectors.
 */
const widthMultiple = 32
const sideMin = 16
const sideMax = 4096
const pixelsMax = 5_000_000

export interface FrameGeometry extends PixelSize {
  paddedWidth: number
  /**
   * Unit of length for sizes in a scene, in pixels. It is the height of a frame of 16:9 or wider,
   * and less than the height of a narrower frame, so that a mountain keeps its shape in every
   * aspect ratio.
   */
  unit: number
}

export function frameGeometry({ width, height }: PixelSize): FrameGeometry {
  if (!isValidSide(width) || !isValidSide(height) || width * height > pixelsMax) {
    throw new RangeError(
      `a frame needs even sides of ${sideMin} to ${sideMax} and at most ${pixelsMax} pixels, not ${width}x${height}`,
    )
  }
  return {
    width,
    height,
    paddedWidth: Math.ceil(width / widthMultiple) * widthMultiple,
    unit: Math.min(height, Math.sqrt((width * height * 9) / 16)),
  }
}

function isValidSide(side: number): boolean {
  return Number.isInteger(side) && side % 2 === 0 && side >= sideMin && side <= sideMax
}
