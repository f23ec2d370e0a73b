import type { Random } from './random.ts'
import type { WarpGrid } from './warp-grid.ts'

const waves = 4

export interface Flow {
  /**
   * Computes the displacements of all grid points at a time. `x` and `y` then return the
   * displacement of one grid point, from about -1 to 1.
   */
  computeAt(seconds: number): void
  x(index: number): number
  y(index: number): number
}

/**
 * Creates a smooth wandering displacement from a few plane waves. Each sine is split into a column
 * part and a row part, so that a grid point costs only multiplications.
 */
export function createFlow(grid: WarpGrid, unit: number, random: Random): Flow {
  const { columns, rows } = grid
  const cellUnits = 8 / unit
  const settings = Array.from({ length: waves }, (_, order) => ({
    kx: (random() - 0.5) * (5 + order * 3),
    ky: (random() - 0.5) * (5 + order * 3),
    pace: (0.35 + random() * 0.4) * (random() < 0.5 ? -1 : 1),
    phase: random() * 6.28,
    heading: random() * 6.28,
    strength: 0.5 / (1 + order * 0.45),
  }))
  const columnSin = new Float32Array(columns * waves)
  const columnCos = new Float32Array(columns * waves)
  const rowSin = new Float32Array(rows * waves)
  const rowCos = new Float32Array(rows * waves)
  const dx = new Float32Array(columns * rows)
  const dy = new Float32Array(columns * rows)
  return {
    computeAt(seconds) {
      for (const [wave, { kx, ky, pace, phase }] of settings.entries()) {
        for (let column = 0; column < columns; column++) {
          const angle = column * cellUnits * kx + seconds * pace + phase
          columnSin[column * waves + wave] = Math.sin(angle)
          columnCos[column * waves + wave] = Math.cos(angle)
        }
        for (let row = 0; row < rows; row++) {
          rowSin[row * waves + wave] = Math.sin(row * cellUnits * ky)
          rowCos[row * waves + wave] = Math.cos(row * cellUnits * ky)
        }
      }
      dx.fill(0)
      dy.fill(0)
      for (const [wave, { heading, strength }] of settings.entries()) {
        const headingX = Math.cos(heading) * strength
        const headingY = Math.sin(heading) * strength
        for (let row = 0, index = 0; row < rows; row++) {
          const sinRow = rowSin[row * waves + wave] ?? 0
          const cosRow = rowCos[row * waves + wave] ?? 0
          for (let column = 0; column < columns; column++, index++) {
            const factorIndex = column * waves + wave
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
