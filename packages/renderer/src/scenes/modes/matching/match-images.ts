import type { PlanImage } from '../../../render-plan.ts'
import { moveParts, type Moves } from './move-parts.ts'
import { Correlation, patternOf, type Pattern } from './pattern.ts'
import { likenessAt, refinePlacement, searchPlacement, valueUnder, type Placement } from './place-picture.ts'

/**
 * Position of the first image's content in the second image: the placement of the whole image, and
 * the motion of each part relative to it.
 */
export interface Match extends Placement {
  /** Undefined if only the camera has moved or the light has changed. */
  moves: Moves | undefined
}

/**
 * Numbers of columns of the patterns at 16:9. Other aspect ratios have about the same number of
 * cells. All placements are tried with few cells, and the best one is refined with more cells.
 */
const columns = { coarse: 32, middle: 64, fine: 128 }
const columnsMin = 12
const steps = { middle: [1, 0.5], fine: [1, 0.5, 0.5, 0.25, 0.125] }
const partOptions = { middle: { every: 4, patch: 4, reach: 4, step: 1 }, fine: { every: 6, patch: 5, reach: 1, step: 0.5 } }

/**
 * Minimum likeness of two aligned images that show the same object. With few cells, any two
 * landscapes reach it. With many cells, images of the same object have 0.6 to 1, and other images
 * less than 0.4. From `same` on, only the camera has moved or the light has changed.
 */
const likenessMin = { middle: 0.5, fine: 0.5, same: 0.9 }

/** Matches two images. Returns undefined if they show different objects. */
export function matchImages(first: PlanImage, second: PlanImage): Match | undefined {
  const columnFactor = Math.sqrt((first.width / first.height) * (9 / 16))
  const patterns = (count: number): [Pattern, Pattern] => {
    const columnCount = Math.max(columnsMin, Math.round(count * columnFactor))
    return [patternOf(first, columnCount), patternOf(second, columnCount)]
  }
  const roughPlacement = searchPlacement(...patterns(columns.coarse))
  const middle = patterns(columns.middle)
  const placement = refinePlacement(...middle, roughPlacement, steps.middle)
  if (likenessAt(...middle, placement) < likenessMin.middle) return undefined

  const fine = patterns(columns.fine)
  const exactPlacement = refinePlacement(...fine, placement, steps.fine)
  const likeness = likenessAt(...fine, exactPlacement)
  if (likeness < likenessMin.fine) return undefined
  if (likeness >= likenessMin.same) return { ...exactPlacement, moves: undefined }
  const moves = moveParts(
    ...fine,
    exactPlacement,
    moveParts(...middle, exactPlacement, undefined, partOptions.middle),
    partOptions.fine,
  )
  return { ...exactPlacement, moves: likenessWithMoves(...fine, exactPlacement, moves) > likeness ? moves : undefined }
}

function likenessWithMoves(first: Pattern, second: Pattern, placement: Placement, moves: Moves): number {
  const correlation = new Correlation()
  for (const [cell, value] of second.values.entries()) {
    const [column, row] = [cell % second.columns, Math.floor(cell / second.columns)]
    const { x, y } = moves(column / second.columns, row / second.rows)
    const valueBelow = valueUnder(first, { ...placement, x: placement.x + x, y: placement.y + y }, column, row)
    if (valueBelow !== undefined) correlation.add(valueBelow, value)
  }
  return correlation.likeness()
}
