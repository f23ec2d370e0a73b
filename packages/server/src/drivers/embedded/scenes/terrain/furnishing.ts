import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Furnish, Spot } from './paint-slice.ts'

/** One thing that stands on the ground, at a point of the grid. */
export interface Furnishing {
  ray: number
  step: number
  draw: (context: SKRSContext2D, spot: Spot) => void
}

/** Things of any kinds together, far ones first; none is taller than `tall`. */
export function furnishing(things: readonly Furnishing[], tall: number): Furnish {
  const ordered = things.toSorted((a, b) => b.step - a.step)
  return {
    tall,
    draw: (context, at) => {
      for (const { ray, step, draw } of ordered) {
        const spot = at(ray, step)
        if (spot) draw(context, spot)
      }
    },
  }
}
