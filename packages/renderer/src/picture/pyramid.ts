import type { Compositor } from './compositor.ts'
import type { Level } from './level.ts'

/** Spare samples after the columns of a row; see kernels/pyramid.as.ts. */
const spareSamples = 8

/** Allocates a plane of half the size. */
export function allocateHalf({ arena }: Compositor, { columns, rows }: Level): Level {
  const halfLevel = { columns: Math.ceil(columns / 2), rows: Math.ceil(rows / 2) }
  const strideBytes = (Math.ceil(halfLevel.columns / 8) * 8 + spareSamples) * 2
  return { ...halfLevel, strideBytes, address: arena.allocate(strideBytes * halfLevel.rows) }
}

/** Allocates planes of half the size, a quarter and so on. */
export function allocateHalves(compositor: Compositor, level: Level, count: number): Level[] {
  const halves: Level[] = []
  for (let last = level; halves.length < count;) {
    last = allocateHalf(compositor, last)
    halves.push(last)
  }
  return halves
}

/** Reduces each level from the one before it. */
export function reduceInto({ kernels }: Compositor, from: Level, halves: readonly Level[]): void {
  let last = from
  for (const halfLevel of halves) {
    const { address, strideBytes, columns, rows } = halfLevel
    kernels.reducePlane(address, strideBytes, last.address, last.strideBytes, columns, rows, last.rows)
    last = halfLevel
  }
}

/** Enlarges softly from the first level up to the last. */
export function enlargeLevels(compositor: Compositor, levels: readonly Level[]): void {
  for (const [index, level] of levels.entries()) {
    const from = levels[index - 1]
    if (from) enlargeRows(compositor, from, level, 0, level.rows)
  }
}

/** Enlarges some rows of a level from the level of half its size. */
export function enlargeRows({ kernels }: Compositor, from: Level, to: Level, rowFirst: number, rowEnd: number): void {
  const { address, strideBytes, columns, rows } = to
  kernels.enlargePlane(address, strideBytes, from.address, from.strideBytes, columns, rows, rowFirst, rowEnd)
}

/** Height of a stripe that stays in the CPU cache while several kernels pass over it. */
const stripeRows = 32

/** Calls `treat` for each stripe of a level, from top to bottom. */
export function forEachStripe({ rows }: Pick<Level, 'rows'>, treat: (rowFirst: number, rowEnd: number) => void): void {
  for (let first = 0; first < rows; first += stripeRows) treat(first, Math.min(rows, first + stripeRows))
}
