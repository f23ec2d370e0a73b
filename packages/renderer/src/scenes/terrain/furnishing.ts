import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Furnish, Spot } from './paint-slice.ts'

/** A thing that stands on the ground, at a point of the grid. */
export interface Furnishing {
  ray: number
  step: number
  draw: (context: SKRSContext2D, spot: Spot) => void
}

/**
 * Combines things of different kinds. Far things are drawn first. No thing may be taller than
 * `height`.
 */
export function furnishing(things: readonly Furnishing[], height: number): Furnish {
  const ordered = things.toSorted((a, b) => b.step - a.step)
  return {
    height,
    draw: (context, locate) => {
      for (const { ray, step, draw } of ordered) {
        const spot = locate(ray, step)
        if (spot) draw(context, spot)
      }
    },
  }
}
