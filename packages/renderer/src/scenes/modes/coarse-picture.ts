import type { PlanImage } from '../../render-plan.ts'

/**
 * An image reduced to few cells. Each cell has the mean color of its part of the image: its light
 * from 0 to 1, and by how much blue and red exceed the light.
 */
export interface CoarsePicture {
  columns: number
  rows: number
  light: Float32Array
  blueness: Float32Array
  redness: Float32Array
}

/** Number of samples along each side of a cell. */
const samplesPerSide = 6

/** Reduces an image to `columns` cells across. The number of rows keeps the cells about square. */
export function coarsen({ width, height, rgba }: PlanImage, columns: number): CoarsePicture {
  const rows = Math.max(4, Math.round((columns * height) / width))
  const light = new Float32Array(columns * rows)
  const blueness = new Float32Array(columns * rows)
  const redness = new Float32Array(columns * rows)
  for (let cell = 0; cell < columns * rows; cell++) {
    const [left, top] = [((cell % columns) * width) / columns, (Math.floor(cell / columns) * height) / rows]
    let [red, green, blue] = [0, 0, 0]
    for (let sample = 0; sample < samplesPerSide ** 2; sample++) {
      const sampleX = (sample % samplesPerSide) + 0.5
      const sampleY = Math.floor(sample / samplesPerSide) + 0.5
      const x = Math.min(width - 1, Math.floor(left + (sampleX * width) / columns / samplesPerSide))
      const y = Math.min(height - 1, Math.floor(top + (sampleY * height) / rows / samplesPerSide))
      const index = (y * width + x) * 4
      red += rgba[index] ?? 0
      green += rgba[index + 1] ?? 0
      blue += rgba[index + 2] ?? 0
    }
    const scale = 1 / samplesPerSide ** 2 / 255
    const cellLight = (0.21 * red + 0.72 * green + 0.07 * blue) * scale
    light[cell] = cellLight
    blueness[cell] = blue * scale - cellLight
    redness[cell] = red * scale - cellLight
  }
  return { columns, rows, light, blueness, redness }
}
