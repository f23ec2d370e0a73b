import type { PixelSize } from '@framegate/contract'
import type { WatermarkPixels } from './watermark-pixels.ts'

/**
 * The effect of the watermark on a plane of a frame: each sample becomes
 * `(sample * keep + add) / 256`.
 */
interface PlaneBlend {
  /** Position of the first changed sample in the frame's bytes. */
  offset: number
  /** Distance between rows, in bytes. */
  stride: number
  width: number
  height: number
  keep: Uint16Array
  add: Uint16Array
}

const fullWeight = 256

/**
 * Returns a function that draws the watermark into an I420 frame of this size, tightly packed, in
 * BT.709 colors.
 */
export function createWatermarkBlend(size: PixelSize, mark: WatermarkPixels, isFullRange: boolean): (i420: Uint8Array) => void {
  const planes = planesOf(size, mark, isFullRange)
  return (i420) => {
    for (const { offset, stride, width, height, keep, add } of planes) {
      for (let y = 0, sample = 0; y < height; y++) {
        const row = offset + y * stride
        for (let x = 0; x < width; x++, sample++) {
          i420[row + x] = ((i420[row + x] ?? 0) * (keep[sample] ?? fullWeight) + (add[sample] ?? 0) + fullWeight / 2) >> 8
        }
      }
    }
  }
}

function planesOf({ width, height }: PixelSize, mark: WatermarkPixels, isFullRange: boolean): PlaneBlend[] {
  const halfWidth = width / 2
  const lumaBytes = width * height
  const chromaPosition = { x: mark.x / 2, y: mark.y / 2 }
  const chroma = (component: 'u' | 'v', start: number): PlaneBlend => ({
    offset: start + chromaPosition.y * halfWidth + chromaPosition.x,
    stride: halfWidth,
    ...blendOf(mark, component, 2, isFullRange),
  })
  return [
    { offset: mark.y * width + mark.x, stride: width, ...blendOf(mark, 'y', 1, isFullRange) },
    chroma('u', lumaBytes),
    chroma('v', lumaBytes + lumaBytes / 4),
  ]
}

type Component = 'y' | 'u' | 'v'

/**
 * Computes the blend of a plane. Each sample is the mean of a square of pixels with sides of
 * `sidePixels`.
 */
function blendOf(
  { width, height, rgba }: WatermarkPixels,
  component: Component,
  sidePixels: 1 | 2,
  isFullRange: boolean,
): Omit<PlaneBlend, 'offset' | 'stride'> {
  const columns = Math.floor(width / sidePixels)
  const rows = Math.floor(height / sidePixels)
  const keep = new Uint16Array(columns * rows)
  const add = new Uint16Array(columns * rows)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      let meanAlpha = 0
      let meanValue = 0
      for (let index = 0; index < sidePixels * sidePixels; index++) {
        const row = y * sidePixels + Math.floor(index / sidePixels)
        const pixel = (row * width + x * sidePixels + (index % sidePixels)) * 4
        const alpha = (rgba[pixel + 3] ?? 0) / 255
        meanAlpha += alpha / (sidePixels * sidePixels)
        meanValue += (alpha * sampleOf(rgba, pixel, component, isFullRange)) / (sidePixels * sidePixels)
      }
      keep[y * columns + x] = Math.round(fullWeight * (1 - meanAlpha))
      add[y * columns + x] = Math.round(fullWeight * meanValue)
    }
  }
  return { width: columns, height: rows, keep, add }
}

/**
 * Computes one component of a pixel in BT.709: the luma Y' = 0.2126 R' + 0.7152 G' + 0.0722 B', or
 * the scaled difference of blue or red from it.
 */
function sampleOf(rgba: Uint8Array, pixel: number, component: Component, isFullRange: boolean): number {
  const [red, green, blue] = [rgba[pixel] ?? 0, rgba[pixel + 1] ?? 0, rgba[pixel + 2] ?? 0]
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  if (component === 'y') return isFullRange ? luma : 16 + (luma * 219) / 255
  const difference = component === 'u' ? (blue - luma) / 1.8556 : (red - luma) / 1.5748
  return 128 + (isFullRange ? difference : (difference * 224) / 255)
}
