import type { SKRSContext2D } from '@napi-rs/canvas'
import type { GroundObjects, Spot } from './paint-slice.ts'

/** An object that stands on the ground, at the point of the grid with this ray and step. */
export interface GroundObject {
  ray: number
  step: number
  draw: (context: SKRSContext2D, spot: Spot) => void
}

/**
 * Combines objects of different kinds. Far objects are drawn first. `height` must be at least that
 * of the tallest object.
 */
export function combineObjects(objects: readonly GroundObject[], height: number): GroundObjects {
  const ordered = objects.toSorted((a, b) => b.step - a.step)
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
