import type { PlanImage } from '../../render-plan.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { coarsen, type CoarsePicture } from './coarse-picture.ts'
import { findSubjects } from './find-subjects.ts'

const columns = 64
/** Default position of the horizon, as a share of the height. */
const horizonDefault = 0.56
/** Range in which the horizon is searched for, in shares of the height. */
const horizonRange = { from: 0.3, to: 0.82 }
/** Number of rows that are compared above and below a horizon. */
const bandRows = 4
/**
 * Smallest difference in light between these rows that counts as a horizon. The difference is
 * reduced with the distance from the default horizon.
 */
const horizonContrastMin = 0.05

/** Nearness of a subject that reaches the lower edge of the image. */
const closeUpNearness = 0.7
/**
 * Minimum nearness of a subject. A subject above the horizon has this nearness, and is therefore
 * slightly in front of the background.
 */
const skySubjectNearnessMin = 0.08

/** Distance from a subject, in cells, up to which its surroundings move with it. */
const solidCells = 1
/** Distance from a subject, in cells, beyond which it does not affect its surroundings. */
const fadedCells = 6

export interface DepthGuess {
  /** Position of the horizon as a share of the height. */
  horizon: number
  hasSubjects: boolean
  /** Nearness of the largest subject, or of the ground at 80 % of the height if there is none. */
  subjectNearness: number
  /**
   * Returns the nearness of a point, whose position is in shares of the sides. 0 is the backdrop,
   * and 1 is the ground at the lower edge.
   */
  nearness(u: number, v: number): number
}

/**
 * Models an image as planes: a backdrop above the horizon, a ground that comes nearer toward the
 * lower edge, and upright subjects that are as near as the ground at their feet. Straight lines
 * stay straight when the camera moves, because each part is a plane. Only the backdrop around
 * subjects is stretched, over a long distance.
 */
export function guessDepth(picture: PlanImage): DepthGuess {
  const coarse = coarsen(picture, columns)
  const { rows } = coarse
  const subjects = findSubjects(coarse)
  const covered = new Set(subjects.flatMap(({ cells }) => cells))
  const horizon = findHorizon(coarse, covered)
  const ground = (v: number): number => clamp((v - horizon) / (1 - horizon))
  const nearness = Float32Array.from({ length: columns * rows }, (_, cell) => ground((Math.floor(cell / columns) + 0.5) / rows))

  let largestSubject = { nearness: ground(0.8), area: 0 }
  for (const { cells, baseRow } of subjects) {
    const base = baseRow >= rows ? closeUpNearness : ground(baseRow / rows)
    const subjectNearness = Math.max(base, skySubjectNearnessMin)
    const mask = softMask(cells, rows)
    for (const [cell, share] of mask.entries()) {
      const backdropNearness = nearness[cell] ?? 0
      nearness[cell] = Math.max(backdropNearness, backdropNearness + (subjectNearness - backdropNearness) * share)
    }
    if (cells.length > largestSubject.area) largestSubject = { nearness: subjectNearness, area: cells.length }
  }

  return {
    horizon,
    hasSubjects: subjects.length > 0,
    subjectNearness: largestSubject.nearness,
    nearness(u, v) {
      const x = clamp(u * columns - 0.5, 0, columns - 1.001)
      const y = clamp(v * rows - 0.5, 0, rows - 1.001)
      const [column, row] = [Math.floor(x), Math.floor(y)]
      const index = row * columns + column
      const [fx, fy] = [x - column, y - row]
      const upper = (nearness[index] ?? 0) * (1 - fx) + (nearness[index + 1] ?? 0) * fx
      const lower = (nearness[index + columns] ?? 0) * (1 - fx) + (nearness[index + columns + 1] ?? 0) * fx
      return upper * (1 - fy) + lower * fy
    },
  }
}

/**
 * Returns the horizon as a share of the height: the row at which the light changes most, with a
 * preference for rows near the default. Subjects are ignored.
 */
function findHorizon({ rows, light }: CoarsePicture, covered: ReadonlySet<number>): number {
  let best = { horizon: horizonDefault, contrast: horizonContrastMin }
  for (let row = Math.ceil(horizonRange.from * rows); row <= horizonRange.to * rows; row++) {
    let [sum, count] = [0, 0]
    for (let column = 0; column < columns; column++) {
      const lightAbove = meanOf(light, covered, column, row - bandRows, row)
      const lightBelow = meanOf(light, covered, column, row, row + bandRows)
      if (lightAbove === undefined || lightBelow === undefined) continue
      sum += lightAbove - lightBelow
      count++
    }
    if (count < columns / 4) continue
    const contrast = Math.abs(sum / count) * Math.exp(-(((row / rows - horizonDefault) / 0.3) ** 2))
    if (contrast > best.contrast) best = { horizon: row / rows, contrast }
  }
  return best.horizon
}

function meanOf(light: Float32Array, covered: ReadonlySet<number>, column: number, from: number, to: number): number | undefined {
  let [sum, count] = [0, 0]
  for (let row = from; row < to; row++) {
    const cell = row * columns + column
    if (cell < 0 || cell >= light.length || covered.has(cell)) continue
    sum += light[cell] ?? 0
    count++
  }
  return count > 0 ? sum / count : undefined
}

/**
 * Returns a mask that is 1 on the subject and directly around it, so that its parts move together.
 * Its values fall to 0 over a long distance, so that nothing is bent sharply.
 */
function softMask(cells: readonly number[], rows: number): Float32Array {
  const distances = new Float32Array(columns * rows).fill(columns)
  for (const cell of cells) distances[cell] = 0
  // Two sweeps propagate the distance to every cell. A diagonal step counts as 1.4.
  const shorten = (cell: number, from: number, step: number): void => {
    const pathDistance = (distances[from] ?? columns) + step
    if (pathDistance < (distances[cell] ?? 0)) distances[cell] = pathDistance
  }
  const visit = (cell: number, direction: 1 | -1): void => {
    const [column, row] = [cell % columns, Math.floor(cell / columns)]
    const hasBefore = direction === 1 ? column > 0 : column < columns - 1
    const hasAfter = direction === 1 ? column < columns - 1 : column > 0
    const hasAbove = direction === 1 ? row > 0 : row < rows - 1
    if (hasBefore) shorten(cell, cell - direction, 1)
    if (!hasAbove) return
    shorten(cell, cell - direction * columns, 1)
    if (hasBefore) shorten(cell, cell - direction * (columns + 1), 1.4)
    if (hasAfter) shorten(cell, cell - direction * (columns - 1), 1.4)
  }
  for (let cell = 0; cell < distances.length; cell++) visit(cell, 1)
  for (let cell = distances.length - 1; cell >= 0; cell--) visit(cell, -1)
  return distances.map((distance) => 1 - smoothstep(solidCells, fadedCells, distance))
}
