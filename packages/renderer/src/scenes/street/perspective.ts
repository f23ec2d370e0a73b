import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Stage } from '../stage.ts'

/** Length of the street in meters. */
export const farthest = 150
export const focalUnits = 0.92
/** Height of the eye in meters. */
export const eye = 1.75

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
  return (x, y, z) => ({ x: geometry.width / 2 + (x / z) * focal, y: horizon + ((eye - y) / z) * focal })
}

/** Fills a rectangle of a wall, which is a quadrilateral in the frame. */
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
