import type { Compositor } from '../../picture/compositor.ts'
import { clamp } from '../../picture/curves.ts'
import type { Random } from '../../picture/random.ts'

const side = 256

/**
 * Texture of a sheet of paper: a square of heights from -1 to 1 that repeats in both directions
 * without a seam.
 */
export interface Paper {
  heightAt(x: number, y: number): number
}

/** Creates the texture of a sheet. `roughness` is the size of its bumps in pixels. */
export function makePaper(random: Random, roughness: number): Paper {
  const white = Float32Array.from({ length: side * side }, () => random() + random() - 1)
  const radius = Math.max(1, Math.round(roughness))
  const fine = blur(blur(white, radius), radius)
  const coarse = blur(blur(fine, radius * 3), radius * 3)
  const heights = fine.map((value, index) => value - 0.75 * (coarse[index] ?? 0))
  const deviation = Math.sqrt(heights.reduce((sum, value) => sum + value * value, 0) / heights.length)
  const scaled = heights.map((value) => clamp(value / (deviation * 2.4), -1, 1))
  return { heightAt: (x, y) => scaled[((y & 255) << 8) | (x & 255)] ?? 0 }
}

/**
 * Stores the light and shade of paper that is lit from the upper left, as a tile for `setFinish`.
 * Returns its address.
 */
export function createReliefTile(compositor: Compositor, paper: Paper): number {
  return createTile(compositor, (x, y) => (paper.heightAt(x + 1, y + 1) - paper.heightAt(x - 1, y - 1)) * 0.8)
}

/**
 * Stores a tile for `setFinish` and returns its address: 256 rows of 256 samples, each row twice in
 * succession. `sampleAt` returns a sample from -1 to 1.
 */
export function createTile({ arena, shorts }: Compositor, sampleAt: (x: number, y: number) => number): number {
  const tile = arena.allocate(side * side * 4)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const index = (tile >> 1) + y * side * 2 + x
      shorts[index] = shorts[index + side] = clamp(sampleAt(x, y), -1, 1) * 32_767
    }
  }
  return tile
}

/** Returns the mean of a square around each sample, wrapping at the edges. */
function blur(values: Float32Array, radius: number): Float32Array {
  const rowMeans = new Float32Array(side * side)
  const columnMeans = new Float32Array(side * side)
  const share = 1 / (2 * radius + 1)
  for (let line = 0; line < side; line++) {
    let sum = 0
    for (let index = -radius; index <= radius; index++) sum += values[(line << 8) | (index & 255)] ?? 0
    for (let index = 0; index < side; index++) {
      rowMeans[(line << 8) | index] = sum * share
      sum += (values[(line << 8) | ((index + radius + 1) & 255)] ?? 0) - (values[(line << 8) | ((index - radius) & 255)] ?? 0)
    }
  }
  for (let line = 0; line < side; line++) {
    let sum = 0
    for (let index = -radius; index <= radius; index++) sum += rowMeans[((index & 255) << 8) | line] ?? 0
    for (let index = 0; index < side; index++) {
      columnMeans[(index << 8) | line] = sum * share
      sum += (rowMeans[(((index + radius + 1) & 255) << 8) | line] ?? 0) - (rowMeans[(((index - radius) & 255) << 8) | line] ?? 0)
    }
  }
  return columnMeans
}
