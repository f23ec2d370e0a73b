import type { PlanImage } from '../../../render-plan.ts'
import { moveParts, type Moves } from './move-parts.ts'
import { Correlation, patternOf, type Pattern } from './pattern.ts'
import { likenessAt, refinePlacement, searchPlacement, valueUnder, type Placement } from './place-picture.ts'

/**
 * Position of the first image's content in the second one: scaled and moved as a whole, then each
 * part by itself.
 */
export interface Match extends Placement {
  /** Undefined if only the camera has moved or the light has changed. */
  moves: Moves | undefined
}

/**
 * Columns of the patterns: a search over all placements with few cells, then refinements nearby
 * with more cells. The numbers are for 16:9; other formats have about the same total number of
 * cells.
 */
const columns = { coarse: 32, middle: 64, fine: 128 }
const columnsMin = 12
const steps = { middle: [1, 0.5], fine: [1, 0.5, 0.5, 0.25, 0.125] }
const parts = { middle: { every: 4, patch: 4, reach: 4, step: 1 }, fine: { every: 6, patch: 5, reach: 1, step: 0.5 } }

/**
 * Minimum likeness of two aligned images for them to show the same thing. With few cells, any two
 * landscapes reach it. With many cells, images of the same thing have 0.6 to 1, and other images
 * less than 0.4. From `same` on, only the camera has moved or the light has changed.
 */
const likenessMin = { middle: 0.5, fine: 0.5, same: 0.9 }

/** Matches two images. Returns undefined if they show different things. */
export function matchImages(first: PlanImage, second: PlanImage): Match | undefined {
  const narrower = Math.sqrt((first.width / first.height) * (9 / 16))
  const patterns = (count: number): [Pattern, Pattern] => {
    const across = Math.max(columnsMin, Math.round(count * narrower))
    return [patternOf(first, across), patternOf(second, across)]
  }
  const rough = searchPlacement(...patterns(columns.coarse))
  const middle = patterns(columns.middle)
  const placed = refinePlacement(...middle, rough, steps.middle)
  if (likenessAt(...middle, placed) < likenessMin.middle) return undefined

  const fine = patterns(columns.fine)
  const exact = refinePlacement(...fine, placed, steps.fine)
  const still = likenessAt(...fine, exact)
  if (still < likenessMin.fine) return undefined
  if (still >= likenessMin.same) return { ...exact, moves: undefined }
  const moves = moveParts(...fine, exact, moveParts(...middle, exact, undefined, parts.middle), parts.fine)
  return { ...exact, moves: likenessMoved(...fine, exact, moves) > still ? moves : undefined }
}

function likenessMoved(first: Pattern, second: Pattern, placed: Placement, moves: Moves): number {
  const found = new Correlation()
  for (const [cell, value] of second.values.entries()) {
    const [column, row] = [cell % second.columns, Math.floor(cell / second.columns)]
    const { x, y } = moves(column / second.columns, row / second.rows)
    const under = valueUnder(first, { ...placed, x: placed.x + x, y: placed.y + y }, column, row)
    if (under !== undefined) found.add(under, value)
  }
  return found.likeness()
}
