import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Stage } from '../stage.ts'

/** Distance from the viewer to the far end of the street, in meters. */
export const farthest = 150
/** Focal length of the projection, in units (`geometry.unit`). */
export const focalUnits = 0.92
/** Height of the viewer's eye above the ground, in meters. */
export const eyeHeight = 1.75

/**
 * Projects a point of the street to the frame. `x` is the distance from the middle, `y` the height
 * above the ground and `z` the distance from the viewer, all in meters.
 */
export type Project = (x: number, y: number, z: number) => { x: number; y: number }

/** A part of the street between two distances, in meters. */
export interface Slice {
  nearDistance: number
  farDistance: number
}

/** Creates the projection for the frame and the horizon of a stage. */
export function createProjection({ geometry, horizon }: Stage): Project {
  const focal = geometry.unit * focalUnits
  return (x, y, z) => ({ x: geometry.width / 2 + (x / z) * focal, y: horizon + ((eyeHeight - y) / z) * focal })
}

/**
 * Fills a rectangle of the wall at `x`, from height `y0` to `y1` and from distance `z0` to `z1`. In
 * the frame, this rectangle is a quadrilateral.
 */
export function fillQuad(
  context: SKRSContext2D,
  project: Project,
  x: number,
  [y0, y1]: readonly [number, number],
  [z0, z1]: readonly [number, number],
): void {
  const corners = [project(x, y0, z0), project(x, y1, z0), project(x, y1, z1), project(x, y0, z1)]
  context.beginPath()
  for (const [index, corner] of corners.entries()) {
    if (index === 0) context.moveTo(corner.x, corner.y)
    else context.lineTo(corner.x, corner.y)
  }
  context.closePath()
  context.fill()
}
