import type { Random } from './random.ts'
import type { WarpGrid } from './warp-grid.ts'

const waveCount = 4

export interface Flow {
  /**
   * Computes the displacements of all grid points at a moment of the video. `x` and `y` then return
   * the displacement of one grid point, from about -1 to 1.
   */
  computeAt(seconds: number): void
  x(index: number): number
  y(index: number): number
}

/**
 * Creates a smooth displacement that changes over time, from a few plane waves. The sine of a sum
 * is computed from the sines and cosines of the column and of the row, so that a grid point takes
 * only multiplications. `unit` is the frame's unit of length in pixels.
 */
export function createFlow(grid: WarpGrid, unit: number, random: Random): Flow {
  const { columns, rows } = grid
  const cellUnits = 8 / unit
  const waveSettings = Array.from({ length: waveCount }, (_, waveIndex) => ({
    kx: (random() - 0.5) * (5 + waveIndex * 3),
    ky: (random() - 0.5) * (5 + waveIndex * 3),
    speed: (0.35 + random() * 0.4) * (random() < 0.5 ? -1 : 1),
    phase: random() * 6.28,
    heading: random() * 6.28,
    strength: 0.5 / (1 + waveIndex * 0.45),
  }))
  const columnSin = new Float32Array(columns * waveCount)
  const columnCos = new Float32Array(columns * waveCount)
  const rowSin = new Float32Array(rows * waveCount)
  const rowCos = new Float32Array(rows * waveCount)
  const dx = new Float32Array(columns * rows)
  const dy = new Float32Array(columns * rows)
  return {
    computeAt(seconds) {
      for (const [wave, { kx, ky, speed, phase }] of waveSettings.entries()) {
        for (let column = 0; column < columns; column++) {
          const angle = column * cellUnits * kx + seconds * speed + phase
          columnSin[column * waveCount + wave] = Math.sin(angle)
          columnCos[column * waveCount + wave] = Math.cos(angle)
        }
        for (let row = 0; row < rows; row++) {
          rowSin[row * waveCount + wave] = Math.sin(row * cellUnits * ky)
          rowCos[row * waveCount + wave] = Math.cos(row * cellUnits * ky)
        }
      }
      dx.fill(0)
      dy.fill(0)
      for (const [wave, { heading, strength }] of waveSettings.entries()) {
        const headingX = Math.cos(heading) * strength
        const headingY = Math.sin(heading) * strength
        for (let row = 0, index = 0; row < rows; row++) {
          const sinRow = rowSin[row * waveCount + wave] ?? 0
          const cosRow = rowCos[row * waveCount + wave] ?? 0
          for (let column = 0; column < columns; column++, index++) {
            const factorIndex = column * waveCount + wave
            const value = (columnSin[factorIndex] ?? 0) * cosRow + (columnCos[factorIndex] ?? 0) * sinRow
            dx[index] = (dx[index] ?? 0) + value * headingX
            dy[index] = (dy[index] ?? 0) + value * headingY
          }
        }
      }
    },
    x: (index) => dx[index] ?? 0,
    y: (index) => dy[index] ?? 0,
  }
}
