import { Correlation, type Pattern } from './pattern.ts'

/**
 * Placement of one image in another. The image is scaled about its middle, and then moved by `x`
 * and `y`, which are shares of the sides.
 */
export interface Placement {
  scale: number
  x: number
  y: number
}

const unmoved: Placement = { scale: 1, x: 0, y: 0 }

const scaleStepsPerOctave = 6
const scaleStepsMax = 5
const moveShareMax = 0.36
/** Minimum overlap of the images, as a share of the area. */
const overlapMin = 0.4
/** Amount by which the likeness of another placement must exceed that of the unmoved image. */
const inPlaceBonus = 0.05

/** Tries all placements in steps of a cell, and returns the one with the highest likeness. */
export function searchPlacement(first: Pattern, second: Pattern): Placement {
  let best = { placement: unmoved, likeness: likenessAt(first, second, unmoved) + inPlaceBonus }
  const [shiftColumns, shiftRows] = [Math.round(moveShareMax * first.columns), Math.round(moveShareMax * first.rows)]
  for (let step = -scaleStepsMax; step <= scaleStepsMax; step++) {
    const scale = 2 ** (step / scaleStepsPerOctave)
    for (let row = -shiftRows; row <= shiftRows; row++) {
      for (let column = -shiftColumns; column <= shiftColumns; column++) {
        best = betterCandidate(best, first, second, { scale, x: column / first.columns, y: row / first.rows })
      }
    }
  }
  return best.placement
}

/**
 * Refines a placement in steps of these numbers of cells, one after the other. A step of the scale
 * moves the sides by about the same number of cells.
 */
export function refinePlacement(first: Pattern, second: Pattern, roughPlacement: Placement, steps: readonly number[]): Placement {
  let best = { placement: roughPlacement, likeness: likenessAt(first, second, roughPlacement) }
  for (const cells of steps) {
    const startPlacement = best.placement
    for (let step = -2; step <= 2; step++) {
      best = betterCandidate(best, first, second, {
        ...startPlacement,
        scale: startPlacement.scale * (1 + (2 * step * cells) / first.columns),
      })
    }
    const { scale, x, y } = best.placement
    for (let row = -2; row <= 2; row++) {
      for (let column = -2; column <= 2; column++) {
        best = betterCandidate(best, first, second, {
          scale,
          x: x + (column * cells) / first.columns,
          y: y + (row * cells) / first.rows,
        })
      }
    }
  }
  return best.placement
}

interface Candidate {
  placement: Placement
  likeness: number
}

function betterCandidate(best: Candidate, first: Pattern, second: Pattern, placement: Placement): Candidate {
  const likeness = likenessAt(first, second, placement)
  return likeness > best.likeness ? { placement, likeness } : best
}

/** Returns the likeness of both patterns where they overlap, or -1 if the overlap is too small. */
export function likenessAt(first: Pattern, second: Pattern, placement: Placement): number {
  const { columns, rows } = second
  const correlation = new Correlation()
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = valueUnder(first, placement, column, row)
      if (value !== undefined) correlation.add(value, second.values[row * columns + column] ?? 0)
    }
  }
  return correlation.count < overlapMin * columns * rows ? -1 : correlation.likeness()
}

/**
 * Returns the value of the first pattern at a cell of the second one, interpolated between cells.
 * Undefined outside the first pattern.
 */
export function valueUnder(
  { columns, rows, values }: Pattern,
  { scale, x, y }: Placement,
  column: number,
  row: number,
): number | undefined {
  const atX = (((column + 0.5) / columns - 0.5 - x) / scale + 0.5) * columns - 0.5
  const atY = (((row + 0.5) / rows - 0.5 - y) / scale + 0.5) * rows - 0.5
  if (atX < -0.5 || atY < -0.5 || atX > columns - 0.5 || atY > rows - 0.5) return undefined
  const left = Math.max(0, Math.min(columns - 2, Math.floor(atX)))
  const top = Math.max(0, Math.min(rows - 2, Math.floor(atY)))
  const [fx, fy] = [Math.max(0, Math.min(1, atX - left)), Math.max(0, Math.min(1, atY - top))]
  const index = top * columns + left
  const upper = (values[index] ?? 0) * (1 - fx) + (values[index + 1] ?? 0) * fx
  const lower = (values[index + columns] ?? 0) * (1 - fx) + (values[index + columns + 1] ?? 0) * fx
  return upper * (1 - fy) + lower * fy
}
