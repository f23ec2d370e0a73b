import type { CoarsePicture } from './coarse-picture.ts'

/** An object that stands out from the colors of the image's border. */
export interface FoundSubject {
  cells: number[]
  /** Row below the lowest cell. */
  baseRow: number
}

/** Number of colors to which the border is reduced. */
const colorsMax = 6
/** Number of rounds that move these colors to the means of their samples. */
const colorRounds = 6
/**
 * Range of the size of a subject, as a share of all cells. A smaller group is a detail, and a
 * larger group is background.
 */
const areaShareRange = { min: 0.004, max: 0.4 }
/**
 * Thresholds for the difference from the border's colors, in the order in which they are tried. Low
 * thresholds give large groups.
 */
const thresholds = [0.07, 0.1, 0.14, 0.19, 0.25, 0.32]
/** Color difference above which a part of an outline is an edge. */
const edgeDifferenceMin = 0.09
/**
 * Share of a subject's outline that must be edges. A light in the sky fades out without an edge.
 */
const edgeShareMin = 0.72

/**
 * Finds the groups of cells whose colors do not occur in the border and whose outline is distinct. A
 * group that touches the upper edge or a side is background.
 */
export function findSubjects(picture: CoarsePicture): FoundSubject[] {
  const { columns, rows } = picture
  const cellCount = columns * rows
  const differences = differencesFromBorder(picture)
  const takenCells = new Set<number>()
  const subjects: FoundSubject[] = []
  for (const threshold of thresholds) {
    const isDifferent = Array.from(differences, (difference) => difference > threshold)
    for (const cells of connectedGroups(isDifferent, columns)) {
      const isRightSize = cells.length >= areaShareRange.min * cellCount && cells.length <= areaShareRange.max * cellCount
      if (!isRightSize || cells.some((cell) => takenCells.has(cell) || isAtSideOrTop(cell, columns))) continue
      if (edgeShare(picture, new Set(cells)) < edgeShareMin) continue
      for (const cell of cells) takenCells.add(cell)
      subjects.push({ cells, baseRow: Math.floor(Math.max(...cells) / columns) + 1 })
    }
  }
  return subjects
}

function isAtSideOrTop(cell: number, columns: number): boolean {
  return cell < columns || cell % columns === 0 || cell % columns === columns - 1
}

/**
 * Returns the share of the outline that separates two colors. The lower edge of the image does not
 * count as outline.
 */
function edgeShare(picture: CoarsePicture, cells: ReadonlySet<number>): number {
  const { columns, rows } = picture
  let [edges, outline] = [0, 0]
  for (const cell of cells) {
    for (const step of [1, -1, columns, -columns]) {
      const outside = cell + step
      if (cells.has(outside) || outside >= columns * rows) continue
      outline++
      // Cells on the outline mix both colors, so the cells next to them are compared.
      const inner = cells.has(cell - step) ? cell - step : cell
      const outer = isInside(outside + step, picture) ? outside + step : outside
      if (distanceBetween(colorOf(picture, inner), colorOf(picture, outer)) > edgeDifferenceMin) edges++
    }
  }
  return edges / Math.max(1, outline)
}

function isInside(cell: number, { columns, rows }: CoarsePicture): boolean {
  return cell >= 0 && cell < columns * rows
}

type Color = [light: number, blueness: number, redness: number]

function colorOf({ light, blueness, redness }: CoarsePicture, cell: number): Color {
  return [light[cell] ?? 0, blueness[cell] ?? 0, redness[cell] ?? 0]
}

/** Returns the difference of two colors. Light counts less, because shadows change it. */
function distanceBetween(first: Color, second: Color): number {
  return Math.hypot((first[0] - second[0]) * 0.7, (first[1] - second[1]) * 1.4, (first[2] - second[2]) * 1.4)
}

function differencesFromBorder(picture: CoarsePicture): Float32Array {
  const { columns, rows } = picture
  const border: Color[] = []
  for (let cell = 0; cell < columns * rows; cell++) {
    const [column, row] = [cell % columns, Math.floor(cell / columns)]
    if (row < 2 || column < 2 || column >= columns - 2) border.push(colorOf(picture, cell))
  }
  const colors = clustersOf(border)
  return Float32Array.from({ length: columns * rows }, (_, cell) => nearestTo(colorOf(picture, cell), colors).distance)
}

/**
 * Reduces the samples to a few colors. It starts with the samples that differ most from each other,
 * and moves each color to the mean of its samples.
 */
function clustersOf(samples: readonly Color[]): Color[] {
  const [first] = samples
  if (first === undefined) return []
  const centers: Color[] = [first]
  while (centers.length < colorsMax) {
    const distances = samples.map((sample) => nearestTo(sample, centers).distance)
    const farthest = samples[distances.indexOf(Math.max(...distances))]
    if (farthest === undefined) break
    centers.push(farthest)
  }
  for (let round = 0; round < colorRounds; round++) {
    const sums = centers.map((): [number, number, number, number] => [0, 0, 0, 0])
    for (const sample of samples) {
      const sum = sums[nearestTo(sample, centers).index]
      if (sum === undefined) continue
      for (const channel of [0, 1, 2] as const) sum[channel] += sample[channel]
      sum[3] += 1
    }
    for (const [index, [light, blueness, redness, count]] of sums.entries()) {
      if (count > 0) centers[index] = [light / count, blueness / count, redness / count]
    }
  }
  return centers
}

function nearestTo(color: Color, centers: readonly Color[]): { index: number; distance: number } {
  let best = { index: 0, distance: Infinity }
  for (const [index, center] of centers.entries()) {
    const difference = distanceBetween(color, center)
    if (difference < best.distance) best = { index, distance: difference }
  }
  return best
}

/** Returns the groups of adjacent cells for which `isIncluded` is true. */
function connectedGroups(isIncluded: boolean[], columns: number): number[][] {
  const seenIndexes = new Set<number>()
  const groups: number[][] = []
  for (const [start, isStart] of isIncluded.entries()) {
    if (!isStart || seenIndexes.has(start)) continue
    const group = [start]
    seenIndexes.add(start)
    for (const cell of group) {
      const neighbors = [cell - columns, cell + columns]
      if (cell % columns > 0) neighbors.push(cell - 1)
      if (cell % columns < columns - 1) neighbors.push(cell + 1)
      for (const next of neighbors) {
        if (isIncluded[next] !== true || seenIndexes.has(next)) continue
        seenIndexes.add(next)
        group.push(next)
      }
    }
    groups.push(group)
  }
  return groups
}
