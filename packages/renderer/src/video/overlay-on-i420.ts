import { setYuv, type Tone } from '../picture/color.ts'
import type { PlanOverlay } from '../render-plan.ts'

/** The part of a plane that the overlay covers. */
interface PlanePart {
  x: number
  y: number
  width: number
  /** For each sample, the overlay's value times its alpha. */
  addedValues: Float32Array
  /** For each sample, the share of the frame's value that remains. */
  keptShares: Float32Array
}

/**
 * Returns a function that draws the overlay on a frame of this size, in limited-range BT.709 I420.
 */
export function overlayOnI420(overlay: PlanOverlay, size: { width: number; height: number }): (i420: Uint8Array) => void {
  const luma = createPlanePart(overlay, 0, 1)
  const chroma = [createPlanePart(overlay, 1, 2), createPlanePart(overlay, 2, 2)]
  const samples = size.width * size.height
  return (i420) => {
    draw(i420.subarray(0, samples), size.width, luma)
    for (const [index, part] of chroma.entries()) {
      draw(i420.subarray(samples * (1 + index / 4), samples * (1 + (index + 1) / 4)), size.width / 2, part)
    }
  }
}

function createPlanePart({ x, y, width, height, rgba }: PlanOverlay, channel: 0 | 1 | 2, reduction: 1 | 2): PlanePart {
  const [columns, rows] = [width / reduction, height / reduction]
  const addedValues = new Float32Array(columns * rows)
  const keptShares = new Float32Array(columns * rows).fill(1)
  const yuv: Tone = [0, 0, 0]
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(4 * pixel, 4 * pixel + 4)
    setYuv(yuv, [red, green, blue])
    const row = Math.floor(Math.floor(pixel / width) / reduction)
    const sample = row * columns + Math.floor((pixel % width) / reduction)
    const coverage = alpha / 255 / reduction ** 2
    addedValues[sample] = (addedValues[sample] ?? 0) + yuv[channel] * coverage
    keptShares[sample] = (keptShares[sample] ?? 1) - coverage
  }
  return { x: x / reduction, y: y / reduction, width: columns, addedValues, keptShares }
}

function draw(plane: Uint8Array, stride: number, { x, y, width, addedValues, keptShares }: PlanePart): void {
  for (const [sample, addedValue] of addedValues.entries()) {
    const index = (y + Math.floor(sample / width)) * stride + x + (sample % width)
    plane[index] = Math.round((plane[index] ?? 0) * (keptShares[sample] ?? 1) + addedValue)
  }
}
