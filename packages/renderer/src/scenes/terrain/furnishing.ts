import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Furnish, Spot } from './paint-slice.ts'

/** A thing that stands on the ground, at a point of the grid. */
export interface Furnishing {
  ray: number
  step: number
  draw: (context: SKRSContext2D, spot: Spot) => void
}

/** Combines things of any kind, drawing far ones first. None may be taller than `tall`. */
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
