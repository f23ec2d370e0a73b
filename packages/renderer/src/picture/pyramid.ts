import type { Compositor } from './compositor.ts'
import type { Level } from './level.ts'

/** Spare samples after the columns of a row; see kernels/pyramid.as.ts. */
const spareSamples = 8

/** Allocates a plane of half the width and height. */
export function allocateHalf({ arena }: Compositor, { columns, rows }: Level): Level {
  const halfLevel = { columns: Math.ceil(columns / 2), rows: Math.ceil(rows / 2) }
  const strideBytes = (Math.ceil(halfLevel.columns / 8) * 8 + spareSamples) * 2
  return { ...halfLevel, strideBytes, address: arena.allocate(strideBytes * halfLevel.rows) }
}

/** Allocates `count` planes, each half as wide and high as the one before. */
export function allocateHalves(compositor: Compositor, level: Level, count: number): Level[] {
  const halves: Level[] = []
  for (let larger = level; halves.length < count;) {
    larger = allocateHalf(compositor, larger)
    halves.push(larger)
  }
  return halves
}

/** Computes each of `halves` from the level before it, the first one from `from`. */
export function reduceInto({ kernels }: Compositor, from: Level, halves: readonly Level[]): void {
  let larger = from
  for (const halfLevel of halves) {
    const { address, strideBytes, columns, rows } = halfLevel
    kernels.reducePlane(address, strideBytes, larger.address, larger.strideBytes, columns, rows, larger.rows)
    larger = halfLevel
  }
}

/** Computes each level from the smaller one before it. The first level is the input. */
export function enlargeLevels(compositor: Compositor, levels: readonly Level[]): void {
  for (const [index, level] of levels.entries()) {
    const from = levels[index - 1]
    if (from) enlargeRows(compositor, from, level, 0, level.rows)
  }
}

/** Computes the rows from `rowFirst` to `rowEnd` of a level from the level of half its size. */
export function enlargeRows({ kernels }: Compositor, from: Level, to: Level, rowFirst: number, rowEnd: number): void {
  const { address, strideBytes, columns, rows } = to
  kernels.enlargePlane(address, strideBytes, from.address, from.strideBytes, columns, rows, rowFirst, rowEnd)
}

/** Height of a stripe that stays in the CPU cache while several kernels pass over it. */
const stripeRows = 32

/** Calls `visit` for each stripe of a level, from top to bottom. */
export function forEachStripe({ rows }: Pick<Level, 'rows'>, visit: (rowFirst: number, rowEnd: number) => void): void {
  for (let rowFirst = 0; rowFirst < rows; rowFirst += stripeRows) visit(rowFirst, Math.min(rows, rowFirst + stripeRows))
}
