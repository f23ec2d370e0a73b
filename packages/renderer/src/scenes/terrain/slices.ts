import type { Plane } from './plane.ts'

/**
 * Cuts the ground into slices that begin at these distances, from far to near. Each slice begins
 * nearer than its distance by the share `overlap`, so that no gap opens between slices when the
 * camera moves them.
 */
export function cutSlices(
  plane: Plane,
  cuts: readonly { from: number; depth: number }[],
  overlap = 0.3,
): { stepFirst: number; stepEnd: number; depth: number }[] {
  return cuts.map(({ from, depth }, index) => {
    const fartherCut = cuts[index - 1]
    return {
      stepFirst: index === cuts.length - 1 ? 0 : stepAt(plane, from * (1 - overlap)),
      stepEnd: fartherCut ? stepAt(plane, fartherCut.from) + 1 : plane.steps,
      depth,
    }
  })
}

/**
 * Returns the nearest step that is at least this far away, or the number of steps if there is none.
 */
function stepAt({ distances }: Plane, distance: number): number {
  const step = distances.findIndex((candidate) => candidate >= distance)
  return step < 0 ? distances.length : step
}
