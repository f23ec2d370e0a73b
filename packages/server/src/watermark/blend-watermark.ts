import type { PixelSize } from '@framegate/contract'
import type { WatermarkPixels } from './watermark-pixels.ts'

/**
 * The effect of the watermark on a plane of a frame: each sample becomes `before * keep + add`, in
 * units of 1/256.
 */
interface PlaneBlend {
  /** Position of the first sample in the frame's bytes, and the distance between rows. */
  offset: number
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

/** Computes the blend of a plane. Each sample is the mean of `step` times `step` pixels. */
function blendOf(
  { width, height, rgba }: WatermarkPixels,
  component: Component,
  step: 1 | 2,
  isFullRange: boolean,
): Omit<PlaneBlend, 'offset' | 'stride'> {
  const columns = Math.floor(width / step)
  const rows = Math.floor(height / step)
  const keep = new Uint16Array(columns * rows)
  const add = new Uint16Array(columns * rows)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      let alpha = 0
      let value = 0
      for (let sample = 0; sample < step * step; sample++) {
        const pixel = ((y * step + Math.floor(sample / step)) * width + x * step + (sample % step)) * 4
        const share = (rgba[pixel + 3] ?? 0) / 255
        alpha += share / (step * step)
        value += (share * sampleOf(rgba, pixel, component, isFullRange)) / (step * step)
      }
      keep[y * columns + x] = Math.round(fullWeight * (1 - alpha))
      add[y * columns + x] = Math.round(fullWeight * value)
    }
  }
  return { width: columns, height: rows, keep, add }
}

/**
 * Computes one component in BT.709: Y' = 0.2126 R' + 0.7152 G' + 0.0722 B', and the differences of
 * blue and red from it.
 */
function sampleOf(rgba: Uint8Array, pixel: number, component: Component, isFullRange: boolean): number {
  const [red, green, blue] = [rgba[pixel] ?? 0, rgba[pixel + 1] ?? 0, rgba[pixel + 2] ?? 0]
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  if (component === 'y') return isFullRange ? luma : 16 + (luma * 219) / 255
  const distance = component === 'u' ? (blue - luma) / 1.8556 : (red - luma) / 1.5748
  return 128 + (isFullRange ? distance : (distance * 224) / 255)
}
