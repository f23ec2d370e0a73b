import { clamp } from '../../../picture/curves.ts'
import { Correlation, type Pattern } from './pattern.ts'
import { valueUnder, type Placement } from './place-picture.ts'

/**
 * Motion of a part relative to the whole image, in shares of the sides, and the likeness of the
 * part in both images.
 */
export interface Move {
  x: number
  y: number
  likeness: number
}

/**
 * Returns the move of a point of the second image. `u` and `v` are shares of its sides. The same
 * object is returned by each call, because this runs for all points of each frame.
 */
export type Moves = (u: number, v: number) => Move

const unmoved: Move = { x: 0, y: 0, likeness: 1 }

export interface PartOptions {
  /** Number of cells from one part to the next. */
  every: number
  /** Number of cells on each side of a part that are compared. */
  patch: number
  /** Range of the search around the expected position, in cells. */
  reach: number
  /** Step of the search, in cells. */
  step: number
}

/** Likeness that a part must gain for each cell that it moves. */
const movePenalty = 0.012
const smoothingRounds = 3
/**
 * Variation up to which a patch is plain and cannot be distinguished from other plain patches.
 */
const plainVariation = 4
/** Minimum likeness with which a part counts in the smoothing. */
const likenessMin = 0.02

/**
 * Finds the position of each part of the second image in the first one, near the position that
 * `guess` returns. Smoothing makes neighboring parts move together.
 */
export function moveParts(
  first: Pattern,
  second: Pattern,
  placement: Placement,
  guess: Moves | undefined,
  options: PartOptions,
): Moves {
  const { every } = options
  const { columns, rows } = second
  const [partColumns, partRows] = [Math.ceil(columns / every) + 1, Math.ceil(rows / every) + 1]
  let parts = Array.from({ length: partColumns * partRows }, (_, part) => {
    const [column, row] = [(part % partColumns) * every, Math.floor(part / partColumns) * every]
    return findPart(first, second, placement, guess?.(column / columns, row / rows) ?? unmoved, column, row, options)
  })
  for (let round = 0; round < smoothingRounds; round++) parts = smoothMoves(parts, partColumns, partRows)

  return interpolateMove(parts, partColumns, partRows, columns / every, rows / every)
}

/** Interpolates between the four parts around a point. */
function interpolateMove(parts: readonly Move[], partColumns: number, partRows: number, partX: number, partY: number): Moves {
  const [xs, ys, likenesses] = [
    Float32Array.from(parts, ({ x }) => x),
    Float32Array.from(parts, ({ y }) => y),
    Float32Array.from(parts, ({ likeness }) => Math.max(0, likeness)),
  ]
  const mixed: Move = { x: 0, y: 0, likeness: 0 }
  return (u, v) => {
    const x = clamp(u * partX, 0, partColumns - 1.001)
    const y = clamp(v * partY, 0, partRows - 1.001)
    const [column, row] = [Math.floor(x), Math.floor(y)]
    const [fx, fy] = [x - column, y - row]
    const index = row * partColumns + column
    mixed.x = interpolate(xs, index, partColumns, fx, fy)
    mixed.y = interpolate(ys, index, partColumns, fx, fy)
    mixed.likeness = interpolate(likenesses, index, partColumns, fx, fy)
    return mixed
  }
}

function interpolate(values: Float32Array, index: number, columns: number, fx: number, fy: number): number {
  const upper = (values[index] ?? 0) * (1 - fx) + (values[index + 1] ?? 0) * fx
  const lower = (values[index + columns] ?? 0) * (1 - fx) + (values[index + columns + 1] ?? 0) * fx
  return upper * (1 - fy) + lower * fy
}

function findPart(
  first: Pattern,
  second: Pattern,
  placement: Placement,
  guess: Move,
  column: number,
  row: number,
  { patch, reach, step }: PartOptions,
): Move {
  let best = { x: guess.x, y: guess.y, likeness: -1, score: -Infinity }
  for (let shiftY = -reach; shiftY <= reach; shiftY += step) {
    for (let shiftX = -reach; shiftX <= reach; shiftX += step) {
      const [x, y] = [guess.x + shiftX / second.columns, guess.y + shiftY / second.rows]
      const likeness = patchLikeness(first, second, { ...placement, x: placement.x + x, y: placement.y + y }, column, row, patch)
      const score = likeness - movePenalty * Math.hypot(shiftX, shiftY)
      if (score > best.score) best = { x, y, likeness, score }
    }
  }
  return best
}

function patchLikeness(
  first: Pattern,
  second: Pattern,
  placement: Placement,
  column: number,
  row: number,
  patch: number,
): number {
  const { columns, rows, values } = second
  const correlation = new Correlation()
  for (let y = Math.max(0, row - patch); y <= Math.min(rows - 1, row + patch); y++) {
    for (let x = Math.max(0, column - patch); x <= Math.min(columns - 1, column + patch); x++) {
      const value = valueUnder(first, placement, x, y)
      if (value !== undefined) correlation.add(value, values[y * columns + x] ?? 0)
    }
  }
  return correlation.count < patch ** 2 ? -1 : correlation.likeness(plainVariation)
}

function smoothMoves(parts: readonly Move[], partColumns: number, partRows: number): Move[] {
  return parts.map((part, index) => {
    const [column, row] = [index % partColumns, Math.floor(index / partColumns)]
    let [x, y, weights] = [0, 0, 0]
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        if (column + dx < 0 || column + dx >= partColumns || row + dy < 0 || row + dy >= partRows) continue
        const neighbor = parts[index + dy * partColumns + dx]
        if (neighbor === undefined) continue
        const weight = Math.max(likenessMin, neighbor.likeness) ** 2 * (dx === 0 && dy === 0 ? 2 : 1)
        x += neighbor.x * weight
        y += neighbor.y * weight
        weights += weight
      }
    }
    return { x: x / weights, y: y / weights, likeness: part.likeness }
  })
}
