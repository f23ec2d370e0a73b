import type { PlanImage } from '../../../render-plan.ts'
import { coarsen } from '../coarse-picture.ts'

/**
 * The light of each cell relative to its surroundings, in units of the local variation. It is about
 * the same by day and at night.
 */
export interface Pattern {
  columns: number
  rows: number
  values: Float32Array
}

/**
 * Radius of a cell's surroundings as a share of the number of columns: 3 cells with 32 columns. At
 * most 6 cells are used.
 */
const reachShare = 3 / 32
/** Added to the variation, because plain surfaces would otherwise look like noise. */
const variationMin = 0.02

export function patternOf(picture: PlanImage, columns: number): Pattern {
  const { rows, light } = coarsen(picture, columns)
  const reach = Math.round(Math.min(6, columns * reachShare))
  const mean = boxMean(light, columns, rows, reach)
  const deviations = light.map((value, cell) => value - (mean[cell] ?? 0))
  const squares = deviations.map((value) => value * value)
  const variance = boxMean(squares, columns, rows, reach)
  return { columns, rows, values: deviations.map((value, cell) => value / (Math.sqrt(variance[cell] ?? 0) + variationMin)) }
}

/** Returns the mean of the square around each cell, from sums over rows and then over columns. */
function boxMean(values: Float32Array, columns: number, rows: number, reach: number): Float32Array {
  const rowMeans = values.map((_, cell) => {
    const column = cell % columns
    const [from, to] = [Math.max(0, column - reach), Math.min(columns - 1, column + reach)]
    let sum = 0
    for (let x = from; x <= to; x++) sum += values[cell - column + x] ?? 0
    return sum / (to - from + 1)
  })
  return values.map((_, cell) => {
    const [column, row] = [cell % columns, Math.floor(cell / columns)]
    const [from, to] = [Math.max(0, row - reach), Math.min(rows - 1, row + reach)]
    let sum = 0
    for (let y = from; y <= to; y++) sum += rowMeans[y * columns + column] ?? 0
    return sum / (to - from + 1)
  })
}

/**
 * Collects pairs of values and computes their correlation: 1 for proportional, 0 for unrelated and
 * -1 for opposite values.
 */
export class Correlation {
  count = 0
  #products = 0
  #firstSquares = 0
  #secondSquares = 0

  add(first: number, second: number): void {
    this.count++
    this.#products += first * second
    this.#firstSquares += first * first
    this.#secondSquares += second * second
  }

  /**
   * Returns the correlation. Values that vary by at most `plainVariation` count as alike, because
   * they cannot be distinguished.
   */
  likeness(plainVariation = 1e-6): number {
    return (this.#products + plainVariation) / (Math.sqrt(this.#firstSquares * this.#secondSquares) + plainVariation)
  }
}
