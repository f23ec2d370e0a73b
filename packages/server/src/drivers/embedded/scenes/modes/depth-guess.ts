import type { PlanPicture } from '../../render-plan.ts'
import { clamp } from '../../picture/curves.ts'

const columns = 24
const rows = 14

/**
 * How near each part of a picture probably is, 0 to 1: lower parts are nearer, and so is what stands out against the
 * picture's edges near the middle. Smooth, because a wrong step would tear the picture.
 */
export function guessDepth({ width, height, rgba }: PlanPicture): (u: number, v: number) => number {
  const light = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) light[row * columns + column] = meanLight(rgba, width, height, column, row)
  }
  let edgeSum = 0
  for (let row = 0; row < rows; row++) edgeSum += (light[row * columns] ?? 0) + (light[row * columns + columns - 1] ?? 0)
  const edge = edgeSum / (rows * 2)
  const depth = light.map((value, index) => {
    const u = (index % columns) / (columns - 1)
    const v = Math.floor(index / columns) / (rows - 1)
    const central = Math.exp(-((u - 0.5) ** 2 * 7 + (v - 0.55) ** 2 * 6))
    return clamp(0.1 + 0.55 * v ** 1.4 + central * (0.2 + (Math.abs(value - edge) / 255) * 0.7))
  })
  const smooth = blurred(blurred(depth))
  return (u, v) => {
    const x = clamp(u) * (columns - 1)
    const y = clamp(v) * (rows - 1)
    const left = Math.min(columns - 2, Math.floor(x))
    const top = Math.min(rows - 2, Math.floor(y))
    const at = top * columns + left
    const [fx, fy] = [x - left, y - top]
    const upper = (smooth[at] ?? 0) * (1 - fx) + (smooth[at + 1] ?? 0) * fx
    const lower = (smooth[at + columns] ?? 0) * (1 - fx) + (smooth[at + columns + 1] ?? 0) * fx
    return upper * (1 - fy) + lower * fy
  }
}

function meanLight(rgba: Uint8Array, width: number, height: number, column: number, row: number): number {
  const samples = 5
  let sum = 0
  for (let index = 0; index < samples * samples; index++) {
    const x = Math.min(width - 1, Math.floor(((column + ((index % samples) + 0.5) / samples) / columns) * width))
    const y = Math.min(height - 1, Math.floor(((row + (Math.floor(index / samples) + 0.5) / samples) / rows) * height))
    const at = (y * width + x) * 4
    sum += 0.21 * (rgba[at] ?? 0) + 0.72 * (rgba[at + 1] ?? 0) + 0.07 * (rgba[at + 2] ?? 0)
  }
  return sum / (samples * samples)
}

function blurred(values: Float32Array): Float32Array {
  return values.map((_, index) => {
    const column = index % columns
    const row = Math.floor(index / columns)
    let sum = 0
    let count = 0
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
        sum += values[y * columns + x] ?? 0
        count++
      }
    }
    return sum / count
  })
}
