import type { PlanPicture } from '../../../render-plan.ts'
import { coarsen } from '../coarse-picture.ts'

/** A picture's light against its surroundings, in units of how much it varies there: the same by day and at night. */
export interface Pattern {
  columns: number
  rows: number
  values: Float32Array
}

/** Cells around one that are its surroundings, on the coarsest pattern; on finer ones they are as far away. */
const reachPerColumn = 3 / 32
/** Below this plain surfaces would become noise. */
const variationMin = 0.02

export function patternOf(picture: PlanPicture, columns: number): Pattern {
  const { rows, light } = coarsen(picture, columns)
  const reach = Math.round(Math.min(6, columns * reachPerColumn))
  const mean = boxMean(light, columns, rows, reach)
  const deviations = light.map((value, cell) => value - (mean[cell] ?? 0))
  const squares = deviations.map((value) => value * value)
  const variance = boxMean(squares, columns, rows, reach)
  return { columns, rows, values: deviations.map((value, cell) => value / (Math.sqrt(variance[cell] ?? 0) + variationMin)) }
}

/** The mean of the square around each cell, by sums over rows and then over columns. */
function boxMean(values: Float32Array, columns: number, rows: number, reach: number): Float32Array {
  const across = values.map((_, cell) => {
    const column = cell % columns
    const [first, last] = [Math.max(0, column - reach), Math.min(columns - 1, column + reach)]
    let sum = 0
    for (let x = first; x <= last; x++) sum += values[cell - column + x] ?? 0
    return sum / (last - first + 1)
  })
  return values.map((_, cell) => {
    const [column, row] = [cell % columns, Math.floor(cell / columns)]
    const [first, last] = [Math.max(0, row - reach), Math.min(rows - 1, row + reach)]
    let sum = 0
    for (let y = first; y <= last; y++) sum += across[y * columns + column] ?? 0
    return sum / (last - first + 1)
  })
}

/** Collects pairs of values and says how alike they are: 1 the same, 0 unrelated, -1 opposite. */
export class Correlation {
  count = 0
  #products = 0
  #ones = 0
  #others = 0

  add(one: number, other: number): void {
    this.count++
    this.#products += one * other
    this.#ones += one * one
    this.#others += other * other
  }

  /** `plain` counts as alike what varies no more than that: nothing tells it apart. */
  likeness(plain = 1e-6): number {
    return (this.#products + plain) / (Math.sqrt(this.#ones * this.#others) + plain)
  }
}
